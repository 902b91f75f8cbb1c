import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/model/event.js';
import { rules } from '../../src/redaction/find-secrets.js';
import { hasSecret, redact, redactJson } from '../../src/redaction/index.js';
import { toPlainText } from '../../src/redaction/plain-text.js';
import { CORPORA, ENTRIES, isFalseAlarm, isLeaked, SETS, type CorpusEntry } from './corpus.js';
import { inFull } from '../tier.js';

const describeInFull = describe.runIf(inFull('the time of each rule'));

/** Ways in which a text is written into another one. */
const WRITINGS: Readonly<Record<string, (text: string) => string>> = {
  'by itself': (text) => text,
  'in JSON': (text) => JSON.stringify({ content: text, page: 1 }),
  'in JSON within JSON': (text) => JSON.stringify({ body: JSON.stringify({ content: text }) }),
  'in a quotation': (text) => `He wrote:\n> ${text.replaceAll('\n', '\n> ')}\n`,
  'in an added line': (text) => `+${text.replaceAll('\n', '\n+')}`,
  'in a sentence': (text) => `Error: ${text}\n    at run (file.js:1:2)`,
};
/** Secrets of a set that a writing may show beyond those that the text itself shows. */
const TOLERANCE = 2;

const formsWhere = (
  entries: readonly CorpusEntry[],
  write: (text: string) => string,
  isFound: (entry: CorpusEntry, output: string) => boolean,
) => entries.filter((entry) => isFound(entry, redact(write(entry.text)))).map(({ form }) => form);

describe.each(Object.entries(SETS))('set %s', (name, figures) => {
  const { secrets = [], lookAlikes = [] } = CORPORA.get(name) ?? {};

  it.each(Object.entries(WRITINGS))('loses no fewer secrets than before %s', (writing, write) => {
    const tolerance = writing === 'by itself' ? 0 : TOLERANCE;
    const leaked = formsWhere(secrets, write, isLeaked);
    const found = secrets.length - leaked.length;
    expect(found, leaked.join(', ')).toBeGreaterThanOrEqual(figures.found - tolerance);
  });

  it.each(Object.entries(WRITINGS))('keeps no fewer look-alikes than before %s', (_, write) => {
    const damaged = formsWhere(lookAlikes, write, isFalseAlarm);
    expect(damaged.length, damaged.join(', ')).toBeLessThanOrEqual(figures.damaged);
  });
});

it('the sets have 1,110 secrets and 1,118 look-alikes', () => {
  const all = [...CORPORA.values()];
  expect(all.flatMap(({ secrets }) => secrets)).toHaveLength(1110);
  expect(all.flatMap(({ lookAlikes }) => lookAlikes)).toHaveLength(1118);
});

it('redacting once more changes nothing', () => {
  for (const { text } of ENTRIES.secrets) expect(redact(redact(text))).toBe(redact(text));
});

const TEXTS = [...ENTRIES.secrets, ...ENTRIES.lookAlikes].map(({ text }) => text);
const NAMES = [
  'password',
  'apiKey',
  'token',
  'd',
  'x',
  '密码',
  'Set-Cookie',
  'PIN"\\',
  'my recovery codes are',
  'name',
  'value',
  'seed phrase',
];
const texts = fc.oneof(
  fc.constantFrom(...TEXTS),
  fc.string(),
  fc.constantFrom('\\', '\\\\"', '"', '\n', 'g\u0001hp_', '\ue000', '-----BEGIN PRIVATE KEY-----'),
);
const values = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    texts,
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.nat(),
    fc.constantFrom(null, true),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.oneof(fc.constantFrom(...NAMES), texts), tie('value'), { maxKeys: 4 }),
    tie('value').map((inner) => JSON.stringify(inner)),
  ),
}));

const shapeOf = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).map(shapeOf);
};

it('JSON stays JSON of the same shape', () => {
  fc.assert(
    fc.property(values.value, (value) => {
      const given = JSON.parse(JSON.stringify(value)) as Json;
      expect(shapeOf(redactJson(given))).toEqual(shapeOf(given));
    }),
    { numRuns: 2000 },
  );
});

it('a number is replaced by a text', () => {
  expect(redactJson({ password: 12345678, a: { b: '{"password":4711}' } })).toEqual({
    password: '[secret]',
    a: { b: '{"password":"[secret]"}' },
  });
});

it('a text without secrets is returned as it is', () => {
  const value = { a: ['b'] };
  expect(redactJson(value)).toBe(value);
  expect([hasSecret('password: '), hasSecret('password: hunter2222')]).toEqual([false, true]);
});

it.each([
  ['the new admin pw will be Oktober#24 from Monday', 'Oktober#24'],
  ['the password is Green.Lantern.Harbor for now', 'Lantern'],
  ['net use x: \\\\srv\\share /user:CORP\\bkeller Herbst.Laub7', 'Herbst'],
  ['See [[Router]], whose password the kids only know as Oktober#24 today.', 'Oktober'],
  ['The API key, a8f5f167f44f4964e6c998dee827110c, must go into .env', 'a8f5f167f44f'],
])('a sentence loses its secret: %s', (text, secret) => {
  expect(redact(text)).not.toContain(secret);
});

it.each([
  'The password is stored in the table user42.',
  'The password is hashed with sha256.',
  'Sign in with Google and OAuth2.',
  'The password is saved in vault2024x.',
  'password: minimum length is eight characters',
  "The **Credential** parameter's description and the password you've saved as p4 aren't shown.",
  'The EnhancedKeyUsage list is in **EnhancedKeyUsageList**.',
  'RunAsPassword                 :\nMaxProcessesPerShell          : 25',
  'Version=1.0.0.0, Culture=neutral, PublicKeyToken=31bf3856ad364e35',
  'For keys, see [about_Automatic_Variables][03] and [the session configurations][01].',
  'The key fingerprint is SHA256:2kCbnhT2dUE6WCGgVJ8Hyfu1z2wE4lifaJXLO7QJy0Y.',
  'az account get-access-token --resource=https://app.contoso.com',
  'Wiederherstellungscodes generieren\n\nWenn du 2FA aktiviert hast',
  'Klicke auf **Dieses Passwort hinzufügen**.',
  'The token is in `$PSHOME\\MyTypes.ps1xml`.',
  'obsidian eval code="app.vault.getFiles().length"',
  '2601:600:a27f:a470:f532:6451',
  'Read-Host "Enter a Password:" as a prompt',
  'interface Keys { token: this.#sent.tokens }',
  'PGPASSWORD=$PW psql shop',
  'const kind = count === 1 ? ONLY_TOKEN : LAST_TOKEN;',
  "secrets:\n  'Imported as written, though it looks like it holds one (the log keeps it):',",
  'The key, savepoint-settings-2, is in the local storage.',
])('a sentence without a secret is kept: %s', (text) => {
  expect(redact(text)).toBe(text);
});

it.each(['x', 'xyz9Kq1'])('the address of a repository is kept without its token: %s', (rest) => {
  const address = (user: string) => `git clone https://oauth2:${user}@gitlab.example.com/a/b.git`;
  expect(redact(address(`gl\u0070at-Kx92mQv71LpZw3Ry_8T${rest}`))).toBe(address('[secret]'));
});

/** Pieces that a rule begins to read or fails on, repeated to a long text. */
const PIECES = [
  '.fill("#password", ',
  "type(getBy(/password/), 'a",
  'setPassword("a',
  'totp A2B3 C4D5 ',
  '-eyJ',
  'eyJhbGciOiJI.',
  'a.',
  'a',
  'aA1',
  ' ',
  '\n',
  '-',
  '"',
  "'",
  '`',
  '«',
  '=',
  ':',
  '|',
  '\\',
  '\\"',
  '\\n',
  '\\u0041',
  '{"a":',
  '[["',
  '<a>',
  '${',
  '$(',
  '{{',
  '.',
  '/',
  '&',
  ';',
  '-----BEGIN PRIVATE KEY-----',
  '-----BEGIN PRIVATE KEY-----\n',
  'MIIEowIBAAKCAQEAq8Zw3Xv6\n',

  '-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n',
  'Private-Lines: 1\n',
  '----- BEGIN ',
  'ghp_',
  'sk-',
  'sk-a',
  'SG.',
  'AKIA',
  'A3-ABCDEF-',
  'aaa1Q~',
  '12345678:AA',
  'AAAA1234567:',
  'key',
  'key ',
  'key=',
  'key="',
  'key=\\"',
  'key: ',
  'password=',
  'password:',
  'password is ',

  'password „',
  'password «a ',
  'secret of the ',
  'token token ',
  '密码',
  '密码是',
  '密码：',
  'пароль ',
  'key[0]',
  'key.key.',
  'KEY_',
  'kK',
  '--key ',
  '-p ',
  '"name":"KEY","value":"',
  '["--password","',
  '://',
  '://a:',
  '://a:b',
  '://a@',
  ':1:b:c:',
  '?key=',
  '&key=',
  'Cookie: ',
  'cookie: a=b; ',
  'Bearer ',
  'Bearer a',
  '"d":"',
  '<D>',
  'curl ',
  'curl -u a:',
  'mysql -p',
  'docker login ',
  'htpasswd -b a ',
  'sqlplus a/',
  'net use ',
  'echo a | ',
  'echo "a:b" | sudo -S ',
  '$2a$10$',

  'recovery codes ',
  'recovery code 1234-5678 ',
  '1234-',
  'seed phrase ',
  'orbit ',
  'mot de passe ',
  'change password to ',
  '密码改到',
  '密码改为"',
  'use key ',
  'login with a:',
  'PIN is ',
  'passphrase is a ',
  'Authorization: ',
  'name: DB_PASSWORD\n  value: ',
  'password\n' + ' '.repeat(58),
  'password{a:1,',
  'password: ab-cd\n',
  'password="ab cd ef gh ij',
  'define("password","',
  'machine a\n  login b\n  ',
  '<key>password</key>',
  'hooks.slack.com/services/',
  'discord.com/api/webhooks/1/',
  'aaaaaaaaaaaaaa.atlasv1.',
  '\ue000',
  'kind: Secret data:\n',
  'kind: Secret\n',
  'data:\n a: bbbb\n',
  'password: aa bb cc ',
  'password is Abc.Def ',
  'assword:"\nsend "',
  'use a1 as password ',
  'net use a ',
  'apiKey:',
  '密码 a b c ',
  'token: "a": ',
  'password (a): ',
  'password: 1234 5678 ',
  'arn:aws:a:',
  'MTE3MzA0NDY4OTU4MDE0MjIwMg.GlASiJ.',
  'login code (',
  'ssh-keygen -N "a b" -P "',
  'name,password\n',
  'a,password\n"a,"b,"c\n',
  '| password | a |\n',
  'password\ta\n',
  'a  password  b\n',
  'recovery codes:\n1234-5678 ',
  'password „a b c“ ',
  'password to a1 from b2 ',
  '1 as password ',
  'key: a.b.c.d ',
  'password (a',
  '<key>password</key><string>',
  'password: {value:',
  '_eyJaaaaaaaaa.',
  '$ref token ',
];
const LENGTH = 1_000_000;
/** Ten times what 1 MB takes at most, because machines differ; a quadratic rule takes minutes. */
const MAX_MS = 1000;

const cpuMs = (run: () => void) => {
  const start = process.cpuUsage();
  run();
  return process.cpuUsage(start).user / 1000;
};

describeInFull('takes linear time for 1 MB', () => {
  it.each(rules().map((rule) => [rule.name, rule] as const))('%s', (_, rule) => {
    const slow = PIECES.filter((piece) => {
      const plain = toPlainText(piece.repeat(LENGTH / piece.length));
      return cpuMs(() => rule(plain, () => undefined)) > MAX_MS;
    });
    expect(slow).toEqual([]);
  });

  it('toPlainText', () => {
    const slow = PIECES.filter(
      (piece) => cpuMs(() => toPlainText(piece.repeat(LENGTH / piece.length))) > MAX_MS,
    );
    expect(slow).toEqual([]);
  });
});
