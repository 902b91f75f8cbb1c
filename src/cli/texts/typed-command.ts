import { optionOf } from '../../node/client-setup/entries.js';
import { COMMAND_VARIABLE } from '../../node/install/shell-command.js';
import { shellQuoted } from '../../node/shell-quoted.js';
import type { ProgramHost } from '../program.js';

/** A command in a message, such as `savepoint links`. */
const COMMAND =
  /\bsavepoint (?=(?:install|connect|doctor|links?|call|search|brief|restore|forget|tools|verify|devices|export|import|help|mcp|un(?:install|link))\b|COMMAND\b)/g;

/** Name of the file that npm starts for `savepoint`: a link, on Windows the file itself. */
const NPM_COMMAND = /^savepoint(?:\.cjs)?$/;

/** A command in quotation marks that works on a vault and does not say on which one. */
const IN_VAULT =
  /"savepoint (?:connect|call|search|brief|restore|forget|verify|devices)\b(?:(?! --vault)[^"])*(?: --vault DIR)?"/g;

/** A command in quotation marks, in which a path may have quotation marks of its own. */
const QUOTED = /"(savepoint(?= \w)(?: "[^"\n]*"|[^"\n])+)"/g;

/**
 * Makes the commands in a message work as typed here: by the name of the program if started so,
 * otherwise by its path, and for the named vault. Uses backticks, because quotation marks around
 * those of a path hide the end of a command.
 */
export function asTyped(
  { node: { path }, script, args, env }: Pick<ProgramHost, 'node' | 'script' | 'args' | 'env'>,
  text: string,
): string {
  const vault = optionOf(args, 'vault');
  const placed =
    vault === undefined
      ? text
      : text.replace(IN_VAULT, (command) => {
          const start = command.replace(/(?: --vault DIR)?"$/, '');
          return `${start} --vault ${shellQuoted(vault)}"`;
        });
  const marked = placed.replace(QUOTED, '`$1`');
  if (env[COMMAND_VARIABLE] !== undefined || NPM_COMMAND.test(path.basename(script))) return marked;
  const inner = path.relative(path.resolve(), script);
  const isInner = !inner.startsWith('..') && !path.isAbsolute(inner);
  return marked.replace(COMMAND, () => `node ${shellQuoted(isInner ? inner : script)} `);
}
