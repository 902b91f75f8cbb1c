import { formatCheckpointSource } from '../../../chat/data-source.js';
import { workspaceById, type Named } from '../../../model/lookup.js';
import type { State } from '../../../model/state.js';
import { checkpointText } from '../../../model/text/checkpoint.js';
import { capturedApp, type CapturedTrace } from '../../checkpoints/captured-trace.js';
import { stateDataPart } from '../attachments.js';
import type { ChatService } from '../chat-service.js';
import type { ConversationController } from '../conversation-controller.js';
import { localDay } from '../../../model/text/local-minute.js';

/** Starts a conversation in the state's workspace, with the state as its first message. */
export async function startFromState(
  chat: ChatService,
  state: Named<State>,
): Promise<ConversationController> {
  return chat.startWith([await stateDataPart(chat.savepoint, state)], state.item.workspaceId);
}

/** Like `startFromState`, for a checkpoint. */
export async function startFromCheckpoint(
  chat: ChatService,
  trace: CapturedTrace,
  title: string,
): Promise<ConversationController> {
  const { workspaceId, checkpoint, createdAt } = trace;
  const source = formatCheckpointSource({
    title,
    app: capturedApp(trace),
    workspace: workspaceById(chat.savepoint.memory.get(), workspaceId).name,
    day: localDay(createdAt),
  });
  return chat.startWith([{ type: 'data', source, text: checkpointText(checkpoint) }], workspaceId);
}
