import { win32 } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findApp } from '../../../src/apps/index.js';
import {
  createCommand,
  toServerEntry,
  uniqueServerName,
  optionOf,
  ownEntries,
} from '../../../src/node/client-setup/entries.js';
import type { Surface } from '../../../src/toolkit/surfaces.js';
import { APP_FACTS } from '../../fakes/app-facts.js';
import { node } from '../folders.js';

const wish = { vault: '/v', surface: undefined, isReadOnly: false };

describe('an entry', () => {
  it('starts the program for the vault with the given settings', () => {
    expect(createCommand('/n', '/m.js', wish)).toEqual({
      command: '/n',
      args: ['/m.js', 'mcp', '--vault', '/v'],
    });
    expect(createCommand('/n', '/m.js', { ...wish, surface: 'compact', isReadOnly: true })).toEqual(
      {
        command: '/n',
        args: ['/m.js', 'mcp', '--vault', '/v', '--surface', 'compact', '--read-only'],
      },
    );
  });

  it('names the state folder that the environment names', () => {
    const { args } = createCommand('/n', '/m.js', { ...wish, state: '/s' });
    expect(args.slice(-2)).toEqual(['--state', '/s']);
    const kept = createCommand('/n', '/m.js', wish, { args });
    expect(kept.args).toEqual(args);
  });

  it.each(Object.entries(APP_FACTS))('has the form that %s expects', (id, { entry }) => {
    const command = { command: '/n', args: ['a', 'b'] };
    expect(toServerEntry(findApp('config', id)!.config, command, true)).toEqual(entry ?? command);
  });

  it('keeps the properties that the user may change', () => {
    const entry = toServerEntry(
      findApp('config', 'copilot')!.config,
      { command: '/n', args: [] },
      false,
    );
    expect(entry).toEqual({ type: 'local', command: '/n', args: [] });
  });

  it('keeps the options of an existing entry, and stays read-only', () => {
    const held = {
      args: [
        '-y',
        'old',
        'mcp',
        '--read-only',
        '--vault=/x',
        '--surface',
        'compact',
        '--state',
        '/s',
      ],
    };
    const argsFor = (surface?: Surface) =>
      createCommand('/n', '/m.js', { ...wish, surface, isReadOnly: true }, held).args.slice(4);
    expect(argsFor()).toEqual(['--read-only', '--surface', 'compact', '--state', '/s']);
    expect(argsFor('full')).toEqual(['--read-only', '--state', '/s']);
    expect(argsFor('compact')).toEqual(['--read-only', '--state', '/s', '--surface', 'compact']);
    expect(argsFor('actions')).toEqual(['--read-only', '--state', '/s', '--surface', 'actions']);
    expect(createCommand('/n', '/m.js', wish, held).args).toContain('--read-only');
  });

  it('allows a folder that is not a vault if asked to, and keeps allowing it', () => {
    const created = createCommand('/n', '/m.js', { ...wish, create: true });
    expect(created.args).toEqual(['/m.js', 'mcp', '--vault', '/v', '--create']);
    expect(createCommand('/n', '/m.js', wish, created)).toEqual(created);
    expect(createCommand('/n', '/m.js', { ...wish, create: true }, created)).toEqual(created);
  });

  it('names the given toolsets, or else keeps the existing ones', () => {
    const argsFor = (toolsets: string | undefined, ...held: string[]) =>
      createCommand(
        '/n',
        '/m.js',
        { ...wish, toolsets },
        { args: ['mcp', '--vault', '/x', ...held] },
      ).args.slice(4);
    expect(argsFor('storage,index')).toEqual(['--toolsets', 'storage,index']);
    expect(argsFor('none', '--toolsets=storage', '--state', '/s')).toEqual([
      '--state',
      '/s',
      '--toolsets',
      'none',
    ]);
    expect(argsFor(undefined, '--toolsets', 'all')).toEqual(['--toolsets', 'all']);
    expect(argsFor('', '--toolsets', 'all', '--state', '/s')).toEqual(['--state', '/s']);
  });

  it('is recognized by the program that it starts', () => {
    const own = {
      command: 'npx',
      args: ['-y', 'savepoint', 'mcp', '--vault=/v'],
      env: { A: 'b', C: 3 },
    };
    expect(ownEntries({ memory: own })).toEqual([
      { name: 'memory', command: 'npx', args: own.args, env: { A: 'b' }, vault: '/v' },
    ]);
    expect(
      ownEntries({ savepoint: { command: 'n', args: ['main.js', 'mcp', '--vault', '/v'] } }),
    ).toHaveLength(1);
    const foreign = {
      a: null,
      b: 3,
      c: { command: 'x' },
      d: { command: 'x', args: [1] },
      e: { command: 'other', args: ['mcp', '--vault', '/v'] },
      savepoint: { url: 'http://127.0.0.1' },
      'savepoint-x': { command: 'n', args: ['main.js', 'serve'] },
    };
    expect(ownEntries(foreign)).toEqual([]);
  });

  it('is recognized in the forms that users write by hand', () => {
    const vaults = (server: object, name = 'memory') =>
      ownEntries({ [name]: server }).map(({ vault }) => vault);
    expect(vaults({ command: 'savepoint', args: ['mcp', '--vault', '/v'] })).toEqual(['/v']);
    expect(vaults({ command: '/usr/bin/savepoint', args: ['mcp'] })).toEqual(['']);
    const args = ['/x/main.js', 'mcp'];
    const env = { SAVEPOINT_VAULT: '/w', OTHER: 'x' };
    expect(vaults({ command: 'node', args, env }, 'savepoint')).toEqual(['/w']);
    expect(
      vaults({ command: 'node', args, env: { SAVEPOINT_VAULT: '${V}' } }, 'savepoint'),
    ).toEqual(['']);
    expect(vaults({ command: 'node', args, env })).toEqual([]);
  });

  it('is recognised in the form of opencode, and if it is disabled', () => {
    const command = ['n', 'main.js', 'mcp', '--vault', '/v'];
    const server = { type: 'local', command, environment: { A: 'b' }, enabled: false };
    expect(ownEntries({ savepoint: server })).toEqual([
      {
        name: 'savepoint',
        command: 'n',
        args: command.slice(1),
        env: { A: 'b' },
        vault: '/v',
        isDisabled: true,
      },
    ]);
    expect(ownEntries({ savepoint: { ...server, command: [] } })).toEqual([]);
  });

  it('can contain an option as "--a b" or "--a=b"', () => {
    expect(
      [['--a', 'b'], ['--a=b=c'], ['--aa', 'b'], ['a']].map((args) => optionOf(args, 'a')),
    ).toEqual(['b', 'b=c', undefined, undefined]);
  });
});

describe('the name of an entry', () => {
  const nameFor = (vault: string, ...taken: string[]) =>
    uniqueServerName(node, new Set(taken), vault);

  it("is plain for the first vault, and contains the vault's name for others", () => {
    expect(nameFor('/home/My Vault!')).toBe('savepoint');
    expect(nameFor('/home/My Vault!', 'savepoint')).toBe('savepoint-my-vault');
    expect(
      uniqueServerName(
        { ...node, path: win32 },
        new Set(['savepoint']),
        'C:\\Users\\a\\Notizbücher',
      ),
    ).toBe('savepoint-notizbu-cher');
  });

  it('is unique for vaults with equal names or other scripts', () => {
    const names = [
      nameFor('/a/notes', 'savepoint', 'savepoint-notes'),
      nameFor('/b/notes', 'savepoint', 'savepoint-notes'),
      nameFor('/工作', 'savepoint'),
      nameFor('/Личное', 'savepoint'),
      nameFor(`/${'x'.repeat(200)}`, 'savepoint'),
    ];
    expect(new Set(names).size).toBe(5);
    for (const name of names) expect(name).toMatch(/^savepoint-[a-z0-9-]{1,32}$/);
    expect(names[2]).toMatch(/^savepoint-[0-9a-f]{6}$/);
  });
});
