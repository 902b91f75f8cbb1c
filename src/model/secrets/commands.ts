import type { AddSpan } from './span.js';
import { isSecretValue } from './values.js';

/**
 * Options of programs whose values are passwords, as a pattern for what precedes the value. The
 * value of `user` has a name before the password.
 */
const PROGRAMS: readonly (readonly [names: string, option: string, user?: string])[] = [
  [
    'mysql mysqldump mysqladmin mysqlimport mysqlshow mysqlcheck mysqlpump mariadb mariadb-dump mariadb-admin',
    '-p',
  ],
  ['sshpass', '-p ?'],
  ['docker podman nerdctl buildah skopeo helm oras oc cf az crane kubelogin', 'login .*?-p ?'],
  ['redis-cli', '-a '],
  ['mongo mongosh mongodump mongorestore mongoexport mongoimport cqlsh', '-p '],
  ['7z 7za 7zz rar unrar', '-h?p'],
  ['zip unzip', '-P ?'],
  ['ldapsearch ldapmodify ldapadd ldapdelete ldapwhoami ldappasswd', '-w '],
  ['sqlcmd bcp mosquitto_pub mosquitto_sub ipmitool isql osql', '-P ?'],
  ['xfreerdp xfreerdp3 wfreerdp cmdkey mstsc', '/p(?:ass)?:'],
  ['rdesktop psexec', '-p '],
  ['openssl', 'pass:|-k '],
  ['htpasswd', '-[a-zA-Z]*b[a-zA-Z]* (?:[^ -][^ ]* )?[^ -][^ ]* '],
  ['vault', 'login (?:-method=\\S+ )?(?=[^-])'],
  ['security', '-w '],
  ['net', '/user:\\S+ '],
  ['wpa_passphrase', '\\S+ '],
  ['influx', '-t '],
  ['restic borg', '--password '],
  [
    'curl http https xh lwp-request',
    '(?:-u|--user|-a|--auth|-U|--proxy-user)[ =]?',
    '[^\\s:\'"]*:',
  ],
  ['smbclient rpcclient winexe smbmap smbget net', '(?:-U|--user)[ =]?', '[^\\s%\'"]+%'],
  ['lftp', '-u ', '[^\\s,]+,'],
  ['sqlplus rman expdp impdp', '', '[\\w.]+/(?=\\S+@|\\S+$)'],
];

const OPTIONS = new Map<string, { readonly option: RegExp; readonly user: RegExp | undefined }[]>();
for (const [names, option, user] of PROGRAMS)
  for (const name of names.split(' ')) {
    const known = OPTIONS.get(name) ?? [];
    OPTIONS.set(name, [
      ...known,
      {
        option: new RegExp(`^[^]{0,120}? (?:${option})\\u0001*["']?`),
        user: user === undefined ? undefined : new RegExp(`^${user}`),
      },
    ]);
  }

const PROGRAM = new RegExp(
  `(?:^|[\\s\\u0001"'\`/(;&|$])(${[...OPTIONS.keys()].join('|')})(?:\\.exe)? `,
  'g',
);
const COMMAND_END = /[\n;&|]|$/g;
const VALUE = /(?:[^\s"'`\u0001;&|)]|[;&|)](?=[^\s;&|)"'`]))+/y;
/** Characters of a command in which its password is looked for. */
const MAX_COMMAND = 300;

/** Adds passwords in the options of known programs. */
export function findInCommands(text: string, add: AddSpan): void {
  PROGRAM.lastIndex = 0;
  let end = 0;
  for (let match = PROGRAM.exec(text); match; match = PROGRAM.exec(text)) {
    const from = PROGRAM.lastIndex - 1;
    PROGRAM.lastIndex = from;
    // a word of a command that was looked at already
    if (from < end) continue;
    end = from;
    const command = commandAt(text, from);
    for (const { option, user } of OPTIONS.get(match[1] ?? '') ?? []) {
      const found = option.exec(command);
      if (!found) continue;
      const [before] = found;
      const name = user?.exec(command.slice(before.length))?.[0];
      if (user && name === undefined) continue;
      const start = from + before.length + (name?.length ?? 0);
      const valueEnd = endOfValue(text, start, before.at(-1));
      const value = text.slice(start, valueEnd);
      if (valueEnd === start || !isSecretValue(value, 'password', 'assigned')) continue;
      add(start, valueEnd);
      end = PROGRAM.lastIndex = valueEnd;
    }
  }
  findPiped(text, add);
}

function commandAt(text: string, from: number): string {
  const part = text.slice(from, from + MAX_COMMAND);
  COMMAND_END.lastIndex = 0;
  return part.slice(0, COMMAND_END.exec(part)?.index);
}

function endOfValue(text: string, start: number, before: string | undefined): number {
  if (before === '"' || before === "'") {
    const closing = text.slice(start, start + MAX_COMMAND).search(new RegExp(`\\u0001*${before}`));
    if (closing >= 0) return start + closing;
  }
  VALUE.lastIndex = start;
  return VALUE.test(text) ? VALUE.lastIndex : start;
}

/** Passwords that are handed to a program by a pipe. */
const PIPED =
  /(?:echo|printf)(?: -[a-z]+)? \u0001*["']?((?:[^\s"'\u0001|:]{1,40}:)?)([^"'\n|\u0001]{4,100}?)\u0001*["']? ?\| ?(?:sudo (?!-S)|sudo(?= -S))?(?:chpasswd|passwd --stdin| -S|gh auth login|docker login|podman login|kinit|smbpasswd)/g;

function findPiped(text: string, add: AddSpan): void {
  for (const match of text.matchAll(PIPED)) {
    const [whole, , value = ''] = match;
    const start = match.index + whole.lastIndexOf(value, whole.lastIndexOf('|'));
    if (isSecretValue(value, 'password', 'quoted')) add(start, start + value.length);
  }
}
