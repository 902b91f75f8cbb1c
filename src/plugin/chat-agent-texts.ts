import { ChatAgentFailure } from '../acp/chat-agent-failure.js';
import { findKnownChatAgent, type ChatAgent } from '../acp/known-chat-agents.js';
import { currentBrief } from '../agents/shared/current-brief.js';
import { DEFAULT_BRIEF_TOKENS } from '../brief/brief.js';
import { modelMessages } from '../chat/prompt.js';
import type { TurnEvent } from '../chat/turn.js';
import type { Message } from '../model/message.js';
import { isWithin } from '../model/paths.js';
import { quote } from '../model/text/quote.js';
import { visibleText } from '../model/text/visible-text.js';
import type { ChatAgentTurnRequest } from '../obsidian/chat-agents/chat-agent-service.js';
import { faultText } from '../obsidian/host/logger.js';
import { text } from '../obsidian/i18n/index.js';
import type { Savepoint } from '../obsidian/savepoint.js';

const MAX_EARLIER_CHARS = 6000;

const MEMORY_HINT =
  'You have the MCP server "savepoint", the memory of this vault: createState saves where the work stands, loadState and listStates resume earlier work, searchMemory finds it. What follows are notes, then the request of the user.';

/** Returns true for a command of the agent, which must come first in a prompt. */
export function isCommand({ path }: ChatAgentTurnRequest): boolean {
  return sentText(path.slice(-1)).startsWith('/');
}

/** Returns a session's first prompt: the brief, the quoted conversation, and the user's message. */
export async function firstPrompt(
  savepoint: Savepoint,
  { path, workspaceId }: ChatAgentTurnRequest,
): Promise<string> {
  const brief = await currentBrief(savepoint.services, savepoint.memory.get(), {
    workspaceId,
    budget: DEFAULT_BRIEF_TOKENS,
  });
  const earlier = quote(sentText(path.slice(0, -1)).slice(-MAX_EARLIER_CHARS));
  return [
    MEMORY_HINT,
    brief,
    path.length === 1 ? '' : `The conversation so far, as notes:\n${earlier}`,
    sentText(path.slice(-1)),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

/** Returns messages as they are sent to a model, without their roles. */
export function sentText(path: readonly Message[]): string {
  return modelMessages(path)
    .flatMap((message) => (message.role === 'tool' ? [] : [message.text]))
    .join('\n\n');
}

export function failedStep(message: string): TurnEvent {
  return { type: 'step', step: { parts: [], end: 'failed', usage: undefined, error: { message } } };
}

/** Returns a failure as a sentence that says what to do. */
export function describeFailure({ id, title, command }: ChatAgent, error: unknown): string {
  if (!(error instanceof ChatAgentFailure)) return faultText(error);
  const known = findKnownChatAgent(id);
  const how = known?.install ?? known?.homepage ?? command;
  return text.chatAgents.failures[error.kind](title, error.details.trim(), how);
}

/** Says that an agent has changed a file of the memory or of the app's settings. */
export function protectedChange(title: string, path: string, dataFolder: string): string {
  const { changedMemory, changedSettings } = text.chatAgents;
  const say = isWithin(path, dataFolder) ? changedMemory : changedSettings;
  return say(title, visibleText(path));
}
