import type { AcpProgram } from '../apps/ai-app.js';
import { appsWith } from '../apps/index.js';

/** A program that the user has added on this device. */
export interface ChatAgent {
  readonly id: string;
  readonly title: string;
  /** Name or absolute path. */
  readonly command: string;
  readonly args: readonly string[];
}

export type KnownChatAgent = ChatAgent & AcpProgram;

/** Returns the agents that were tested. */
export function knownChatAgents(): KnownChatAgent[] {
  return appsWith('acp').map(({ id, title, acp }) => ({ id, title, ...acp }));
}

export function findKnownChatAgent(id: string): KnownChatAgent | undefined {
  return knownChatAgents().find((agent) => agent.id === id);
}

/** Parses a typed command, if any. A known agent gets its id and so its permission settings. */
export function chatAgentFromCommand(typed: string): ChatAgent | undefined {
  const [command = '', ...args] = typed.trim().split(/\s+/u);
  if (command === '') return undefined;
  const name = command.split(/[\\/]/u).at(-1) ?? command;
  const program = name.replace(/\.(?:exe|cmd)$/iu, '');
  const known = knownChatAgents().find(
    (agent) => agent.command === program && agent.args.every((arg) => args.includes(arg)),
  );
  const { id = `custom-${typed.trim()}`, title = name } = known ?? {};
  return { id, title, command, args };
}
