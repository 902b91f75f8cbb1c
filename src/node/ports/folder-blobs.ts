import { clip } from '../../model/refusal.js';
import type { Blobs } from '../../platform/blobs.js';
import type { NodeModules } from '../modules.js';
import { createDraftFolder } from './draft-folder.js';
import { ifNoEntry, orRefuse } from '../system-errors.js';

/** Implements Blobs in a folder, one file per record, written as a draft and renamed into place. */
export function createFolderBlobs(node: NodeModules, folder: string): Blobs {
  const { fs, path } = node;
  const drafts = createDraftFolder(node, folder);

  const attempt = <T>(verb: string, task: () => Promise<T>): Promise<T> =>
    orRefuse(
      task,
      (code) =>
        `Cannot ${verb} the search index in "${clip(folder, 300)}" (${code}). Free some space or fix its permissions.`,
    );

  return {
    names: () => attempt('read', () => drafts.names()),
    load: (name) =>
      attempt('read', async () => {
        const bytes = await fs.readFile(path.join(folder, name)).catch(ifNoEntry(undefined));
        if (!bytes) return undefined;
        return bytes.byteOffset % 8 === 0 && bytes.buffer instanceof ArrayBuffer
          ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length)
          : Uint8Array.from(bytes);
      }),
    save: (blobs, obsolete = []) => {
      // the caller may change its own in the meantime
      const copies = blobs.map(({ name, bytes }) => ({ name, bytes: bytes.slice() }));
      return attempt('save', async () => {
        if (copies.length > 0) await fs.mkdir(folder, { recursive: true, mode: 0o700 });
        for (const { name, bytes } of copies) await drafts.write(name, bytes);
        for (const name of obsolete) await fs.rm(path.join(folder, name), { force: true });
      });
    },
  };
}
