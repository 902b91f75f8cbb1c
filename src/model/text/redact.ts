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
