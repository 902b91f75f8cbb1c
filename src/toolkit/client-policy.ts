import type { ClientAccess, ClientPolicy } from '../model/settings/permissions.js';
import { clip } from '../model/refusal.js';
import type { Tool } from './define-tool.js';

/** A user's decision on a tool call; `session` allows it for the rest of the session. */
export type ApprovalDecision = 'once' | 'session' | 'always' | 'deny';

type PolicyTool = Pick<Tool<never>, 'access' | 'isRelay'>;

function clientAccess(policy: ClientPolicy, client: string): ClientAccess {
  return explicitAccess(policy, client) ?? policy.otherClients;
}

/** Returns the most restrictive access in the lists for this client; undefined if it is in none. */
export function explicitAccess(policy: ClientPolicy, client: string): ClientAccess | undefined {
  if (policy.readOnlyClients.includes(client)) return 'read';
  if (policy.askingClients.includes(client)) return 'ask';
  return policy.writingClients.includes(client) ? 'write' : undefined;
}

/** Returns the policy with one client's access replaced; `undefined` removes it from all lists. */
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

/** Returns true if the user must approve this call. */
export function needsApproval(
  policy: ClientPolicy,
  client: string,
  { access, isRelay }: PolicyTool,
): boolean {
  return (
    access !== 'read' && !isRelay && !policy.isReadOnly && clientAccess(policy, client) === 'ask'
  );
}

/** Returns why this call is refused if no user can approve it; undefined if it is not. */
export function clientRefusal(
  policy: ClientPolicy,
  client: string,
  tool: PolicyTool,
): string | undefined {
  const { access, isRelay } = tool;
  if (access === 'read' || isRelay) return undefined;
  if (policy.isReadOnly) return `AI apps may only read this memory. ${HOW_TO_ALLOW}`;
  if (needsApproval(policy, client, tool))
    return `Writes by "${clip(client)}" need the approval of the user in Obsidian, which does not have this vault open, or does not let AI apps connect. Nothing was written. Ask the user to open the vault there, then retry.`;
  return clientAccess(policy, client) === 'read'
    ? `"${clip(client)}" may only read this memory. ${HOW_TO_ALLOW}`
    : undefined;
}

const HOW_TO_ALLOW = 'The user can change this in Obsidian under Settings, Savepoint, AI apps.';
