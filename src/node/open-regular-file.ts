import type { OpenFile } from '../platform/device-access.js';
import type { NodeModules } from './modules.js';
import { isMissing } from './system-errors.js';

/**
 * Opens a file for reading; undefined if it is missing. Never waits for the other end of a pipe.
 * Throws other errors of the system. Uses callbacks, because the handles of `node:fs/promises` take
 * a third longer, and a state's files are read while its caller waits.
 */
export async function openRegularFile(
  { callbackFs }: NodeModules,
  file: string,
): Promise<OpenFile | undefined> {
  const { open, read, fstat, close, constants } = callbackFs;
  const flags = constants.O_RDONLY | constants.O_NONBLOCK;
  try {
    const descriptor = await settled<number>((done) => open(file, flags, done));
    return {
      async read(from, length) {
        const bytes = new Uint8Array(length);
        // A file is read up to its end in one call; a pipe, which has no offsets, is refused.
        const count = await settled<number>((done) =>
          read(descriptor, bytes, 0, length, from, done),
        );
        return bytes.subarray(0, count);
      },
      async size() {
        const info = await settled<Stats>((done) => fstat(descriptor, done));
        return info.isFile() ? info.size : undefined;
      },
      // Nothing was written, so nothing can be lost.
      close: () => close(descriptor, () => undefined),
    };
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

export type Stats = import('node:fs').Stats;

/** Converts an operation with a callback into a promise. */
export function settled<T>(
  start: (done: (error: Error | null, value: T) => void) => void,
): Promise<T> {
  return new Promise((resolve, reject) => {
    start((error, value) => (error ? reject(error) : resolve(value)));
  });
}
