import { getLinkpath, type App } from 'obsidian';
import { useState } from 'preact/hooks';
import type { Attachment } from '../../../host/composer-drafts.js';
import { faultText } from '../../../host/logger.js';
import { text } from '../../../i18n/index.js';
import { requireImageModel, storeImage } from '../../images.js';
import type { ConversationHost } from '../host.js';
import { parseDroppedLinks } from './triggers.js';
import { joinNonEmpty, type DraftState } from './use-draft.js';

/** Attaches what is dropped on the composer or pasted into it. */
export interface Attaching {
  /** True while images are being stored; the message must wait for them. */
  readonly isAttaching: boolean;
  /** Attaches dragged images, or the files in dragged text; if there are none, adds its links. */
  readonly drop: (dragged: DataTransfer) => void;
  /** Attaches images, unless text was copied with them. */
  readonly onPaste: (event: ClipboardEvent) => void;
}

export function useAttaching(host: ConversationHost, drafting: DraftState): Attaching {
  const { chat, controller, savepoint, announce } = host;
  const { draft, attach, fail, setText } = drafting;
  const [isAttaching, setAttaching] = useState(false);

  async function addImages(files: FileList, prefix: string): Promise<void> {
    setAttaching(true);
    try {
      await requireImageModel(chat.models, controller.model.get() ?? chat.models.preferred());
      for (const file of [...files]) {
        const path = await storeImage(savepoint, file, prefix);
        attach([{ kind: 'note', path }]);
        announce(`${text.chat.data.image} ${path}`);
      }
    } catch (error) {
      fail(faultText(error));
    }
    setAttaching(false);
  }

  return {
    isAttaching,
    drop(dragged) {
      if (dragged.files.length > 0) return void addImages(dragged.files, '');
      const links = parseDroppedLinks(dragged.getData('text/plain'));
      const notes = links.flatMap((link) => findNote(savepoint.app, link));
      attach(notes);
      if (notes.length === 0 && links.length > 0)
        setText(joinNonEmpty(draft.text, links.join('\n')));
    },
    onPaste(event) {
      const { clipboardData } = event;
      if (!clipboardData?.files.length || clipboardData.types.includes('text/plain')) return;
      event.preventDefault();
      void addImages(clipboardData.files, 'Pasted ');
    },
  };
}

function findNote({ vault, metadataCache }: App, link: string): Attachment[] {
  const file =
    vault.getFileByPath(link) ??
    metadataCache.getFirstLinkpathDest(link, '') ??
    metadataCache.getFirstLinkpathDest(getLinkpath(link), ''); // to a heading or a block
  return file ? [{ kind: 'note', path: file.path }] : [];
}
