import { clip } from '../model/refusal.js';
import type { Tool } from '../toolkit/define-tool.js';

export const CLIENT_ACCESSES = ['write', 'ask', 'read'] as const;

/** What a program outside of the app may do: write, write what the person allows when asked, or read only. */
export type ClientAccess = (typeof CLIENT_ACCESSES)[number];

/** What the person allows programs outside of the app, by the names that they give themselves. */
export interface ClientPolicy {
  /** Whether none of them may write. */
  readonly isReadOnly: boolean;
  /** What those may do that are in none of the lists. */
  readonly otherClients: ClientAccess;
  readonly writingClients: readonly string[];
  readonly askingClients: readonly string[];
  readonly readOnlyClients: readonly string[];
}

type Asked = Pick<Tool<never>, 'access' | 'isRelay'>;

/** What a client may do. */
function clientAccess(policy: ClientPolicy, client: string): ClientAccess {
  return ownAccess(policy, client) ?? policy.otherClients;
}

/** What is said of this very client, the narrowest where several lists name it; undefined where it may do what the others may. */
export function ownAccess(policy: ClientPolicy, client: string): ClientAccess | undefined {
  if (policy.readOnlyClients.includes(client)) return 'read';
  if (policy.askingClients.includes(client)) return 'ask';
  return policy.writingClients.includes(client) ? 'write' : undefined;
}

/** The policy in which this is said of a client, and of the others what was. */
export function withClientAccess<P extends ClientPolicy>(
  policy: P,
  client: string,
  access: ClientAccess | undefined,
): P {
  const listed = (names: readonly string[], isIn: boolean) => [
    ...names.filter((name) => name !== client),
    ...(isIn ? [client] : []),
  ];
  return {
    ...policy,
    writingClients: listed(policy.writingClients, access === 'write'),
    askingClients: listed(policy.askingClients, access === 'ask'),
    readOnlyClients: listed(policy.readOnlyClients, access === 'read'),
  };
}

/** Whether the person must be asked before a client may call a tool. */
export function mustAsk(policy: ClientPolicy, client: string, { access, isRelay }: Asked): boolean {
  return (
    access !== 'read' && !isRelay && !policy.isReadOnly && clientAccess(policy, client) === 'ask'
  );
}

/** Why a client may not call a tool where nobody can be asked, in words; undefined where it may. */
export function clientRefusal(
  policy: ClientPolicy,
  client: string,
  tool: Asked,
): string | undefined {
  const { access, isRelay } = tool;
  if (access === 'read' || isRelay) return undefined;
  if (policy.isReadOnly) return `AI apps may only read this memory. ${MEND}`;
  if (mustAsk(policy, client, tool))
    return `"${clip(client)}" may write only what the person allows when asked in Obsidian, which does not have this vault open now, or does not answer AI apps. Nothing was written. Ask the person to open it there, then call again.`;
  return clientAccess(policy, client) === 'read'
    ? `"${clip(client)}" may only read this memory. ${MEND}`
    : undefined;
}

const MEND = 'The person can change that in Obsidian under Settings, Savepoint, AI apps.';
