import type { Named } from '../../../model/lookup.js';
import type { State } from '../../../model/state.js';
import { stateData } from '../attachments.js';
import type { Chat } from '../chat-service.js';
import type { Talk } from '../talk.js';

/** A new conversation in the state's workspace that begins with the state, as data; the one that it was saved in stays as it was. */
export function resumeIn(chat: Chat, state: Named<State>): Promise<Talk> {
  return chat.startWith([stateData(chat.savepoint, state)], state.item.workspaceId);
}
