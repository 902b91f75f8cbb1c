import { readBudget, type AddSpan, type PlainText } from './plain-text.js';
import { isSecretValue } from './values.js';

/** Programs and the options before their passwords, as they document them. */
const PROGRAMS: readonly (readonly [names: string, option: string])[] = [
  ['mysql mysqldump mysqladmin mysqlimport mariadb mariadb-dump mariadb-admin', '-p'],
  ['sshpass', '-p ?'],
  ['docker podman nerdctl buildah skopeo helm oras oc cf az', 'login(?: .*?)? -p ?'],
  ['redis-cli', '-a '],
  ['mongo mongosh mongodump mongorestore rdesktop psexec cqlsh', '-p '],
  ['7z 7za 7zz rar unrar', '-h?p'],
  ['zip unzip sqlcmd bcp mosquitto_pub mosquitto_sub ipmitool ssh-keygen', '-P ?'],
  ['ssh-keygen', '-N ?'],
  ['ldapsearch ldapmodify ldapadd ldapdelete ldapwhoami ldappasswd security', '-w '],
  ['net', 'use .*?/user:\\S+ (?=[^/\\s])|user \\w[\\w.-]* (?=[^/])'],
  ['ConvertTo-SecureString', '(?:-String )?(?=["\'][^-])'],
  ['curl http https wget', '(?:-u|--user|-a|--auth|-U|--proxy-user)[ =]?["\']?[^\\s:\'"]*:'],
];

const OPTIONS = new Map<string, RegExp[]>();
for (const [names, option] of PROGRAMS)
  for (const name of names.split(' ')) {
    const before = new RegExp(`^[^]{0,120}? (?:${option})["']?`);
    OPTIONS.set(name, [...(OPTIONS.get(name) ?? []), before]);
  }

const PROGRAM = new RegExp(
  `(?:^|[\\s+:=>"'\`/(;&|$])(${[...OPTIONS.keys()].join('|')})(?:\\.exe)?(?= )`,
  'g',
);
/** A line that goes on in the next one does not end a command. */
const COMMAND = /^(?:\\\r?\n|[^\n;&|])*/;
const VALUE = /^(?:[^\s"'`;&|)]|[;&|)](?=[^\s;&|)"'`]))+/;
/** Characters of a command in which its password is looked for. */
const MAX_COMMAND = 300;
/** Characters of a quote and a user before a password. */
const MAX_USER = 40;

/** Adds passwords in the options of known programs. */
export function findInCommands({ text }: PlainText, add: AddSpan): void {
  const budget = readBudget(256);
  PROGRAM.lastIndex = 0;
  for (let match = PROGRAM.exec(text); match; match = PROGRAM.exec(text)) {
    if (!budget.take(match.index)) continue;
    const from = PROGRAM.lastIndex;
    const [command = ''] = COMMAND.exec(text.slice(from, from + MAX_COMMAND)) ?? [];
    for (const option of OPTIONS.get(match[1] ?? '') ?? []) addValue(command, from, option, add);
  }
}

function addValue(command: string, from: number, option: RegExp, add: AddSpan): void {
  const before = option.exec(command)?.[0];
  if (before === undefined) return;
  const rest = command.slice(before.length);
  const quote = /(["'])[^"']*$/.exec(before.slice(-MAX_USER))?.[1];
  const closing = quote === undefined ? -1 : rest.indexOf(quote);
  const value = closing < 0 ? (VALUE.exec(rest)?.[0] ?? '') : rest.slice(0, closing);
  const start = from + before.length;
  if (isSecretValue(value, 'password', /\s/.test(value) ? 'bound' : 'quoted'))
    add(start, start + value.length);
}
