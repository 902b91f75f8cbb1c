import { noticeWithButtons } from '../../actions.js';
import { text } from '../../i18n/index.js';
import type { ChatService } from '../chat-service.js';
import type { ConversationController } from '../conversation-controller.js';
import { askingText } from './use-announcements.js';

/** Functions that hide the notices of conversations that ask. */
const told = new WeakMap<ConversationController, () => void>();

/** Shows the last request for approval in a notice until it is answered or its chat is shown. */
export function tellAsking(
  { asking, conversations, savepoint }: ChatService,
  isShown: (id: string) => boolean,
  open: (id: string) => Promise<void>,
): void {
  const { controller } = asking.get() ?? {};
  const id = controller?.id.get();
  if (!controller || id === undefined) return;
  const message = askingText(controller, savepoint);
  if (message === undefined || isShown(id)) return told.get(controller)?.();
  if (told.has(controller)) return;
  const title = conversations.get()?.find((each) => each.id === id)?.title ?? '';
  const run = () => open(id);
  const notice = noticeWithButtons(`${title}: ${message}`, [{ label: text.general.open, run }], 0);
  const hide = () => {
    notice.hide();
    told.delete(controller);
    stop();
  };
  const stop = controller.panel.subscribe(() => {
    if (askingText(controller, savepoint) === undefined) hide();
  });
  told.set(controller, hide);
}
