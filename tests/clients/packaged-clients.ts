import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PROGRAM, type RunResult } from '../fakes/program.js';
import { stateNamed } from '../fakes/test-vault.js';
import { createFolder } from '../node/folders.js';
import { isNightly } from '../tier.js';
import { installClient } from './install-client.js';
import {
  createHome,
  REAL_CLIENTS,
  runClient,
  type ClientHome,
  type RealClient,
} from './real-clients.js';

const SCRIPT = fileURLToPath(new URL('../../scripts/make-packages.mjs', import.meta.url));
const SKILLS = ['save-point', 'resume', 'decide'];

/** How a client installs its package and shows what is in it. */
export interface PackagedClient {
  readonly id: 'claude-code' | 'codex' | 'gemini';
  /** Commands that install the package from a folder. */
  readonly install: (folder: string, vault: string) => readonly (readonly string[])[];
  /** The client's own check of the package, and a sentence of its answer; absent if it has none. */
  readonly validate?: (folder: string) => {
    readonly args: readonly string[];
    readonly answer: RegExp;
  };
  /**
   * Commands whose output, together, names the server and, if the client lists them, the skills and
   * hooks.
   */
  readonly show: readonly (readonly string[])[];
  readonly shown: readonly RegExp[];
  /** Arguments that allow hooks which nobody has looked at. */
  readonly trust: readonly string[];
  readonly folder: string;
}

const PACKAGED: readonly PackagedClient[] = [
  {
    id: 'claude-code',
    folder: 'claude-code',
    validate: (folder) => ({
      args: ['plugin', 'validate', '--strict', join(folder, 'savepoint')],
      answer: /Validation passed/,
    }),
    install: (folder, vault) => [
      ['plugin', 'marketplace', 'add', folder],
      ['plugin', 'install', 'savepoint@savepoint', '--config', `vault=${vault}`],
    ],
    show: [
      ['plugin', 'details', 'savepoint@savepoint'],
      ['mcp', 'list'],
    ],
    shown: [
      /plugin:savepoint:savepoint: .* - .*Connected/,
      /Hooks \(4\) +SessionStart, Stop, PreCompact, SessionEnd/,
      ...SKILLS.map((name) => new RegExp(`Skills \\(3\\).*${name}`)),
    ],
    trust: [],
  },
  {
    id: 'codex',
    folder: 'codex',
    install: (folder) => [
      ['plugin', 'marketplace', 'add', folder],
      ['plugin', 'add', 'savepoint@savepoint'],
    ],
    show: [
      ['plugin', 'list'],
      ['mcp', 'list', '--json'],
    ],
    shown: [/savepoint@savepoint +installed, enabled/, /"name": "savepoint",\s+"enabled": true/],
    trust: ['--dangerously-bypass-hook-trust'],
  },
  {
    id: 'gemini',
    folder: 'gemini',
    validate: (folder) => ({
      args: ['extensions', 'validate', folder],
      answer: /has been successfully validated/,
    }),
    install: (folder) => [['extensions', 'install', folder, '--consent', '--skip-settings']],
    show: [
      ['extensions', 'list'],
      ['mcp', 'list'],
    ],
    shown: [
      /savepoint \(from savepoint\): .* - Connected/,
      ...SKILLS.map((name) => new RegExp(`^ +${name}: `, 'm')),
    ],
    trust: [],
  },
];

/** A packaged client with the folder of its programs, or with the reason to skip it. */
export type AvailableClient = RealClient &
  PackagedClient &
  ({ readonly bin: string } | { readonly problem: string });

export function availableClients(): AvailableClient[] {
  return PACKAGED.map((packaged) => {
    const client = REAL_CLIENTS.find(({ id }) => id === packaged.id);
    if (!client) throw new Error(`${packaged.id} is not among the real clients.`);
    const installed = isNightly ? installClient(client.npmPackage) : { problem: 'not asked for' };
    if (isNightly && 'problem' in installed) console.warn(`Skipped: ${installed.problem}`);
    return { ...client, ...packaged, ...installed };
  });
}

/** The newest state of the vault of `createPackagedHome`, and its active task. */
export const STATE = 'Outline of chapter two';
export const STATE_TASK = 'Sort the sources';

/**
 * A home folder in which clients have installed their packages, with a vault, a linked project and
 * one that is not linked.
 */
export interface PackagedHome {
  readonly home: string;
  readonly packages: string;
  readonly vault: string;
  readonly project: string;
  readonly otherProject: string;
  /** Results of the installing programs. */
  readonly results: readonly RunResult[];
  envOf(client: AvailableClient): NodeJS.ProcessEnv;
  /** Runs a client, in the linked project unless another folder is named. */
  run(client: AvailableClient, args: readonly string[], cwd?: string): Promise<RunResult>;
  /** Runs this program in the linked project. */
  savepoint(...args: string[]): Promise<RunResult>;
}

export async function createPackagedHome(
  clients: readonly AvailableClient[],
  modelUrl: string,
): Promise<PackagedHome> {
  const home = createFolder();
  const packages = join(home, 'packages');
  const homes = new Map<string, ClientHome>();
  for (const client of clients)
    if ('bin' in client) homes.set(client.id, createHome(home, client, client.bin, modelUrl));
  const [first] = homes.values();
  if (!first) throw new Error('No client is available');
  const { vault, project, otherProject } = first;
  const envOf = ({ id }: AvailableClient) => homes.get(id)?.env ?? first.env;
  const run = (client: AvailableClient, args: readonly string[], cwd = project) =>
    runClient(client.program, args, cwd, envOf(client));
  const savepoint = (...args: string[]) =>
    runClient(process.execPath, [PROGRAM, ...args], project, first.env);

  await runClient(process.execPath, [SCRIPT, '--out', packages], home, process.env);
  // The only vault that Obsidian lists is the one that the packages use.
  mkdirSync(join(home, '.config/obsidian'), { recursive: true });
  const vaults = { only: { path: vault, ts: 1 } };
  writeFileSync(join(home, '.config/obsidian/obsidian.json'), JSON.stringify({ vaults }));
  const state = JSON.stringify(stateNamed(STATE, { activeTask: STATE_TASK }));
  const results = [
    await savepoint('call', 'createState', '--vault', vault, '--json', state),
    await savepoint('link', '--workspace', 'Default', '--vault', vault, '--capture', 'on'),
  ];
  for (const client of clients) {
    for (const args of client.install(join(packages, client.folder), vault))
      results.push(await run(client, args));
    const settings = join(home, client.marker, 'settings.json');
    if (client.id === 'gemini' && !existsSync(settings)) writeFileSync(settings, '{}');
    client.configure?.(home, modelUrl);
  }
  return { home, packages, vault, project, otherProject, results, envOf, run, savepoint };
}
