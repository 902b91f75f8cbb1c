import { matchesOf, type AddSpan } from './characters.js';
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
  [
    'docker podman nerdctl buildah skopeo helm oras oc cf az crane kubelogin',
    'login(?: .*?)? -p ?',
  ],
  ['redis-cli', '-a '],
  ['mongo mongosh mongodump mongorestore mongoexport mongoimport cqlsh', '-p '],
  ['7z 7za 7zz rar unrar', '-h?p'],
  ['zip unzip', '-P ?'],
  ['ldapsearch ldapmodify ldapadd ldapdelete ldapwhoami ldappasswd', '-w '],
  ['sqlcmd bcp mosquitto_pub mosquitto_sub ipmitool isql osql', '-P ?'],
  ['xfreerdp xfreerdp3 wfreerdp cmdkey mstsc', '/p(?:ass)?:'],
  ['rdesktop psexec psexec64', '-p '],
  ['schtasks runas', '/r?p '],
  ['openssl', '\\ue000*["\']?pass:|-k '],
  ['ssh-keygen', '-N ?'],
  ['ssh-keygen', '-P ?'],
  ['nmcli', '(?:password|\\S*psk) '],
  ['htpasswd', '-[a-zA-Z]*b[a-zA-Z]* (?:[^ -][^ ]* )?[^ -][^ ]* '],
  ['vault', 'login (?:-method=\\S+ )?(?=[^-])'],
  ['security', '-w '],
  ['net', 'use .*?/user:\\S+ (?=[^/\\s])|user \\w[\\w.-]* (?=[^/])'],
  ['net', 'use (?:\\S{1,2} )?\\\\\\S+ (?=[^/\\s])'],
  ['ConvertTo-SecureString', '(?:-String )?(?=\\ue000*["\'][^-])'],
  ['wpa_passphrase', '\\S+ '],
  ['influx', '-t '],
  ['restic borg', '--password '],
  ['gh glab', '(?:secret|variable) set .*?(?:--body|--value|-b|-v)[ =]?'],
  ['aws az', '(?:secret|ssm|keyvault)\\S* .*?(?:--secret-string|--value)[ =]'],
  [
    'kubectl oc',
    'create secret .*?--from-literal[ =](?!["\']?(?:\\w*user|login|host|port|url|email)\\w*=)',
    '[\\w.-]+=',
  ],
  ['fly flyctl supabase heroku doppler', '(?:secrets |config:)set ', '\\w+[= ]'],
  ['wrangler', 'secret put .*?<<< ?'],
  [
    'curl http https xh lwp-request',
    '(?:-u|--user|-a|--auth|-U|--proxy-user)[ =]?',
    '[^\\s:\'"]*:',
  ],
  ['curl wget', '(?:-b|--cookie) ', '[\\w.-]+='],
  ['smbclient rpcclient winexe smbmap smbget net', '(?:-U|--user)[ =]?', '[^\\s%\'"]+%'],
  ['lftp', '-u ', '[^\\s,]+,'],
  ['sqlplus rman expdp impdp', '', '[\\w.]+/(?=\\S+@|\\S+$)'],
];

interface Command {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

const OPTIONS = new Map<string, { readonly option: RegExp; readonly user: RegExp | undefined }[]>();
for (const [names, option, user] of PROGRAMS)
  for (const name of names.split(' ')) {
    const known = OPTIONS.get(name) ?? [];
    OPTIONS.set(name, [
      ...known,
      {
        option: new RegExp(`^[^]{0,120}? (?:${option})\\ue000*["']?`),
        user: user === undefined ? undefined : new RegExp(`^${user}`),
      },
    ]);
  }

const PROGRAM = new RegExp(
  `(?:^|[\\s+:=>\\ue000"'\`/(;&|$])(${[...OPTIONS.keys()].join('|')})(?:\\.exe)?(?= )`,
  'g',
);
/** The `\\n` of a shared folder's name is no end. */
const COMMAND_END = /(?:^|[^\ue000])\ue000?\n|[;&|]|$/g;
const VALUE = /(?:[^\s"'`\ue000;&|)]|[;&|)](?=[^\s;&|)"'`]))+/y;
/** Programs of Windows, in whose commands a backslash separates names and escapes nothing. */
const ON_WINDOWS = /^(?:net|cmdkey|mstsc|psexec|psexec64|schtasks|runas)$/;
const ESCAPE = /(\ue000{1,8})\s(?=[\w.])/g;
/** Characters of a command in which its password is looked for. */
const MAX_COMMAND = 300;

/** Adds passwords in the options of known programs. */
export function findInCommands(text: string, add: AddSpan): void {
  let name: string | undefined;
  let from = 0;
  // a command ends at the next program, so that each part is looked at once
  for (const match of matchesOf(PROGRAM, text)) {
    if (name !== undefined) findInCommand(text, { name, from, to: match.index }, add);
    name = match[1];
    from = match.index + match[0].length;
  }
  if (name !== undefined) findInCommand(text, { name, from, to: text.length }, add);
  findPiped(text, add);
  for (const { 0: whole, 1: value = '', index } of matchesOf(ANSWERED, text))
    if (isSecretValue(value, 'password', 'quoted'))
      add(index + whole.length - value.length, index + whole.length);
}

function findInCommand(text: string, { name, from, to }: Command, add: AddSpan): void {
  const command = commandAt(text, { name, from, to });
  for (const { option, user } of OPTIONS.get(name) ?? []) {
    const found = option.exec(command);
    if (!found) continue;
    const [before] = found;
    const userName = user?.exec(command.slice(before.length))?.[0];
    if (user && userName === undefined) continue;
    const start = from + before.length + (userName?.length ?? 0);
    const end = endOfValue(text, start, /(["'])(?:\w{1,9}:)?$/.exec(before)?.[1]);
    if (isSecretValue(text.slice(start, end), 'password', 'assigned')) add(start, end);
  }
}

function commandAt(text: string, { name, from, to }: Command): string {
  const read = text.slice(from, Math.min(to, from + MAX_COMMAND));
  const part = ON_WINDOWS.test(name)
    ? read.replace(ESCAPE, (_, filler: string) => `${'\\'.repeat(filler.length)}_`)
    : read;
  COMMAND_END.lastIndex = 0;
  return part.slice(0, COMMAND_END.exec(part)?.index);
}

function endOfValue(text: string, start: number, before: string | undefined): number {
  if (before !== undefined) {
    const closing = text.slice(start, start + MAX_COMMAND).search(new RegExp(`\\ue000*${before}`));
    if (closing >= 0) return start + closing;
  }
  VALUE.lastIndex = start;
  return VALUE.test(text) ? VALUE.lastIndex : start;
}

/** Answers of a script to a program that asks for a password, as of expect. */
const ANSWERED =
  /(?:assw(?:ord|d)?|assphrase|asscode)[^\n]{0,12}\n[ \t>+]{0,20}(?:\w{1,20}\.)?send(?:line)?(?: --)?[ (]\ue000{0,9}["']([^"'\n\ue000]{4,100})/g;
/** Programs that read a password from a pipe. */
const READER =
  /\| ?(?:sudo (?:-S|chpasswd)|chpasswd|(?:sudo )?passwd --stdin|(?:gh|glab) (?:auth login|secret set|variable set)|gcloud secrets|(?:npx )?wrangler secret|docker secret|(?:docker|podman) login|kinit|smbpasswd)/g;
const WRITTEN =
  /.*(?:echo|printf)(?: -[a-z]+)? \ue000*["']?(?:[^\s"'\ue000|:]{1,40}:)?([^"'\n|\ue000]{4,100}?)\ue000*["']? ?$/;
const MAX_WRITTEN = 200;

function findPiped(text: string, add: AddSpan): void {
  let last = 0;
  for (const { index } of matchesOf(READER, text)) {
    const part = text.slice(Math.max(last, index - MAX_WRITTEN), index);
    last = index;
    const value = WRITTEN.exec(part)?.[1];
    if (value === undefined || !isSecretValue(value, 'password', 'quoted')) continue;
    const start = index - part.length + part.lastIndexOf(value);
    add(start, start + value.length);
  }
}

/** Calls that type a text into a field, as tests in a browser do. */
const TYPING =
  /\b(?:fill|type|type_?text|pressSequentially|send_?keys|set_?value|(?:enter|input|insert)_?text)\(\s?|\bfill_in[ (]/gi;
/** A field and the text for it, or the text alone. */
const TYPED =
  /^(?:\ue000{0,9}(["'`])((?:(?!\1)[^\n]){1,80})\1,|([\w.]{1,40}\([^\n]{1,60}?\)),)?\s{0,2}(?:\w{1,9}[:=] ?)?\ue000{0,9}(["'`])([^\n"'`\ue000]{4,100})\ue000{0,9}\4/;
const FIELD = /passw|passcode|passphrase|pwd|kennwort|contraseña|mot de passe|парол|密码/i;
const MAX_TYPED = 200;
/** Calls that take a secret, by the end of their name. */
const TAKING =
  /(pass(?:word|wd|code|phrase)|passwort|pwd|secret|token|api_?key)\(\ue000{0,9}(["'`])([^\s"'`\ue000]{4,100})\ue000{0,9}\2/gi;
const TAKER = /(?:\.|\b(?:set|with|use|change|update|enter|add|hash|check|verify|compare)\w*)$/i;
const MAX_TAKER = 30;

/** Adds secrets that code types into a field or gives to a function that is named for it. */
export function findInCalls(text: string, add: AddSpan): void {
  for (const { 0: whole, index } of matchesOf(TYPING, text)) {
    const from = index + whole.length;
    const found = TYPED.exec(text.slice(from, from + MAX_TYPED));
    const value = found?.[5] ?? '';
    const [before = ''] =
      /[^\n;]*$/.exec(text.slice(Math.max(0, index - MAX_TYPED / 2), index)) ?? [];
    if (!found || !FIELD.test(found[2] ?? found[3] ?? before)) continue;
    if (!isSecretValue(value, 'password', 'quoted')) continue;
    const end = from + found[0].search(/\ue000*.$/);
    add(end - value.length, end);
  }
  for (const { 0: whole, 1: name = '', 3: value = '', index } of matchesOf(TAKING, text)) {
    const kind = name.startsWith('p') || name.startsWith('P') ? 'password' : 'secret';
    const taker = TAKER.exec(text.slice(Math.max(0, index - MAX_TAKER), index))?.[0];
    // a property may be a label
    if (taker === undefined || (taker === '.' && /^\p{L}+$/u.test(value))) continue;
    if (!isSecretValue(value, kind, 'quoted')) continue;
    const end = index + whole.search(/\ue000*.$/);
    add(end - value.length, end);
  }
}
