import { useEffect, useRef } from 'preact/hooks';
import { textOfMessage } from '../../../model/message.js';
import { allTools } from '../../../toolkit/toolset.js';
import { text } from '../../i18n/index.js';
import type { Savepoint } from '../../savepoint.js';
import type { ConversationController } from '../conversation-controller.js';
import { useSelected } from './hooks.js';

/** Announces finished answers and pending approvals to screen readers, but not each streamed word. */
export function useAnnouncements(
  controller: ConversationController,
  savepoint: Savepoint,
  announce: (message: string) => void,
): void {
  const phase = useSelected(controller.panel, (panel) => panel.phase);
  const askingTool = useSelected(
    controller.panel,
    (panel) => panel.live?.calls.find(({ status }) => status === 'asking')?.tool,
  );
  const previousPhase = useRef(phase);
  useEffect(() => {
    const hasEnded = previousPhase.current !== 'idle' && phase === 'idle';
    previousPhase.current = phase;
    const last = hasEnded ? controller.path().at(-1) : undefined;
    if (last?.role === 'assistant') announce(last.error ?? text.chat.finished(textOfMessage(last)));
    else if (phase === 'waiting') announce('');
  }, [phase]);
  useEffect(() => {
    if (askingTool === undefined) return;
    const known = allTools(savepoint.toolset).find(({ tool }) => tool.name === askingTool);
    announce(text.chat.needsApproval(known?.tool.title ?? askingTool));
  }, [askingTool]);
}
