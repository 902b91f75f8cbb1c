import * as z from 'zod';
import { TRACE_KINDS, traceData } from '../../model/trace.js';
import { createEntityId } from '../../platform/random.js';
import type { Log } from '../../storage/log.js';
import { traceOfTold, withoutFolders, type SelfTraced } from '../../toolkit/trace.js';
import { filePaths, filledText } from '../shared/inputs.js';
import { defineTool, type Services } from '../services.js';

const CONTENT_LIMIT = 2000;
const OUTCOME_LIMIT = 500;
const MOST_FILES = 50;
/** A call that is made again comes soon after the first: so many traces may lie between. */
const LOOKED_AT_FOR_KEY = 200;

const tool = defineTool({
  name: 'logTrace',
  title: 'Log trace',
  access: 'write',
  action: { resource: 'trace', name: 'log' },
  description:
    'Record what you did or learnt outside of these tools, for searchMemory and timeline. Kept as long as tool calls are.',
  input: z.strictObject({
    kind: z.enum(TRACE_KINDS),
    content: filledText,
    files: filePaths.default([]),
    outcome: filledText.optional(),
  }),
  failures: {
    tooLong: {
      error: '"{field}" has {count} characters.',
      advice: 'Keep to {limit}, and put what is longer into a note.',
    },
    tooMany: { error: '"files" has {count} paths.', advice: 'Name the {limit} that matter most.' },
  },
  examples: [
    {
      title: 'What was learnt from a failing build',
      params: {
        kind: 'error_pattern',
        content: 'The build fails with EMFILE when two watchers run at once.',
        files: ['src/watch.ts'],
        outcome: 'One watcher now, build passes',
      },
      answer: { success: true },
    },
  ],
  async run({ kind, content, files, outcome = '' }, call) {
    const { services, workspace, sessionId, client, context, key, say, fail } = call;
    const { log, random } = services;
    for (const [field, text, limit] of [
      ['content', content, CONTENT_LIMIT],
      ['outcome', outcome, OUTCOME_LIMIT],
    ] as const)
      if (text.length > limit)
        fail('tooLong', { field, count: String(text.length), limit: String(limit) });
    if (files.length > MOST_FILES)
      fail('tooMany', { count: String(files.length), limit: String(MOST_FILES) });
    if (key !== undefined && (await isKept(log, workspace.id, key))) return;
    const told = traceOfTold({
      agent: 'traceManager',
      tool: 'logTrace',
      workspaceId: workspace.id,
      sessionId,
      client,
      context,
      kind,
      content,
      files,
      outcome,
      key,
    });
    const isWhole =
      told.input === content &&
      told.outcome === outcome &&
      files.every((path, at) => told.files?.[at] === path);
    if (!isWhole) say({ notice: 'What looked like a secret was left out.' });
    const kept = withoutFolders(told, await excludedFolders(services));
    await log.writeTrace({ t: 'trace.new', e: createEntityId(random), d: traceData(kept) });
  },
});

export const logTrace: typeof tool & SelfTraced = { ...tool, isSelfTraced: true };

async function isKept(log: Log, workspaceId: string, key: string): Promise<boolean> {
  const newest = (await log.traceEntries(workspaceId)).slice(0, LOOKED_AT_FOR_KEY);
  return (await log.readTraces(newest)).some((trace) => trace.key === key);
}

async function excludedFolders({ search, dataFolder }: Services): Promise<string[]> {
  return (await search.access.skippedFolders()).filter((folder) => folder !== dataFolder);
}
