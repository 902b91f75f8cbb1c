import { EventEmitter } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findApp } from '../src/apps/index.js';
import { clientRefusal } from '../src/agents/client-policy.js';
import { onlyProgram } from '../src/cli/commands/import.js';
import { installPlugin } from '../src/cli/install-plugin.js';
import { REQUEST_TIMEOUT_MS } from '../src/indexing/notes/remote-embeddings.js';
import { checkConnection } from '../src/node/client-setup/check/check-connection.js';
import { readConfig } from '../src/node/client-setup/plan.js';
import { findVaultProblem } from '../src/node/find-vault.js';
import { findKnownVault } from '../src/node/known-vault.js';
import { createProblems } from '../src/node/git/problems.js';
import { startHttpServer } from '../src/node/serve/http-server.js';
import { APPROVAL_TIMEOUT_MS } from '../src/obsidian/clients/approvals/approvals.js';
import { en } from '../src/obsidian/i18n/en.js';
import { failureFromNetwork, failureFromResponse } from '../src/obsidian/models/failures.js';
import { findProvider } from '../src/obsidian/models/providers.js';
import { fileErrorText } from '../src/platform/files.js';
import { disabledReason } from '../src/toolkit/toolkit.js';
import { createTestVault, stateNamed } from './fakes/test-vault.js';
import { createFolder, node } from './node/folders.js';

const root = fileURLToPath(new URL('..', import.meta.url));

/** A failure that a page quotes, and how to make the program say it. */
type QuotedFailure = readonly [title: string, fail: () => Promise<string> | string];

/** The failures that pages quote with values that the program inserts. */
export const QUOTED_FAILURES: readonly QuotedFailure[] = [
  [
    'a name that two devices have given',
    async () => {
      const [one, two] = [createTestVault({ seed: 1 }), createTestVault({ seed: 2 })];
      await one.data('createWorkspace', thesis);
      await two.data('createWorkspace', { ...thesis, description: 'Another' });
      for (const path of two.files.paths())
        if (path.endsWith('.jsonl')) one.files.put(path, two.files.text(path));
      return one.error('loadWorkspace', { name: 'Thesis' });
    },
  ],
  [
    'a taken state name',
    async () => {
      const vault = createTestVault();
      await vault.data('createState', stateNamed('Figures chosen'));
      return vault.error('createState', stateNamed('Figures chosen'));
    },
  ],
  ['an unknown state name', () => createTestVault().error('loadState', { name: 'Figures chosen' })],
  [
    'a state that would be saved in another workspace',
    async () => {
      const vault = createTestVault();
      await vault.error('loadWorkspace', { name: 'Thesis' });
      return vault.error('createState', stateNamed('Figures chosen'));
    },
  ],
  [
    'a file that exists',
    async () => {
      const vault = createTestVault();
      await vault.data('workspaceStorageWrite', { path: 'plan.md', content: 'A' });
      return vault.error('workspaceStorageWrite', { path: 'plan.md', content: 'B' });
    },
  ],
  ['a taken workspace name', () => en.commands.createWorkspace.taken('Thesis')],
  [
    'the data of several programs',
    () => messageOf(() => onlyProgram('/path/to/data', ['nexus', 'server-memory'])),
  ],
  ['a long conversation', () => en.chat.context.nearLimit(0.85)],
  [
    'a request that nobody answered',
    () => en.connections.approvals.refusals.tooLate(APPROVAL_TIMEOUT_MS / 1000),
  ],
  ['the repository of another user', () => createProblems('Garden')('foreign').message],
  [
    'a vault without settings',
    async () => {
      const vault = createFolder();
      const options = { source: root, version: '1.0.0', vault, config: undefined };
      const message = await messageOf(() => installPlugin(node, options));
      return message.replaceAll(vault, '/path/to/notes');
    },
  ],
  [
    'a folder that is no vault',
    async () => {
      const folder = createFolder();
      const found = await findVaultProblem(node, folder);
      return found?.problem.replaceAll(folder, '/path/to/notes') ?? '';
    },
  ],
  [
    'a command without a vault',
    async () => {
      const home = createFolder();
      const env = { HOME: home, USERPROFILE: home, APPDATA: home };
      const at = { env, platform: process.platform, stateFolder: home, folder: home };
      const found = await findKnownVault({ ...node, os: { ...node.os, homedir: () => home } }, at);
      return 'problem' in found ? found.problem : '';
    },
  ],
  ['a program that was removed', () => checkEntry('/opt/node-18/bin/node')],
  ['a vault that was moved', () => checkEntry(process.execPath)],
  [
    'a damaged settings file',
    async () => {
      const folder = createFolder();
      const file = join(folder, 'claude_desktop_config.json');
      writeFileSync(file, `{${'\n'.repeat(5)}  "theme": "dark"\n  "mcpServers": {}\n}`);
      const config = { app: findApp('config', 'claude-desktop')!, file, folder };
      const message = await messageOf(() => readConfig(node, config));
      return message.replaceAll(folder, '/path/to');
    },
  ],
  [
    'an app that must ask while nobody can answer',
    () => {
      const lists = { writingClients: [], askingClients: [], readOnlyClients: [] };
      const policy = { isReadOnly: false, otherClients: 'ask', ...lists } as const;
      return clientRefusal(policy, 'claude-ai', { access: 'write', isRelay: false }) ?? '';
    },
  ],
  [
    'a toolset that a connection does not have',
    () => {
      const { toolsets, host } = createTestVault().toolkit;
      const reasons = toolsets.map((toolset) =>
        toolset.switchName === 'storage' ? disabledReason(toolset, host, []) : undefined,
      );
      return reasons.find((reason) => reason !== undefined) ?? '';
    },
  ],
  ['a port that is in use', () => listenOnTakenPort(4100)],
  ['a full disk', () => fileErrorText('save', 'Savepoint/core/a.jsonl', 'ENOSPC')],
  [
    'a model server that does not run',
    () => {
      const { name = '', baseUrl = '' } = findProvider('ollama') ?? {};
      return failureFromNetwork(name, `${baseUrl}/chat/completions`, true).message;
    },
  ],
  [
    'a wrong key',
    () => {
      const response = { status: 401, body: '', headers: {} };
      return failureFromResponse(findProvider('anthropic')?.name ?? '', '', response, 0).message;
    },
  ],
  [
    'a missing key',
    () => {
      const { name = '', keyUrl = '' } = findProvider('anthropic') ?? {};
      return en.chat.models.noKey(name, keyUrl);
    },
  ],
  ['a silent embeddings server', () => en.meaning.silent(REQUEST_TIMEOUT_MS / 1000)],
];

const thesis = {
  name: 'Thesis',
  description: 'A thesis',
  purpose: 'Graduate',
  rootFolder: 'Thesis',
};

/** Replaces what differs between devices: marks of names, and dates. */
export function withoutMarks(text: string): string {
  return text.replace(/⟨\w{4}⟩/g, '⟨mark⟩').replace(/\d{4}-\d\d(?:-\d\d)?/g, 'date');
}

async function messageOf(fail: () => unknown): Promise<string> {
  try {
    await fail();
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('It did not fail.');
}

async function checkEntry(command: string): Promise<string> {
  const vault = '/path/to/vault';
  const args = [join(root, 'main.js'), 'mcp', '--vault', vault];
  const entry = { name: 'savepoint', command, args, env: {}, vault };
  const host = {
    platform: process.platform,
    env: process.env,
    home: '/home/someone',
    execPath: process.execPath,
  };
  const steps = await checkConnection(node, host, entry, { version: '1.0.0' });
  return steps.at(-1)?.text ?? '';
}

function listenOnTakenPort(port: number): Promise<string> {
  const server = Object.assign(new EventEmitter(), {
    listen: () => server.emit('error', Object.assign(new Error(), { code: 'EADDRINUSE' })),
  });
  const http = { ...node.http, createServer: () => server as never };
  const { toolkit } = createTestVault();
  const options = { toolkit, mcp: {} as never, folder: createFolder(), port, report: () => {} };
  return messageOf(() => startHttpServer({ ...node, http }, options));
}
