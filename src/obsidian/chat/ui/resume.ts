import type { Named } from '../../../model/lookup.js';
import type { State } from '../../../model/state.js';
import { stateDataPart } from '../attachments.js';
import type { ChatService } from '../chat-service.js';
import type { ConversationController } from '../conversation-controller.js';

/** Starts a conversation in the state's workspace, with the state as its first message. The conversation that saved it does not change. */
export async function startFromState(
  chat: ChatService,
  state: Named<State>,
): Promise<ConversationController> {
  return chat.startWith([await stateDataPart(chat.savepoint, state)], state.item.workspaceId);
}
