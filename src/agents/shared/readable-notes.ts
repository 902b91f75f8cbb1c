import { isHidden, isWithin, type VaultPath } from '../../model/paths.js';
import { clip, Refusal } from '../../model/refusal.js';
import { isNote, type NoteFile } from '../../indexing/notes/note-source.js';
import { resolveVaultPath } from '../../platform/safe-file-names.js';
import { createLinkTargets } from '../../search/index.js';
import type { Fail, Failures } from '../../toolkit/define-tool.js';
import type { Services } from '../services.js';

const READ_BATCH_SIZE = 16;

export const pathFailures = {
  pathInvalid: {
    error: 'path "{path}" {problem}.',
    advice: 'Pass a file in the vault, such as "Projects/Plan.md".',
  },
  excluded: {
    error: '"{path}" is in an excluded folder, which Savepoint does not read.',
    advice: 'Choose a file in another folder.',
  },
} as const satisfies Failures;

/** Returns a check for vault paths that agents may see: neither hidden nor excluded by the user. */
export async function createPathFilter({
  search,
}: Pick<Services, 'search'>): Promise<(path: VaultPath) => boolean> {
  const skipped = await search.access.skippedFolders();
  return (path) => !isHidden(path) && !skipped.some((folder) => isWithin(path, folder));
}

/** Returns a path as spelled on disk. Fails the call if agents may not see it. */
export async function resolveReadablePath(
  services: Pick<Services, 'files' | 'search'>,
  typed: string,
  fail: Fail<typeof pathFailures>,
): Promise<VaultPath> {
  const read = await resolveVaultPath(services.files, typed);
  if ('problem' in read) return fail('pathInvalid', { path: clip(typed), problem: read.problem });
  const isReadable = await createPathFilter(services);
  return isReadable(read.path) ? read.path : fail('excluded', { path: clip(read.path) });
}

interface NoteText {
  readonly path: VaultPath;
  /** With a slash at the end; empty for the vault itself. */
  readonly folder: VaultPath;
  readonly text: string;
}

/** Reads the vault for a call that looks at all of it. Each list is read once. */
export function openVaultNotes(services: Pick<Services, 'search'>, signal?: AbortSignal) {
  const { source, scheduler, maxNoteBytes } = services.search.access;
  /** Yields to other tasks if that is due. Throws a `Refusal` if the call was cancelled. */
  const checkpoint = async () => {
    await scheduler.yieldIfDue();
    if (signal?.aborted) throw new Refusal('The call was cancelled. Nothing was changed.');
  };
  const listing = once(() => source.list(() => false));
  return {
    checkpoint,
    /** All paths, even in excluded folders, because links to them are not broken. */
    files: async () => (await listing()).files,
    targets: once(async () => {
      const targets = createLinkTargets();
      for (const file of (await listing()).files) {
        targets.add(file);
        await checkpoint();
      }
      return targets;
    }),
    /** The notes except excluded ones and those too large to be indexed. */
    notes: once(async () => {
      const isReadable = await createPathFilter(services);
      return (await listing()).notes.filter(
        ({ path, size }) => isNote(path) && isReadable(path) && size <= maxNoteBytes,
      );
    }),
    /** Yields the texts of notes; an empty one if a note was deleted meanwhile. */
    async *texts(notes: readonly NoteFile[]): AsyncGenerator<NoteText> {
      for (let from = 0; from < notes.length; from += READ_BATCH_SIZE) {
        const batch = notes.slice(from, from + READ_BATCH_SIZE);
        const texts = await Promise.all(batch.map(({ path }) => source.read(path)));
        for (const [at, { path }] of batch.entries()) {
          await checkpoint();
          const folder = path.slice(0, path.lastIndexOf('/') + 1);
          yield { path, folder, text: texts[at] ?? '' };
        }
      }
    },
  };
}

export function once<T>(task: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  return () => (result ??= task());
}
