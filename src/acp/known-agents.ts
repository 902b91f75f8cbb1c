import type { AcpProgram } from '../apps/ai-app.js';
import { appsWith } from '../apps/index.js';

/** A program that speaks the Agent Client Protocol, as the user has added it on this device. */
export interface AgentEntry {
  readonly id: string;
  readonly title: string;
  /** Name or absolute path of the program. */
  readonly command: string;
  readonly args: readonly string[];
}

/** An agent with its installation and its permission settings. */
export type KnownAgent = AgentEntry & AcpProgram;

/** Returns the agents that were tried. */
export function knownAgents(): KnownAgent[] {
  return appsWith('acp').map(({ id, title, acp }) => ({ id, title, ...acp }));
}

export function findKnownAgent(id: string): KnownAgent | undefined {
  return knownAgents().find((agent) => agent.id === id);
}

/**
 * Returns the agent that a typed command starts. If it is a known one, it gets that one's id, and
 * with it its permission settings. Undefined if nothing was typed.
 */
export function agentFromCommand(typed: string): AgentEntry | undefined {
  const [command = '', ...args] = typed.trim().split(/\s+/u);
  if (command === '') return undefined;
  const name = command.split(/[\\/]/u).at(-1) ?? command;
  const program = name.replace(/\.(?:exe|cmd)$/iu, '');
  const known = knownAgents().find(
    (agent) => agent.command === program && agent.args.every((arg) => args.includes(arg)),
  );
  const { id = `custom-${typed.trim()}`, title = name } = known ?? {};
  return { id, title, command, args };
}
