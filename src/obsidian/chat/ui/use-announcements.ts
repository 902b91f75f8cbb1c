import { useEffect, useRef } from 'preact/hooks';
import { isJsonObject } from '../../../model/event.js';
import { textOfMessage, type Message, type ToolPart } from '../../../model/message.js';
import { actionText, callSentence, sentenceText, subjectOf } from '../../calls/call-sentence.js';
import { toolNamed, toolTitle } from '../../calls/labels.js';
import { text } from '../../i18n/index.js';
import type { Savepoint } from '../../savepoint.js';
import type { ConversationController } from '../conversation-controller.js';
import { errorForUsers } from '../../calls/user-texts.js';
import { useSelected } from '../../ui/use-store.js';

/** Announces finished answers and pending approvals, but not streamed words, to screen readers. */
export function useAnnouncements(
  controller: ConversationController,
  savepoint: Savepoint,
  announce: (message: string) => void,
): void {
  const phase = useSelected(controller.panel, (panel) => panel.phase);
  const asking = useSelected(controller.panel, () => askingText(controller, savepoint));
  const previousPhase = useRef(phase);
  useEffect(() => {
    const hasEnded = previousPhase.current !== 'idle' && phase === 'idle';
    previousPhase.current = phase;
    const last = hasEnded ? controller.path().at(-1) : undefined;
    if (last?.role === 'assistant') announce(last.error ?? endText(savepoint, last));
    else if (phase === 'waiting') announce('');
  }, [phase]);
  useEffect(() => {
    if (asking !== undefined) announce(asking);
  }, [asking]);
}

/** Returns what a conversation asks for approval; undefined if it does not. */
export function askingText(
  { panel }: ConversationController,
  savepoint: Savepoint,
): string | undefined {
  const call = panel.get().live?.calls.find(({ status }) => status === 'asking');
  if (!call) return undefined;
  const known = toolNamed(savepoint, call.tool);
  return text.chat.needsApproval(
    known ? actionText(toolTitle(known, call.params), subjectOf(call.params)) : call.tool,
  );
}

/** Returns what a finished message has brought: its words, or what its tool calls did. */
function endText(savepoint: Savepoint, message: Message): string {
  const words = textOfMessage(message);
  if (words !== '') return text.chat.finished(words);
  return message.parts
    .flatMap((part) => (part.type === 'tool' ? [callText(savepoint, part)] : []))
    .join(' ');
}

function callText(savepoint: Savepoint, { tool, params, status, answer }: ToolPart): string {
  const known = toolNamed(savepoint, tool);
  const sentence = callSentence(tool, subjectOf(params));
  if (status === 'done' && sentence) return `${sentenceText(sentence)}.`;
  const error = isJsonObject(answer) ? answer['error'] : undefined;
  const reason = typeof error === 'string' ? ` ${errorForUsers(savepoint, error)}` : '';
  const title = known ? toolTitle(known, params) : tool;
  return `${status === 'failed' ? text.calls.failed(title) : title}.${reason}`;
}
