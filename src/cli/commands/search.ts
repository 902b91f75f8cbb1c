import type { SearchService } from '../../indexing/search-service.js';
import { DEFAULT_WORKSPACE } from '../../model/memory.js';
import { createEntityId } from '../../platform/random.js';
import { callTool } from '../../toolkit/call-tool.js';
import type { ArgumentsOf } from '../command-options.js';
import { printAnswer } from '../output.js';
import type { ProgramHost } from '../program.js';
import { memoryText, notesText, progressText } from '../texts/search-texts.js';
import { UsageError } from '../usage-error.js';
import { requireKnownVault } from '../vault-folder.js';
import { singleCommand, withVault } from '../vault.js';

type SearchArguments = ArgumentsOf<'search'> & { readonly query: string };

/** A user waits until all notes are in the keyword index, but not for the slower embeddings. */
const SEARCH_WAIT = { words: Infinity, embeddings: 10_000 };

export async function runSearch(args: SearchArguments, program: ProgramHost): Promise<number> {
  const { state, workspace, memory, json } = args;
  if (memory && (args.in !== undefined || args.mode !== undefined))
    throw new UsageError('--in and --mode apply to notes only; omit them with --memory.');
  const vault = args.vault ?? (await requireKnownVault(program, state));
  const options = { ...singleCommand(program, { vault, state }), searchWait: SEARCH_WAIT };
  const request = memory ? memoryRequest(args) : notesRequest(args);
  const answer = await withVault(program, options, async ({ toolkit, services }) => {
    const { search, random } = services;
    const stopProgress = program.stderr.isTTY ? showProgress(search, program) : () => undefined;
    const defaults = { sessionId: createEntityId(random), workspaceId: workspace };
    return callTool(toolkit, { ...request, defaults }).finally(stopProgress);
  });
  return printAnswer(program, answer, { json, textOf: memory ? memoryText : notesText });
}

function memoryRequest({ query, workspace, limit }: SearchArguments) {
  const params = {
    query,
    workspaceId: workspace ?? DEFAULT_WORKSPACE,
    ...(limit !== undefined && { limit }),
  };
  return { tool: 'searchMemory', params };
}

function notesRequest({ query, in: folder, mode, limit }: SearchArguments) {
  const params = {
    query,
    ...(folder !== undefined && { rootFolder: folder }),
    ...(mode !== undefined && { mode }),
    ...(limit !== undefined && { limit }),
  };
  return { tool: 'searchContent', params };
}

/** Shows the progress of indexing in one line. Returns a function that stops and clears it. */
function showProgress(search: SearchService, { stderr }: ProgramHost): () => void {
  let shown = '';
  const stop = search.onProgress(() => {
    const progress = search.progress();
    if (!progress || progress.total === 0) return;
    const line = progressText(progress);
    if (line !== shown) stderr.write(`\r${line.padEnd(shown.length)}`);
    shown = line;
  });
  return () => {
    stop();
    if (shown !== '') stderr.write(`\r${' '.repeat(shown.length)}\r`);
  };
}
