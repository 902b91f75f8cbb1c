import type { Tool } from '../toolkit/define-tool.js';

/** What the person allows programs outside of the app. */
export interface ClientPolicy {
  /** Whether none of them may write. */
  readonly isReadOnly: boolean;
  /** Those that may not, by the names that they give themselves. */
  readonly readOnlyClients: readonly string[];
}

/** Why a client may not call a tool, in words; undefined where it may. */
export function clientRefusal(
  policy: ClientPolicy,
  client: string,
  { access, isRelay }: Pick<Tool<never>, 'access' | 'isRelay'>,
): string | undefined {
  if (access === 'read' || isRelay) return undefined;
  if (policy.isReadOnly) return `AI apps may only read this memory. ${MEND}`;
  return policy.readOnlyClients.includes(client) ? `"${client}" may only read this memory. ${MEND}` : undefined;
}

const MEND = 'The person can change that in Obsidian under Settings, Savepoint, AI apps.';
