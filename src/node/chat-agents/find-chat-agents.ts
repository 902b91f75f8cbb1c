import { knownChatAgents } from '../../acp/known-chat-agents.js';
import { findExecutable } from '../client-setup/check/find-executable.js';
import type { HostEnvironment } from '../client-setup/clients.js';
import { binFolders } from '../client-setup/find-node.js';
import type { NodeModules, ProcessEnv } from '../modules.js';

/** Returns the known agents, each with the absolute path of its program if that is installed. */
export function findChatAgents(node: NodeModules, host: HostEnvironment) {
  return Promise.all(
    knownChatAgents().map(async (agent) => ({
      agent,
      program: await findChatAgentProgram(node, host, agent.command),
    })),
  );
}

/**
 * Returns the absolute path of a program; undefined if there is none. Also searches the folders of
 * package managers, because an app that was not started from a shell lacks the shell's PATH.
 */
export async function findChatAgentProgram(
  node: NodeModules,
  host: HostEnvironment,
  command: string,
): Promise<string | undefined> {
  const env = await chatAgentEnvironment(node, host);
  return findExecutable(node, { ...host, env }, command);
}

/** Returns this process's environment with the package managers' folders appended to the PATH. */
export async function chatAgentEnvironment(
  node: NodeModules,
  host: HostEnvironment,
): Promise<ProcessEnv> {
  const { path } = node;
  const { PATH, Path, ...env } = host.env;
  const known = (PATH ?? Path ?? '').split(path.delimiter).filter((folder) => folder !== '');
  const folders = [...known, ...(await binFolders(node, host))];
  return { ...env, PATH: [...new Set(folders)].join(path.delimiter) };
}
