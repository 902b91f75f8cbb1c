import fc from 'fast-check';
import { parse as parseToml } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import {
  removeEntry,
  renderConfig,
  setEntry,
  readServers,
} from '../../../src/node/client-setup/config-text.js';
import type { ServerEntry } from '../../../src/apps/ai-app.js';

const entry: ServerEntry = {
  command: '/usr/bin/node',
  args: ['/p/main.js', 'mcp', '--vault', '/v'],
};
const at = { section: 'mcpServers', name: 'savepoint' };
const inToml = { section: 'mcp_servers', name: 'savepoint' };
const put = (text: string) => setEntry(text, 'jsonc', at, entry);
const putInToml = (text: string) => setEntry(text, 'toml', inToml, entry);

const OWN = `"savepoint": {
      "command": "/usr/bin/node",
      "args": [
        "/p/main.js",
        "mcp",
        "--vault",
        "/v"
      ]
    }`;

describe('an entry in JSON', () => {
  it.each([
    ['{}', `{\n  "mcpServers": {\n    ${OWN}\n  }\n}`],
    ['', `{\n  "mcpServers": {\n    ${OWN}\n  }\n}\n`],
    ['{\n  "a": 1\n}\n', `{\n  "a": 1,\n  "mcpServers": {\n    ${OWN}\n  }\n}\n`],
    [
      '{\n  "mcpServers": {\n    "x": { "command": "y" }\n  }\n}',
      `{\n  "mcpServers": {\n    "x": { "command": "y" },\n    ${OWN}\n  }\n}`,
    ],
    [
      '{\n  "mcpServers": {\n    "x": {}, // stays\n    // so does this\n  },\n}',
      `{\n  "mcpServers": {\n    "x": {}, // stays\n    ${OWN},\n    // so does this\n  },\n}`,
    ],
    [
      '{\n  "mcpServers": {\n    "x": {} /* last */\n  }\n}',
      `{\n  "mcpServers": {\n    "x": {}, /* last */\n    ${OWN}\n  }\n}`,
    ],
    [
      '{\n  "mcpServers": { // none yet\n  }\n}',
      `{\n  "mcpServers": { // none yet\n    ${OWN}\n  }\n}`,
    ],
    [
      '{"mcpServers":{"x":{}},"k":[1,2]}',
      `{"mcpServers":{"x":{},"savepoint":${JSON.stringify(entry)}},"k":[1,2]}`,
    ],
    ['{"mcpServers":{},"k":1}', `{"mcpServers":{"savepoint":${JSON.stringify(entry)}},"k":1}`],
    ['{ "k": 1 }', `{ "k": 1, "mcpServers":${JSON.stringify({ savepoint: entry })} }`],
  ])('is added to %j without any other change', (text, after) => {
    expect(put(text)).toBe(after);
  });

  it('keeps tabs and line endings, and removes a byte order mark', () => {
    const text =
      '\u{FEFF}{\r\n\t// mine\r\n\t"mcpServers": {\r\n\t\t"x": { "command": "y" }\r\n\t},\r\n\t"z":1\r\n}\r\n';
    const own = OWN.replaceAll('\n', '\r\n').replaceAll(/ {2}/g, '\t');
    const body = text.slice(1);
    expect(put(text)).toBe(body.replace('"y" }\r\n', `"y" },\r\n\t\t${own}\r\n`));
    expect(removeEntry(put(text), 'jsonc', at)).toBe(body);
  });

  it.each([
    '{\n  "mcpServers": {\n    "x": {}\n  }\n}',
    '{\n  "mcpServers": {\n    "x": {}, // stays\n    // so does this\n  },\n}',
    '{"mcpServers":{"x":{}},"k":[1,2]}',
    '{\n    "mcpServers": { // none yet\n    }\n}',
    '{\n  "mcpServers": {\n    "x": {} /* last */\n  }\n}\n',
  ])('is removed again, which restores %j', (text) => {
    expect(removeEntry(put(text), 'jsonc', at)).toBe(text);
  });

  it('is removed from before and between others', () => {
    const text = (...names: string[]) =>
      `{\n  "mcpServers": {\n${names.map((name) => `    "${name}": {}`).join(',\n')}\n  }\n}`;
    expect(removeEntry(text('savepoint', 'b'), 'json', at)).toBe(text('b'));
    expect(removeEntry(text('a', 'savepoint', 'b'), 'json', at)).toBe(text('a', 'b'));
    expect(removeEntry(text('a', 'savepoint'), 'json', at)).toBe(text('a'));
  });

  it('changes only in its command and arguments', () => {
    const text =
      '{\n  "mcpServers": {\n    "savepoint": { "command": "old", "env": { "A": "b" }, "args": ["x"], "disabled": false } // why\n  }\n}';
    expect(put(text)).toBe(
      text.replace('"old"', '"/usr/bin/node"').replace('["x"]', JSON.stringify(entry['args'])),
    );
    expect(put(put(text))).toBe(put(text));
    const { type, ...rest } = { type: 'stdio' as const, ...entry };
    expect(setEntry(put('{}'), 'json', at, { type, ...rest })).toContain(
      '],\n      "type": "stdio"',
    );
  });

  it.each([
    ['{\n  "a": 1,\n  oops\n}', 'jsonc', 'line 3, column 3: invalid symbol'],
    ['{\n  "a": 1, // no\n}', 'json', 'line 2, column 11: invalid comment token'],
    ['{\n  "a": 1,\n}', 'json', 'line 3, column 1: property name expected'],
    ['{"a":', 'json', 'line 1, column 6: value expected'],
    ['[]', 'json', 'the file is not an object'],
    ['{"mcpServers":[]}', 'json', '"mcpServers" is not an object'],
    ['{"mcpServers":null}', 'jsonc', undefined],
  ] as const)('is read from %j as %s, or the problem is reported', (text, format, problem) => {
    const read = readServers(text, format, 'mcpServers');
    if (problem === undefined) expect(read).toEqual({ servers: {} });
    else expect(read).toEqual({ problem });
  });

  it.each([
    '{"mcpServers":{"savepoint":{},"savepoint":{"command":"x"}}}',
    '[1]',
    '{"mcpServers":3}',
  ])('is not added to %s', (text) => {
    expect(() => put(text)).toThrow('cannot be changed in this file without risk');
  });

  it.each([
    ['{\n  "mcpServers": null\n}', `{\n  "mcpServers": {\n    ${OWN}\n  }\n}`, {}],
    ['{"mcpServers":null,"k":1}', undefined, {}],
    ['{"mcpServers":{},"mcpServers":{"x":{}}}', undefined, { x: {} }],
    ['{"mcpServers":{"x":{"a":1}},"k":1,"mcpServers":null}', undefined, { x: { a: 1 } }],
    [
      '{\n  "mcpServers": {\n    "x": { "a": 1 }, // one\n    "z": 1\n  },\n  "mcpServers": {},\n  "mcpServers": { "x": { "a": 2 } }\n}',
      undefined,
      { x: { a: 2 }, z: 1 },
    ],
  ])('repairs %j', (text, after, servers) => {
    const added = put(text);
    if (after !== undefined) expect(added).toBe(after);
    expect(added.match(/"mcpServers"/g)).toHaveLength(1);
    const read = readServers(added, 'json', 'mcpServers');
    expect(read).toEqual({ servers: { ...servers, savepoint: entry } });
    expect(put(added)).toBe(added);
  });

  it.each([
    ['{\n  "a": 1,\n}', 'line 3, column 1: property name expected'],
    ['// c\n{ /* d */ "mcpServers": {} }', undefined],
  ])('is read from %j with comments, but without a comma at the end', (text, problem) => {
    const read = readServers(text, 'json-comments', 'mcpServers');
    expect(read).toEqual(problem === undefined ? { servers: {} } : { problem });
  });

  it('changes nothing else in random configurations', () => {
    const blank = fc.constantFrom('', ' ', '\n', '\n  ', ' /* c */ ', ' // d\n\t', '\r\n');
    const value = fc.oneof(fc.json(), fc.constantFrom('{ "a" : [ 1 ,2 ] }', '"mcpServers"'));
    const members = fc.array(fc.tuple(blank, fc.string(), value, blank), { maxLength: 4 });
    const object = (all: [string, string, string, string][], end: string) =>
      `{${all.map(([a, k, v, b]) => `${a}${JSON.stringify(k)}:${v}${b}`).join(',')}${end}}`;
    fc.assert(
      fc.property(
        members,
        members,
        blank,
        blank,
        fc.boolean(),
        (outer, inner, endA, endB, hasSection) => {
          const unique = new Map(inner.map((member) => [member[1], member]));
          unique.delete('savepoint');
          unique.delete('__proto__');
          const section: [string, string, string, string] = [
            '',
            'mcpServers',
            object([...unique.values()], endA),
            '',
          ];
          const all = new Map(
            [...outer, ...(hasSection ? [section] : [])].map((member) => [member[1], member]),
          );
          all.delete('__proto__');
          if (!hasSection) all.delete('mcpServers');
          const text = object([...all.values()], endB);
          const added = put(text);
          // whitespace in an empty object is reformatted
          expect(isWithin(text.replaceAll(/\s/g, ''), added)).toBe(true);
          const removed = removeEntry(added, 'jsonc', at);
          expect(readServers(removed, 'jsonc', 'mcpServers')).toEqual(
            readServers(text, 'jsonc', 'mcpServers'),
          );
        },
      ),
    );
  });
});

/** Returns true if `short` is a subsequence of `long`. */
function isWithin(short: string, long: string): boolean {
  let at = 0;
  for (const character of long) if (character === short[at]) at++;
  return at >= short.length;
}

const TABLE =
  '[mcp_servers.savepoint]\ncommand = "/usr/bin/node"\nargs = ["/p/main.js", "mcp", "--vault", "/v"]\n';

describe('an entry in TOML', () => {
  it.each([
    ['', TABLE],
    ['a = 1', `a = 1\n\n${TABLE}`],
    [
      '# c\n[mcp_servers.x]\ncommand = "y" # z\n\n',
      `# c\n[mcp_servers.x]\ncommand = "y" # z\n\n${TABLE}`,
    ],
    ['a = 1\r\n[b]\r\n', `a = 1\r\n[b]\r\n\r\n${TABLE.replaceAll('\n', '\r\n')}`],
    ['mcp_servers.x.command = "y"\n', `mcp_servers.x.command = "y"\n\n${TABLE}`],
  ])('is added to %j without any other change', (text, after) => {
    expect(putInToml(text)).toBe(after);
    expect(putInToml(after)).toBe(after);
  });

  it.each([
    'a = 1\n',
    '# c\n[mcp_servers.x]\ncommand = "y" # z\n',
    'x = """\n[mcp_servers.savepoint]\n"""\r\n',
    'a = [\n  [1],\n  # ]\n  [2],\n]\n',
  ])('is removed again, which restores %j', (text) => {
    expect(removeEntry(putInToml(text), 'toml', inToml)).toBe(text);
  });

  const LONG = [
    '# mine',
    '[mcp_servers.a]',
    'command = "a"',
    '',
    '# before ours',
    '[ mcp_servers . "savepoint" ] # ours',
    'startup_timeout_sec = 30 # slow disk',
    'command = "old" # why',
    'args = [',
    '  "x", # one ]',
    "  '''",
    "[mcp_servers.y]''',",
    ']',
    '',
    '[mcp_servers.savepoint.env]',
    'A = "b"',
    '',
    '# the next one',
    '[[list]]',
    'a.b = { c = "]" }',
    '',
  ].join('\n');

  it('changes only in its command and arguments', () => {
    const after = putInToml(LONG);
    expect(after).toBe(
      LONG.replace('"old"', '"/usr/bin/node"').replace(
        /args = \[[^]*?\n\]/,
        'args = ["/p/main.js", "mcp", "--vault", "/v"]',
      ),
    );
    expect(parseToml(after)).toEqual({
      ...parseToml(LONG),
      mcp_servers: {
        a: { command: 'a' },
        savepoint: { ...entry, startup_timeout_sec: 30, env: { A: 'b' } },
      },
    });
    expect(putInToml('[mcp_servers.savepoint]\nenabled = true')).toContain(
      '[mcp_servers.savepoint]\nargs = ["/p/main.js", "mcp", "--vault", "/v"]\ncommand = "/usr/bin/node"\nenabled = true',
    );
  });

  it('is removed with its subtables, and keeps the text around it', () => {
    const after = removeEntry(LONG, 'toml', inToml);
    expect(after).toContain('command = "a"\n\n# before ours\n');
    expect(after).toContain('\n# the next one\n[[list]]\na.b = { c = "]" }\n');
    expect(after).not.toMatch(/savepoint|env|A = /);
  });

  it.each([
    'mcp_servers = { x = { command = "y" } }\n',
    '[mcp_servers]\nsavepoint = { command = "old" }\n',
    '[mcp_servers]\nsavepoint.command = "old"\n',
  ])(
    'is not written if its section is an inline table, or if it exists without a table header of its own: %j',
    (text) => {
      expect(() => putInToml(text)).toThrow('cannot be changed in this file without risk');
    },
  );

  it('is not read from malformed text', () => {
    expect(readServers('a = 1\n[b\n', 'toml', 'mcp_servers')).toEqual({
      problem: expect.stringMatching(/^line 2, column \d+: /) as string,
    });
  });

  it('can contain any path, which the parser reads back', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.string({ unit: 'binary' }),
        (vault, command) => {
          const text = setEntry('a = 1\n', 'toml', inToml, {
            command,
            args: [vault, '\u{7F}', '工作 "x" \\ %PATH%'],
          });
          expect(parseToml(text)['mcp_servers']).toEqual({
            savepoint: { command, args: [vault, '\u{7F}', '工作 "x" \\ %PATH%'] },
          });
        },
      ),
    );
  });
});

it('renderConfig renders a configuration with only the entry', () => {
  expect(JSON.parse(renderConfig('json', at, entry))).toEqual({ mcpServers: { savepoint: entry } });
  expect(renderConfig('toml', inToml, entry)).toBe(TABLE);
});
