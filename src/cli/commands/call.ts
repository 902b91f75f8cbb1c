import { rememberUse } from '../../bridge/projects.js';
import { createSessionFile } from '../../node/projects/session-file.js';
import { createEntityId } from '../../platform/random.js';
import { callTool } from '../../toolkit/call-tool.js';
import { sessionIdIn } from '../../toolkit/context.js';
import type { ArgumentsOf } from '../command-options.js';
import { printJson } from '../output.js';
import type { ProgramHost } from '../program.js';
import { HERE, openProjects } from '../projects.js';
import { answerAsTyped } from '../texts/typed-command.js';
import { UsageError } from '../usage-error.js';
import { requireKnownVault } from '../vault-folder.js';
import { singleCommand, withVault } from '../vault.js';

type CallArguments = ArgumentsOf<'call'> & { readonly tool: string };

export async function runCall(
  { tool, state, workspace, session, json, create, ...args }: CallArguments,
  program: ProgramHost,
): Promise<number> {
  const params = parseParams(json ?? (await readStdin(program)));
  const vault = args.vault ?? (await requireKnownVault(program, state));
  const options = singleCommand(program, { vault, state, create });
  const answer = await withVault(program, options, async (open) => {
    const { toolkit, services, deviceFolder } = open;
    const { sessions } = toolkit;
    const named = sessionIdIn(params) ?? session;
    const sessionId = named ?? createEntityId(services.random);
    const file = named === undefined ? undefined : createSessionFile(program.node, deviceFolder);
    const { report } = options;
    const stored = await file?.read(sessionId).catch(report);
    if (stored) sessions.merge(sessionId, stored);
    const projects = await openProjects(program, { vault, state, report });
    const project = await projects.find(HERE);
    let usedWorkspaceId: string | undefined;
    const result = await callTool(toolkit, {
      tool,
      params,
      defaults: { sessionId, workspaceId: workspace, project },
      onWorkspaceUsed(id) {
        usedWorkspaceId = id;
      },
    });
    const after = sessions.stateOf(sessionId);
    if (after.revision > (stored?.revision ?? 0)) await file?.save(sessionId, after).catch(report);
    await rememberUse(projects, project, '', usedWorkspaceId).catch(report);
    return result;
  });
  printJson(program, answerAsTyped(program, answer));
  return answer.success ? 0 : 1;
}

async function readStdin({ stdin }: ProgramHost): Promise<string> {
  if (stdin.isTTY) return '{}';
  const decoder = new TextDecoder();
  let text = '';
  for await (const piece of stdin) text += decoder.decode(piece as Uint8Array, { stream: true });
  text += decoder.decode();
  return text.trim() === '' ? '{}' : text;
}

function parseParams(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'syntax error';
    throw new UsageError(
      `The parameters are not valid JSON (${reason}). Pass an object like {"name": "Plan"}.`,
    );
  }
}
