import { Refusal } from '../model/refusal.js';
import { errorCode } from './modules.js';

/** Returns true for the system's error for a path that does not exist. */
export function isMissing(error: unknown): boolean {
  return errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR';
}

/** Returns a handler that turns the absence of a file or folder into a value. */
export function ifMissing<T>(value: T): (error: unknown) => T {
  return (error) => {
    if (isMissing(error)) return value;
    throw error;
  };
}

/** Like `ifMissing`, but fails if what should be a folder on the way there is a file. */
export function ifNoEntry<T>(value: T): (error: unknown) => T {
  return (error) => {
    if (errorCode(error) === 'ENOENT') return value;
    throw error;
  };
}

/** Returns false instead of an error if a task would create a file that exists; else true. */
export async function isCreated(task: Promise<unknown>): Promise<boolean> {
  try {
    await task;
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

/** Returns a sentence about a file that cannot be read or written, with a space before it. */
export function fileAdvice(code: string): string {
  if (code === 'EISDIR') return ' It is a folder: move it away, then try again.';
  const isDenied = code === 'EACCES' || code === 'EPERM';
  return isDenied ? ' Let this user read and write it and its folder, then try again.' : '';
}

/** Turns an error of the system into a `Refusal` with the text that `text` makes of its code. */
export async function orRefuse<T>(
  task: () => Promise<T>,
  text: (code: string) => string,
): Promise<T> {
  try {
    return await task();
  } catch (error) {
    const code = errorCode(error);
    if (code === undefined) throw error;
    throw new Refusal(text(code), { cause: error });
  }
}
