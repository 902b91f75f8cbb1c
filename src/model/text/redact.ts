import type { Json } from '../event.js';
import { findSecrets } from '../secrets/find-secrets.js';

/** Replaces everything that looks like a secret with `[secret]`. JSON stays JSON. */
export function redact(text: string): string {
  let rest = '';
  let at = 0;
  for (const { start, end, quote } of findSecrets(text)) {
    rest += `${text.slice(at, start)}${quote}[secret]${quote}`;
    at = end;
  }
  return at === 0 ? text : rest + text.slice(at);
}

/** Returns the value without what looks like a secret, of the same shape. */
export function redactJson<T extends Json>(value: T): T {
  const text = JSON.stringify(value);
  const safe = redact(text);
  return safe === text ? value : (JSON.parse(safe) as T);
}

/** True if something in a text looks like a secret. */
export function hasSecret(text: string): boolean {
  return findSecrets(text).length > 0;
}

/**
 * Returns a function that redacts paths in these vault folders, each up to the next quote or the
 * end of the line.
 */
export function createFolderRedactor(folders: readonly string[]): (text: string) => string {
  if (folders.length === 0) return (text) => text;
  const names = folders.map((folder) => folder.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  // No lookbehind: the web view of older phones does not support it.
  const paths = new RegExp(
    `(^|[^\\p{L}\\p{N}_-])(?:${names.join('|')})(?:/[^"\\n]*|(?=["\\n]|$))`,
    'giu',
  );
  return (text) => text.replace(paths, '$1[excluded]');
}
