import { Notice } from 'obsidian';
import type { Trace } from '../../model/trace.js';
import type { Clock } from '../../platform/clock.js';
import type { Tool } from '../../toolkit/define-tool.js';
import type { Settings } from '../settings-schema.js';
import { text } from '../i18n/index.js';
import { actionText, subjectIn } from '../calls/call-sentence.js';
import { clientName } from './approvals/approval-texts.js';

export type ClientNotices = ReturnType<typeof createClientNotices>;

/** Display time of a notice after its last call, in milliseconds. */
const DISPLAY_MS = 6000;

interface Shown {
  readonly notice: Notice;
  readonly calls: number;
  readonly cancel: () => void;
}

/** Shows one notice per client and updates it, so that a busy client does not fill the screen. */
export function createClientNotices(clock: Clock, wanted: () => Settings['clientNotices']) {
  const shown = new Map<string, Shown>();

  function hide(name: string): void {
    shown.get(name)?.cancel();
    shown.get(name)?.notice.hide();
    shown.delete(name);
  }

  return {
    tell(
      { client = '', input, isSuccess }: Pick<Trace, 'client' | 'input' | 'isSuccess'>,
      { title, access }: Pick<Tool<never>, 'title' | 'access'>,
    ): void {
      const mode = wanted();
      const isWrite = access !== 'read';
      if (mode === 'off' || (mode === 'writes' && !(isWrite && isSuccess))) return;
      const { did, failed, earlier } = text.connections.notices;
      const name = clientName(client);
      const held = shown.get(name);
      held?.cancel();
      const isThere = held?.notice.containerEl.isConnected === true;
      const calls = isThere ? held.calls + 1 : 1;
      const notice = isThere ? held.notice : new Notice('', 0);
      const action = (isSuccess ? did : failed)(name, actionText(title, subjectIn(input)));
      notice.setMessage(calls === 1 ? action : `${action} ${earlier(calls - 1)}`);
      notice.messageEl.setAttr('dir', 'auto');
      shown.set(name, { notice, calls, cancel: clock.after(DISPLAY_MS, () => hide(name)) });
    },
    /** Hides all notices. */
    close(): void {
      for (const name of [...shown.keys()]) hide(name);
    },
  };
}
