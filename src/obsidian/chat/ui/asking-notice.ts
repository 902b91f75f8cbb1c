import { noticeWithButtons } from '../../actions.js';
import { text } from '../../i18n/index.js';
import type { ChatService } from '../chat-service.js';
import { askingText } from './use-announcements.js';

/** Shows the last request for approval in a notice until it is answered. */
export function tellAsking(
  { asking, conversations, savepoint }: ChatService,
  open: (id: string) => Promise<void>,
): void {
  const { controller } = asking.get() ?? {};
  const id = controller?.id.get();
  if (!controller || id === undefined) return;
  const message = askingText(controller, savepoint) ?? '';
  const title = conversations.get()?.find((each) => each.id === id)?.title ?? '';
  const run = () => open(id);
  const notice = noticeWithButtons(`${title}: ${message}`, [{ label: text.general.open, run }], 0);
  const stop = controller.panel.subscribe(() => {
    if (askingText(controller, savepoint) !== undefined) return;
    notice.hide();
    stop();
  });
}
