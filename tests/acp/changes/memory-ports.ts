import { createHash } from 'node:crypto';
import { isWithin } from '../../../src/model/paths.js';
import { isEqualBytes, utf8Text } from '../../../src/platform/bytes/bytes.js';
import type { ChatAgentChange, ChangeStore } from '../../../src/acp/changes/change-tracker.js';
import type { TrackedFiles } from '../../../src/acp/changes/tracked-files.js';

/** Characters of a file of which no copy is kept. */
const LARGE = 10_000;

/**
 * A vault in memory, with files as texts or bytes. Files whose paths begin with a slash are outside
 * of it.
 */
export function createFiles(files: Map<string, string | Uint8Array>): TrackedFiles {
  const isTracked = (path: string) => !path.startsWith('/');
  return {
    list(folder) {
      const inside = [...files].filter(([path]) => isTracked(path) && isWithin(path, folder));
      return Promise.resolve(
        inside.map(([path, text]) => ({ path, stamp: `${text.length}:${String(text)}` })),
      );
    },
    isTracked,
    read(path) {
      const content = files.get(path);
      if (content === undefined) return Promise.resolve(undefined);
      const bytes = typeof content === 'string' ? Buffer.from(content) : content;
      return Promise.resolve(bytes.length > LARGE ? { version: hashOf(bytes) } : bytes);
    },
    ownWrites: (path) => (path === 'log.jsonl' ? appendedTo : undefined),
    replace(path, _, changed) {
      if (!changed) files.delete(path);
      else files.set(path, utf8Text(changed) ?? changed);
      return Promise.resolve(true);
    },
  };
}

/** Appends the lines that are new in `after` if it begins with all lines of `before`. */
function appendedTo(
  before: Uint8Array | undefined,
  after: Uint8Array | undefined,
): Uint8Array | undefined {
  const isAppended = before && after && isEqualBytes(after.subarray(0, before.length), before);
  return !before || isAppended ? after : before;
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

export function createStore(): ChangeStore & { readonly contents: Map<string, Uint8Array> } {
  const contents = new Map<string, Uint8Array>();
  const changes = new Map<string, readonly ChatAgentChange[]>();
  return {
    contents,
    put(content) {
      const hash = hashOf(content);
      contents.set(hash, content);
      return Promise.resolve(hash);
    },
    get: (hash) => Promise.resolve(contents.get(hash)),
    saveChanges(id, list) {
      changes.set(id, list);
      return Promise.resolve();
    },
    loadChanges: (id) => Promise.resolve(changes.get(id) ?? []),
  };
}
