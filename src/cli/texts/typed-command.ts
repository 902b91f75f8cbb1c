import { shellQuoted } from '../../node/shell-quoted.js';
import type { ProgramHost } from '../program.js';

/** A command in a message, such as `savepoint links`. */
const COMMAND =
  /\bsavepoint (?=(?:install|connect|doctor|links?|call|search|brief|restore|tools|verify|export|import|help|mcp|un(?:install|link))\b|COMMAND\b)/g;

/**
 * Returns a message whose commands can be typed as they are, in the current folder: by the name of
 * the program if it was started by that, otherwise by the path of main.js.
 */
export function asTyped(
  { node: { path }, script }: Pick<ProgramHost, 'node' | 'script'>,
  text: string,
): string {
  if (path.basename(script, '.js') === 'savepoint') return text;
  const inner = path.relative(path.resolve(), script);
  const isInner = !inner.startsWith('..') && !path.isAbsolute(inner);
  return text.replace(COMMAND, () => `node ${shellQuoted(isInner ? inner : script)} `);
}
