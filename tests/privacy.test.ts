import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { defaultStateFolder } from '../src/node/ports/state-folder.js';
import { readSettings } from '../src/obsidian/settings-schema.js';
import { endOf, startProgram, temporaryFolder } from './fakes/program.js';
import { node } from './node/folders.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const pages = ['docs/privacy.md', 'SECURITY.md'].map((name) => ({
  name,
  text: readFileSync(path.join(root, name), 'utf8'),
}));
const privacy = pages[0]?.text ?? '';

/**
 * Node functions that write files, and not `open` for reading. The `Files` port never passes them a
 * path outside the vault.
 */
const WRITES_TO_DISK =
  /\breplaceFile\(|\bfs\.(?:(?:(?:writeFile|appendFile|mkdir|rename|cp|copyFile|link|symlink)(?:Sync)?|createWriteStream)\(|open\((?![^)]*'r'\)))/;
const WRITES_IN_APP =
  /\bsaveLocalStorage\(|\bopenDB\b.*\(|\bsetSecret\(|\bsaveData\(|\b(?:local|session)Storage\.setItem\(/;
const SENDS =
  /\brequestUrl\(|\bwindow\.fetch\(|(?<![.\w])fetch\(|\bhttps?\)?\.request\(|\bnew (?:WebSocket|XMLHttpRequest|EventSource)\b|\bsendBeacon\(/;

const sources = readdirSync(path.join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name))
  .map((name) => ({
    name: path.posix.join('src', name.replaceAll('\\', '/')),
    text: readFileSync(path.join(root, 'src', name), 'utf8'),
  }));

const namedIn = (text: string) =>
  new Set([...text.matchAll(/`(src\/[^`*]+\.tsx?)`/g)].map(([, name]) => name ?? ''));
const matching = (pattern: RegExp) =>
  sources.filter(({ text }) => pattern.test(text)).map(({ name }) => name);
const section = (heading: string) =>
  privacy.split(/^##+ /m).find((part) => part.startsWith(heading)) ?? '';

describe('the privacy page', () => {
  it('names exactly the source files that write to disk or app storage', () => {
    const written = section('By the program') + section('By the plugin');
    expect([...namedIn(written)].sort()).toEqual(
      [...matching(WRITES_TO_DISK), ...matching(WRITES_IN_APP)].sort(),
    );
  });

  it('names exactly the source files that can send data', () => {
    expect([...namedIn(section('What leaves the machine'))].sort()).toEqual(matching(SENDS).sort());
  });

  it('names every key in the app storage', () => {
    const kept = sources.filter(({ text }) => text.includes('saveLocalStorage('));
    const keys = kept.flatMap(({ text }) =>
      [...text.matchAll(/(?:KEY = |=> |return )['`](savepoint-[a-z-]*)/g)].map(([, key]) => key),
    );
    expect(keys.length).toBe(kept.length);
    expect(keys.filter((key) => !privacy.includes(`\`${key}\``))).toEqual([]);
  });

  it('names the state folder on each operating system', () => {
    const folder = (platform: NodeJS.Platform, ways: typeof path.posix, env: NodeJS.ProcessEnv) =>
      defaultStateFolder({ ...node, os: { ...os, homedir: () => '~' }, path: ways }, env, platform);
    const told = [
      folder('linux', path.posix, {}),
      folder('linux', path.posix, { XDG_STATE_HOME: '$XDG_STATE_HOME' }),
      folder('darwin', path.posix, {}),
      folder('win32', path.win32, { LOCALAPPDATA: '%LOCALAPPDATA%' }),
    ];
    for (const each of told) expect(section('By the program')).toContain(`\`${each}\``);
  });

  it.skipIf(process.platform === 'win32')(
    'names each file that the program writes outside the vault',
    async () => {
      const folder = temporaryFolder('privacy');
      const [home, vault] = [path.join(folder, 'home'), path.join(folder, 'vault')];
      for (const each of [home, path.join(vault, '.obsidian')])
        mkdirSync(each, { recursive: true });
      const { PATH } = process.env;
      const options = { env: { PATH, HOME: home }, cwd: folder };
      const call = async (tool: string, params: object) => {
        const child = startProgram(
          ['call', tool, '--vault', vault, '--json', JSON.stringify(params)],
          options,
        );
        expect((await endOf(child)).code).toBe(0);
      };
      await call('createState', {
        name: 'Plan',
        conversationContext: 'c',
        activeTask: 't',
        activeFiles: [],
        nextSteps: ['n'],
      });
      await call('searchMemory', { query: 'plan', workspaceId: 'default' });
      const http = startProgram(['mcp', '--vault', vault, '--http'], options);
      await new Promise((resolve) => http.stdout.once('data', resolve));
      const left = filesIn(folder).filter((file) => !file.startsWith('vault/'));
      http.kill();
      await endOf(http);

      const state =
        process.platform === 'darwin'
          ? 'home/Library/Application Support/savepoint'
          : 'home/.local/state/savepoint';
      const places = [
        ...section('By the program').matchAll(/^\| `((?:device|<vault>)[^`]*)` \|/gm),
      ].map(([, place]) => place ?? '');
      const inPlace = (file: string) =>
        places.find((place) => patternOf(`${state}/${place}`).test(file));
      expect(left.filter((file) => inPlace(file) === undefined)).toEqual([]);
      const seen = new Set(left.map(inPlace));
      expect([...seen]).toEqual(
        expect.arrayContaining([
          'device',
          '<vault>/writers/',
          '<vault>/copies/',
          '<vault>/vault.json',
          '<vault>/http/',
        ]),
      );
    },
  );
});

describe('the README', () => {
  const readme = readFileSync(path.join(root, 'README.md'), 'utf8');
  const told = /^## Privacy\n([^]*?)^## /m.exec(readme)?.[1] ?? '';

  it.each([
    'Network services',
    'Payment and accounts',
    'Files outside the vault',
    'A local socket',
    'Programs it starts',
    'No updates of itself',
    'Advertising, telemetry, closed source',
  ])('discloses what the policies of the plugin store ask for: %s', (topic) => {
    expect(told).toContain(`- **${topic}**`);
  });

  it('says truly that installing and updating only copy files: they have no network', () => {
    const modules = sources.find((source) => source.name === 'src/node/modules.ts')?.text ?? '';
    expect(modules).not.toMatch(/node:(?:https?|net|child_process)'/);
    for (const name of ['src/cli/install-plugin.ts', 'src/node/install/install-program.ts']) {
      const { text = '' } = sources.find((source) => source.name === name) ?? {};
      expect(text).toMatch(/\btype (?:\{ )?NodeModules\b/);
      expect(text).not.toMatch(/(?!Node)\w{4}Modules|ProgramHost/);
      expect(text).not.toMatch(SENDS);
    }
  });

  it('says truly that the socket is on by default', () => {
    expect(readSettings(undefined)).toMatchObject({ isBridgeOn: true });
  });
});

describe('the pages on privacy and security', () => {
  it.each(pages.map(({ name, text }) => [name, text]))(
    'name only existing source files: %s',
    (_, text) => {
      const known = new Set(sources.map(({ name }) => name));
      expect(namedIn(text).size).toBeGreaterThan(5);
      expect([...namedIn(text)].filter((name) => !known.has(name))).toEqual([]);
    },
  );
});

function patternOf(place: string): RegExp {
  const [before = '', after] = place.split('<vault>');
  const quoted = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const whole =
    after === undefined ? quoted(before) : `${quoted(before)}[0-9a-f]{16}${quoted(after)}`;
  return new RegExp(`^${whole}${place.endsWith('/') ? '' : '$'}`);
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)));
}
