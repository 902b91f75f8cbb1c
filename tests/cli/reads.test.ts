// Tier full: runs every reading command in four vaults
import { lstatSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runProgram, temporaryFolder } from '../fakes/program.js';
import { garden, stateNamed } from '../fakes/test-vault.js';
import { callInProcess, createFolders, type TestFolders } from './program-folders.js';

/** Calls of every toolset that only reads, in the workspace Garden if it exists. */
const READING_CALLS = [
  { agent: 'memoryManager', tool: 'listWorkspaces' },
  { agent: 'memoryManager', tool: 'loadWorkspace', params: { name: 'Default' } },
  { agent: 'memoryManager', tool: 'listStates' },
  { agent: 'memoryManager', tool: 'loadState', params: { name: 'Plan' } },
  {
    agent: 'searchManager',
    tool: 'searchMemory',
    params: { query: 'plan', workspaceId: 'default' },
  },
  { agent: 'searchManager', tool: 'searchContent', params: { query: 'tomatoes' } },
  { agent: 'searchManager', tool: 'searchDirectory', params: { query: 'note' } },
  { agent: 'storageManager', tool: 'workspaceStorageList' },
  { agent: 'storageManager', tool: 'workspaceStorageRead', params: { path: 'none.md' } },
  { agent: 'storageManager', tool: 'sessionStorageList' },
  { agent: 'indexManager', tool: 'indexStatus' },
  { agent: 'validationManager', tool: 'validateWorkspace' },
  { agent: 'traceManager', tool: 'timeline' },
];

/**
 * Returns every file and folder in a folder and itself, with the time of its last change and its
 * size.
 */
function listingOf(folder: string): string[] {
  return ['.', ...readdirSync(folder, { recursive: true, encoding: 'utf8' })].sort().map((path) => {
    const { mtimeMs, ctimeMs, size } = lstatSync(join(folder, path));
    return `${path} ${mtimeMs} ${ctimeMs} ${size}`;
  });
}

/** Runs every reading command, and expects that none changes the vault. */
async function expectUnchanged({ vault, state }: TestFolders): Promise<void> {
  const before = listingOf(vault);
  const out = temporaryFolder('out');
  const commands = [
    ['verify'],
    ['doctor'],
    ['search', 'tomatoes', '--state', state],
    ['search', 'plan', '--memory', '--state', state],
    ['brief', '--state', state],
    ['export', '--to', join(out, 'lines')],
    ['export', '--to', join(out, 'notes'), '--as', 'notes'],
    ['call', 'listStates', '--json', '{}', '--state', state],
    ['call', 'loadState', '--json', '{"name":"None"}', '--state', state],
    ['call', 'getTools', '--json', '{}', '--state', state],
    [
      'call',
      'useTools',
      '--json',
      JSON.stringify({ calls: READING_CALLS, strategy: 'parallel' }),
      '--state',
      state,
    ],
  ];
  for (const command of commands) {
    const { stdout, stderr } = await runProgram([...command, '--vault', vault], {
      env: { ...process.env, HOME: out, XDG_CONFIG_HOME: out, SAVEPOINT_STATE: state },
    });
    expect(stdout + stderr, command.join(' ')).not.toMatch(/wrong|Unknown/);
    expect(listingOf(vault), command.join(' ')).toEqual(before);
  }
}

describe('a command that reads', () => {
  it('changes nothing in an empty vault', async () => {
    await expectUnchanged(createFolders());
  });

  it('changes nothing in a folder that is not a vault', async () => {
    await expectUnchanged({ vault: temporaryFolder('plain'), state: temporaryFolder('state') });
  });

  it('changes nothing in a used vault, from its own device and from a new one', async () => {
    const at = createFolders();
    writeFileSync(join(at.vault, 'note.md'), 'Water the tomatoes.');
    await callInProcess(at, 'createWorkspace', garden);
    await callInProcess(at, 'createState', stateNamed('Plan'));
    await callInProcess({ ...at, state: temporaryFolder('state') }, 'createState', stateNamed('B'));
    await expectUnchanged(at);
    await expectUnchanged({ ...at, state: temporaryFolder('state') });
  });
});
