import type { App } from 'obsidian';

/** Stores an agent's session of a conversation on this device, to resume it after a restart. */
export function saveSessionId(
  app: App,
  conversationId: string,
  agentId: string,
  sessionId: string,
): void {
  app.saveLocalStorage(sessionKey(conversationId), { agentId, sessionId });
}

/** Returns the agent's id of its last session in a conversation; undefined if there is none. */
export function loadSessionId(
  app: App,
  conversationId: string,
  agentId: string,
): string | undefined {
  const saved: unknown = app.loadLocalStorage(sessionKey(conversationId));
  if (typeof saved !== 'object' || saved === null) return undefined;
  if (!('sessionId' in saved) || !('agentId' in saved) || saved.agentId !== agentId)
    return undefined;
  return typeof saved.sessionId === 'string' ? saved.sessionId : undefined;
}

function sessionKey(conversationId: string): string {
  return `savepoint-agent-session-${conversationId}`;
}
