import type { Blobs } from '../../platform/blobs.js';
import { utf8Text } from '../../platform/bytes/bytes.js';
import type { Clock } from '../../platform/clock.js';

export type SentTexts = ReturnType<typeof createSentTexts>;

const MAX_BYTES = 20 * 1024 * 1024;

/** Texts of open notes as they were sent: `sent.<time>.<conversation>.<hash>.<bytes>`. */
export function createSentTexts(blobs: Blobs, clock: Pick<Clock, 'now'>) {
  const find = async (part = '') =>
    (await blobs.names()).filter((name) => name.startsWith('sent.') && name.includes(part));
  return {
    /** Returns a conversation's texts by hash. */
    async load(conversationId: string): Promise<Map<string, string>> {
      const texts = new Map<string, string>();
      for (const name of await find(`.${conversationId}.`)) {
        const bytes = await blobs.load(name);
        if (bytes) texts.set(name.split('.')[3]!, utf8Text(bytes) ?? '');
      }
      return texts;
    },
    /** Removes the oldest texts if all have more than `MAX_BYTES`. */
    async save(conversationId: string, hash: string, text: string): Promise<void> {
      const key = `.${conversationId}.${hash}.`;
      const newestFirst = (await find()).sort().reverse();
      if (newestFirst.some((name) => name.includes(key))) return;
      const bytes = new TextEncoder().encode(text);
      let left = MAX_BYTES - bytes.length;
      const obsolete = newestFirst.filter((name) => (left -= Number(name.split('.')[4])) < 0);
      await blobs.save([{ name: `sent.${clock.now()}${key}${bytes.length}`, bytes }], obsolete);
    },
    async remove(isRemoved: (conversationId: string) => boolean): Promise<void> {
      const obsolete = (await find()).filter((name) => isRemoved(name.split('.')[2]!));
      await blobs.save([], obsolete);
    },
  };
}
