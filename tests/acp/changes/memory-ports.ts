import { createHash } from 'node:crypto';
import { isWithin } from '../../../src/model/paths.js';
import type {
  ChatAgentChange,
  ChangeStore,
  TrackedFiles,
} from '../../../src/acp/changes/change-tracker.js';

/** A vault in memory. Files whose paths begin with a slash are outside of it. */
export function createFiles(files: Map<string, string>): TrackedFiles {
  return {
    list(folder) {
      const inside = [...files].filter(([path]) => !path.startsWith('/') && isWithin(path, folder));
      return Promise.resolve(
        inside.map(([path, text]) => ({ path, stamp: `${text.length}:${text}` })),
      );
    },
    read: (path) => Promise.resolve(files.get(path)),
    ownWrites: (path) => (path === 'log.jsonl' ? appendedTo : undefined),
    edit(path, change) {
      const text = change(files.get(path));
      if (text === undefined) files.delete(path);
      else files.set(path, text);
      return Promise.resolve();
    },
  };
}

/** Appends the lines that are new in `after` if it begins with all lines of `before`. */
function appendedTo(before: string | undefined, after: string | undefined): string | undefined {
  return before === undefined || after?.startsWith(before) ? after : before;
}

export function createStore(): ChangeStore & { readonly texts: Map<string, string> } {
  const texts = new Map<string, string>();
  const changes = new Map<string, readonly ChatAgentChange[]>();
  return {
    texts,
    put(text) {
      const hash = createHash('sha256').update(text).digest('hex');
      texts.set(hash, text);
      return Promise.resolve(hash);
    },
    get: (hash) => Promise.resolve(texts.get(hash)),
    saveChanges(id, list) {
      changes.set(id, list);
      return Promise.resolve();
    },
    loadChanges: (id) => Promise.resolve(changes.get(id) ?? []),
  };
}
