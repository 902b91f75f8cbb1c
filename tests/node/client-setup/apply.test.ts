import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { findApp } from '../../../src/apps/index.js';
import { applyConnection } from '../../../src/node/client-setup/apply.js';
import type { ClientConfig } from '../../../src/node/client-setup/clients.js';
import {
  planConnection,
  planRemoval,
  type ConnectionPlanOptions,
} from '../../../src/node/client-setup/plan.js';
import { createFolder, node } from '../folders.js';

let folder: string;
let place: ClientConfig;
let options: ConnectionPlanOptions;
let day = 0;

beforeEach(() => {
  folder = createFolder();
  place = { app: appOf('cursor'), file: join(folder, 'mcp.json'), folder };
  options = {
    vault: join(folder, 'vault'),
    node: '/n/node',
    program: '/p/main.js',
    surface: undefined,
    isReadOnly: false,
  };
});

const appOf = (id: string) => findApp('config', id)!;
const read = () => readFileSync(place.file, 'utf8');
const write = (text: string | Buffer) => writeFileSync(place.file, text);
const others = () => readdirSync(folder).filter((name) => name !== 'mcp.json');
const nextDay = () => new Date(Date.UTC(2026, 0, ++day));
const apply = async (more: Partial<ConnectionPlanOptions> = {}) =>
  applyConnection(node, await planConnection(node, place, { ...options, ...more }), nextDay());
const undo = async () =>
  applyConnection(node, await planRemoval(node, place, options.vault), nextDay());

const HELD =
  '\u{FEFF}{\r\n\t// mine\r\n\t"mcpServers": { "x": { "command": "y", "env": { "TOKEN": "工作" } } } // end\r\n}\r\n';

describe('applyConnection', () => {
  it('writes only the entry, and backs up the old file', async () => {
    write(HELD);
    chmodSync(place.file, 0o640);
    const backup = await apply();
    expect(read()).toBe(
      HELD.slice(1).replace(
        ' } } }',
        ` } }, "savepoint":{"command":"/n/node","args":["/p/main.js","mcp","--vault",${JSON.stringify(options.vault)}]} }`,
      ),
    );
    expect(readFileSync(backup ?? '', 'utf8')).toBe(HELD);
    for (const file of [place.file, backup ?? '']) expect(statSync(file).mode & 0o777).toBe(0o640);
    expect(others()).toHaveLength(1);
  });

  it('creates a private file, without a backup, if there was none', async () => {
    expect(await apply()).toBeUndefined();
    expect(statSync(place.file).mode & 0o777).toBe(0o600);
    expect(others()).toEqual([]);
  });

  it('writes nothing if the entry is up to date', async () => {
    await apply();
    const { mtimeMs, ino } = statSync(place.file);
    expect((await planConnection(node, place, options)).change).toBe('none');
    expect(await apply()).toBeUndefined();
    expect(statSync(place.file)).toMatchObject({ mtimeMs, ino });
  });

  it('follows a link to the real file', async () => {
    mkdirSync(join(folder, 'dotfiles'));
    writeFileSync(join(folder, 'dotfiles/mcp.json'), '{}');
    symlinkSync(join(folder, 'dotfiles/mcp.json'), place.file);
    await apply();
    expect(readFileSync(join(folder, 'dotfiles/mcp.json'), 'utf8')).toContain('savepoint');
    expect(others()).toEqual(['dotfiles']);
  });

  it('adds a second vault, and changes only the entry of its own vault', async () => {
    await apply();
    await apply({ vault: join(folder, 'Other Vault') });
    await apply({ program: '/new/main.js' });
    const { mcpServers } = JSON.parse(read()) as { mcpServers: Record<string, { args: string[] }> };
    expect(Object.entries(mcpServers).map(([name, { args }]) => [name, args[0], args[3]])).toEqual([
      ['savepoint', '/new/main.js', options.vault],
      ['savepoint-other-vault', '/p/main.js', join(folder, 'Other Vault')],
    ]);
  });

  it('recognizes a vault by a path through a link', async () => {
    mkdirSync(options.vault);
    symlinkSync(options.vault, join(folder, 'link'));
    await apply();
    expect(
      (await planConnection(node, place, { ...options, vault: join(folder, 'link') })).change,
    ).toBe('update');
  });

  it.each([
    'my vault!',
    '工作',
    'a "quoted" one',
    "it's",
    '%PATH%',
    'back\\slash',
    '$(x) `y`',
    'new\nline',
  ])('keeps the vault name %j unchanged', async (name) => {
    for (const [client, file] of [
      ['cursor', 'mcp.json'],
      ['codex', 'config.toml'],
    ] as const) {
      place = { app: appOf(client), file: join(folder, file), folder };
      const vault = join(folder, name);
      await apply({ vault });
      expect((await planConnection(node, place, { ...options, vault })).change).toBe('none');
      expect((await planRemoval(node, place, vault)).change).toBe('remove');
    }
  });

  it('keeps the three newest backups, and the newest without the entry', async () => {
    write('{}');
    for (const at of [1, 2, 3, 4, 5]) await apply({ program: `/${at}/main.js` });
    const texts = others().map((name) => readFileSync(join(folder, name), 'utf8'));
    expect(texts.map((text) => /"\/(\d)\/main/.exec(text)?.[1])).toEqual([
      undefined,
      '2',
      '3',
      '4',
    ]);
    await undo();
    expect(read()).toBe('{}');
  });
});

describe('undo', () => {
  it('restores every byte if nothing else has changed, even after an update', async () => {
    write(HELD);
    await apply();
    await apply({ program: '/new/main.js' });
    await undo();
    expect(read()).toBe(HELD);
    place = { ...place, app: appOf('codex'), file: join(folder, 'config.toml') };
    writeFileSync(place.file, 'a = 1 # no line end');
    await apply();
    await undo();
    expect(read()).toBe('a = 1 # no line end');
  });

  it('removes only the entry if something else has changed', async () => {
    write('{ "mcpServers": {} }\n');
    await apply();
    write(read().replace('"mcpServers"', '"theme": "dark",\n  "mcpServers"'));
    await undo();
    expect(JSON.parse(read())).toEqual({ theme: 'dark', mcpServers: {} });
  });

  it('deletes a file that was created for the entry', async () => {
    await apply();
    await undo();
    expect(others()).toHaveLength(1);
    expect(readdirSync(folder)).not.toContain('mcp.json');
    expect((await planRemoval(node, place, options.vault)).change).toBe('none');
  });

  it('keeps the entries of other vaults', async () => {
    await apply();
    await apply({ vault: join(folder, 'other') });
    await undo();
    expect(Object.keys((JSON.parse(read()) as { mcpServers: object }).mcpServers)).toEqual([
      'savepoint-other',
    ]);
  });
});

describe('a file stays unchanged', () => {
  it.each([
    ['{\n  "mcpServers": {,}\n}', 'line 2, column 18: '],
    ['{"mcpServers": []}', '"mcpServers" is not an object'],
    [Buffer.from('\u{FEFF}{}', 'utf16le'), 'is not text in UTF-8'],
  ])('if it is malformed: %j', async (text, words) => {
    write(text);
    await expect(apply()).rejects.toThrow(words);
    await expect(undo()).rejects.toThrow(words);
    expect(readFileSync(place.file)).toEqual(Buffer.from(text as string));
    expect(others()).toEqual([]);
  });

  it('if it has comments that its client cannot read', async () => {
    place = { ...place, app: appOf('claude-desktop') };
    write('{\n  // no\n}');
    await expect(apply()).rejects.toThrow(
      `Claude Desktop cannot read its own file ${place.file} (line 2, column 3: invalid comment token)`,
    );
  });

  it('if it is read-only', async () => {
    write('{}');
    chmodSync(place.file, 0o444);
    await expect(apply()).rejects.toThrow('is read-only');
    expect(read()).toBe('{}');
    expect(others()).toEqual([]);
  });

  it('if it is a folder', async () => {
    mkdirSync(place.file);
    await expect(apply()).rejects.toThrow(
      '(EISDIR). It is a folder: move it away, then try again. Nothing was done.',
    );
  });

  it('if another program changed it after the plan', async () => {
    write('{}');
    const plan = await planConnection(node, place, options);
    write('{ }');
    await expect(applyConnection(node, plan, nextDay())).rejects.toThrow(
      'Another program has just changed the file',
    );
    expect([read(), others()]).toEqual(['{ }', []]);
  });

  it('while another program is writing it, until its draft is stale', async () => {
    write('{}');
    const draft = `${place.file}.savepoint-new`;
    writeFileSync(draft, 'half');
    utimesSync(draft, new Date(2026, 0, 1), new Date());
    const plan = await planConnection(node, place, options);
    await expect(applyConnection(node, plan, new Date())).rejects.toThrow(
      'Another program is writing',
    );
    expect([read(), readFileSync(draft, 'utf8')]).toEqual(['{}', 'half']);
    await applyConnection(node, plan, new Date(Date.now() + 120_000));
    expect(read()).toContain('savepoint');
  });

  it('if another concurrent writer was first', async () => {
    write('{}');
    const plan = await planConnection(node, place, options);
    const ends = await Promise.allSettled(
      Array.from({ length: 10 }, () => applyConnection(node, plan, nextDay())),
    );
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect([read(), others().length]).toEqual([plan.after, 1]);
  });

  it('if the client would expand a part of the path as a variable', async () => {
    await expect(apply({ vault: '/home/${x}' })).rejects.toThrow(
      'Cursor would expand a part of "/home/${x}" as a variable.',
    );
    place = { ...place, app: appOf('gemini') };
    await expect(apply({ vault: '/home/$x' })).rejects.toThrow('Gemini CLI would expand');
    expect(others()).toEqual([]);
  });
});
