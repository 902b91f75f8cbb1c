import { describe, expect, it } from 'vitest';
import { redact, redactJson } from '../../src/redaction/index.js';
import { traceOfCall, traceOfLogEntry } from '../../src/toolkit/trace.js';

const VALUES = ['Winter7fuchs', 'herbst', 'Sommer-Dachs-8'];

const TABLES: Readonly<Record<string, string>> = {
  CSV: 'name,password,role\nanna,Winter7fuchs,admin\nben,herbst,user\ncleo,Sommer-Dachs-8,user',
  'CSV with a column first': 'password,name\nWinter7fuchs,anna\nherbst,ben\nSommer-Dachs-8,cleo\n',
  'CSV with quotes': '"name","password"\n"a, b","Winter7fuchs"\n"c","herbst"\n"d","Sommer-Dachs-8"',
  'CSV with semicolons': 'name;passwort\nanna;Winter7fuchs\nben;herbst\ncleo;Sommer-Dachs-8',
  TSV: 'id\tpassword\tname\n1\tWinter7fuchs\ta\n2\therbst\tb\n3\tSommer-Dachs-8\tc',
  Markdown:
    '| user | password |\n|---|---|\n| a | `Winter7fuchs` |\n| b | herbst |\n| c | Sommer-Dachs-8 |',
  'a listing of a shell':
    'NAME   PASSWORD        HOST\nanna   Winter7fuchs    db1\nben    herbst          db2\ncleo   Sommer-Dachs-8  db3',
  'lines that end as on Windows':
    'name,password\r\nanna,Winter7fuchs\r\nben,herbst\r\ncleo,Sommer-Dachs-8\r\n',
};

const ORIGIN = {
  toolset: 'notes',
  tool: 'readNote',
  workspaceId: 'w',
  sessionId: 's',
  client: undefined,
  context: {},
};

describe.each(Object.entries(TABLES))('%s', (_, table) => {
  const expectNone = (text: string) => {
    expect(VALUES.filter((value) => text.includes(value))).toEqual([]);
  };

  it('loses every row of a column of passwords', () => {
    expectNone(redact(table));
  });

  it('loses them in JSON and in JSON within JSON', () => {
    expectNone(JSON.stringify(redactJson({ content: table, page: 1 })));
    expectNone(JSON.stringify(redactJson({ body: JSON.stringify({ content: table, page: 1 }) })));
  });

  it('loses them in the trace of a call', () => {
    const answer = { success: true as const, data: {} };
    expectNone(traceOfCall({ ...ORIGIN, params: { content: table }, answer }).input);
  });

  it('loses them in a logged trace', () => {
    const entry = { kind: 'execution' as const, content: table, outcome: 'ok', files: [] };
    expectNone(traceOfLogEntry({ ...ORIGIN, ...entry, key: undefined }).input);
  });
});

it.each([
  '| Setting | Password required |\n|---|---|\n| login | yes |\n| export | no |',
  '| Variable | Description |\n|---|---|\n| `DB_PASSWORD` | the password |\n| `JWT_KEY_1` | 32 bytes |',
  'model,tokens,cost\nsmall,1200,3\nlarge,45000,12',
  'Enter your name, password\nand your mail, please',
  'const { user,password } = body;\nsave(user,hash);',
])('a table without secrets is kept: %s', (text) => {
  expect(redact(text)).toBe(text);
});
