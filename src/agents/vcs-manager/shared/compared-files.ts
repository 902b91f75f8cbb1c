import { recordedDigest } from '../../../model/states/provenance.js';
import type { State } from '../../../model/state.js';
import type { TreeChangeKind } from '../../../platform/device-access.js';
import { sha256 } from '../../../platform/sha256.js';
import { compareFiles, type FileChange } from '../../shared/file-changes.js';
import type { FileAccess } from '../../shared/file-digests.js';

/** Result by content; `unknown` if there is no recorded content to compare. */
export type HashResult = TreeChangeKind | 'same' | 'unknown';

type RecordedState = Pick<State, 'activeFiles' | 'files'>;

export async function compareWithNow(
  access: FileAccess,
  state: State,
): Promise<Map<string, HashResult>> {
  const { changes } = await compareFiles(access, state);
  const changeOf = new Map(changes.map((change) => [change.path, change]));
  return resultsOf(state.activeFiles, (path) =>
    toResult(changeOf.get(path), recordedDigest(state.files, path)),
  );
}

function toResult(
  change: FileChange | undefined,
  recorded: ReturnType<typeof recordedDigest>,
): HashResult {
  if (recorded === undefined) return 'unknown'; // its time says less than a commit
  switch (change?.change) {
    case 'created':
      return 'added';
    case 'modified':
      return change.byTime ? 'unknown' : 'changed';
    case 'missing':
      return recorded === null ? 'same' : 'removed';
    case 'outside':
      return 'unknown';
    case undefined:
      return 'same';
  }
}

export function compareWithState(
  before: RecordedState,
  after: RecordedState,
): Map<string, HashResult> {
  return resultsOf([...before.activeFiles, ...after.activeFiles], (path) => {
    const old = recordedDigest(before.files, path);
    const current = recordedDigest(after.files, path);
    if (old === undefined || current === undefined) return 'unknown';
    return resultOf(old?.sha256, current?.sha256);
  });
}

/** Compares the active files of a state with their contents elsewhere, which `read` returns. */
export async function compareWithContents(
  state: RecordedState,
  read: (path: string) => Promise<Uint8Array | undefined>,
): Promise<Map<string, HashResult>> {
  const results = new Map<string, HashResult>();
  for (const path of new Set(state.activeFiles)) {
    const old = recordedDigest(state.files, path);
    if (old === undefined || old?.sampled) results.set(path, 'unknown');
    else {
      const bytes = await read(path);
      results.set(path, resultOf(old?.sha256, bytes && (await sha256(bytes))));
    }
  }
  return results;
}

function resultOf(before: string | undefined, after: string | undefined): HashResult {
  if (before === after) return 'same';
  if (before === undefined) return 'added';
  return after === undefined ? 'removed' : 'changed';
}

function resultsOf(
  paths: readonly string[],
  resultFor: (path: string) => HashResult,
): Map<string, HashResult> {
  return new Map([...new Set(paths)].map((path) => [path, resultFor(path)]));
}
