import { optionOf } from '../../node/client-setup/entries.js';
import { COMMAND_VARIABLE } from '../../node/install/shell-command.js';
import { shellQuoted } from '../../node/shell-quoted.js';
import type { Answer } from '../../toolkit/answer.js';
import type { ProgramHost } from '../program.js';

/** A command in a message, such as `savepoint links`. */
const COMMAND =
  /\bsavepoint (?=(?:install|connect|doctor|links?|call|search|brief|restore|forget|tools|verify|devices|export|import|help|mcp|un(?:install|link))\b|COMMAND\b)/g;

/** Name of the file that npm starts for `savepoint`: a link, on Windows the file itself. */
const NPM_COMMAND = /^savepoint(?:\.cjs)?$/;

/** A command in quotation marks that works on a vault and does not say on which one. */
const IN_VAULT =
  /"savepoint (?:connect|call|search|brief|restore|forget|verify|devices)\b(?: "[^"\n]*"|(?! --vault)[^"])*(?: --vault DIR)?"/g;

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
  if (env[COMMAND_VARIABLE] !== undefined || isNpmCommand(path, script, env)) return marked;
  const inner = path.relative(path.resolve(), script);
  const isInner = !inner.startsWith('..') && !path.isAbsolute(inner);
  return marked.replace(COMMAND, () => `node ${shellQuoted(isInner ? inner : script)} `);
}

const TEXT_FIELDS = ['error', 'notice'];

/** Makes the commands in an answer work as typed: its reader passes them on to a user. */
export function answerAsTyped(program: Parameters<typeof asTyped>[0], answer: Answer): Answer {
  const fields = Object.entries(answer).map(([name, value]: [string, unknown]) => [
    name,
    typeof value === 'string' && TEXT_FIELDS.includes(name) ? asTyped(program, value) : value,
  ]);
  return Object.fromEntries(fields) as Answer;
}

/** Returns true if npm made the script a command that the user can type, unlike `npx`. */
function isNpmCommand(
  path: ProgramHost['node']['path'],
  script: string,
  env: ProgramHost['env'],
): boolean {
  if (!NPM_COMMAND.test(path.basename(script)) || env['npm_command'] !== undefined) return false;
  const folders = (env['PATH'] ?? env['Path'] ?? '').split(path.delimiter);
  // npm's command is a link; on Windows a file next to the folder of packages
  const places = [path.dirname(script), path.resolve(script, '../../../..')];
  return folders.some((folder) => folder !== '' && places.includes(path.resolve(folder)));
}
