// Tier full: counts the file system calls of tool calls with strace
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { PROGRAM, runProgram, temporaryFolder } from '../fakes/program.js';
import { garden, stateNamed } from '../fakes/test-vault.js';
import { createFolders, type TestFolders } from './program-folders.js';

/** What reaches the file system. Reads and seeks of open files are not counted. */
const COUNTED =
  'openat,statx,newfstatat,readlink,getdents64,close,write,writev,fsync,fdatasync,mkdir,rename,unlink';
/** Until then, files that have just been written are read again at each call. */
const SETTLE_MS = 4000;
const REPETITIONS = 20;

const hasStrace = spawnSync('strace', ['-V']).status === 0;
if (!hasStrace) console.log('Skipped, because strace is not installed: file system calls');

/** Starts a server in a folder, and counts its file system calls. */
async function startCounted({ vault, state }: TestFolders, cwd: string) {
  const file = join(temporaryFolder('calls'), 'calls');
  const options = ['-f', '-y', '-s', '20', '-e', `trace=${COUNTED}`, '-o', file];
  const client = new Client({ name: 'counter', version: '1' });
  await client.connect(
    new StdioClientTransport({
      command: 'strace',
      args: [...options, process.execPath, PROGRAM, 'mcp', '--vault', vault, '--state', state],
      cwd,
      env: { PATH: process.env['PATH'] ?? '', HOME: state },
    }),
  );
  onTestFinished(() => client.close());
  const call = async (name: string, params: Record<string, unknown>) => {
    const { structuredContent } = await client.callTool({ name, arguments: params });
    expect(structuredContent).toMatchObject({ success: true });
  };
  return {
    call,
    /**
     * Returns the number of file system calls from one answer to the next, the smallest of some:
     * the traces of several calls are stored together, and folders are listed again after a while.
     */
    async count(name: string, paramsOf: (turn: number) => Record<string, unknown>) {
      for (let turn = 0; turn <= REPETITIONS; turn++) await call(name, paramsOf(turn));
      const counts = [0];
      for (const line of readFileSync(file, 'utf8').split('\n')) {
        const isAnswer = /\bwritev?\(1</.test(line);
        if (isAnswer || isOfFile(line)) counts.push(counts.pop()! + 1);
        if (isAnswer) counts.push(0);
      }
      return Math.min(...counts.slice(-1 - REPETITIONS, -1));
    },
  };
}

/** Returns false for what strace says of pipes, sockets, and the ends of calls. */
function isOfFile(line: string): boolean {
  return /^\d+ +\w+\((?:\d+<\/|AT_FDCWD|")/.test(line);
}

async function linkProject({ vault, state }: TestFolders, project: string): Promise<void> {
  const places = ['--vault', vault, '--state', state];
  const run = async (...args: string[]) =>
    expect(await runProgram([...args, ...places])).toMatchObject({ code: 0 });
  await run('call', 'createWorkspace', '--json', JSON.stringify({ ...garden, name: 'Web' }));
  await run('link', '--project', project, '--workspace', 'Web');
}

function initRepository(folder: string): void {
  const own = ['-c', 'user.name=Ana', '-c', 'user.email=ana@example.org'];
  const git = (...args: string[]) => execFileSync('git', ['-C', folder, ...own, ...args]);
  git('init', '--quiet');
  git('commit', '--quiet', '--allow-empty', '--message', 'Start');
}

function expectAtMost<T extends Record<string, number | undefined>>(counts: T, bounds: T): void {
  for (const [name, bound] of Object.entries(bounds))
    expect(counts[name], `${name}: ${JSON.stringify(counts)}`).toBeLessThanOrEqual(bound!);
}

describe.runIf(hasStrace)('a call looks once at what is around it', () => {
  async function countsIn(folders: TestFolders, cwd: string) {
    const settings = join(folders.vault, '.obsidian/plugins/savepoint/data.json');
    mkdirSync(dirname(settings), { recursive: true });
    writeFileSync(settings, '{}');
    const counted = await startCounted(folders, cwd);
    await counted.call('createState', stateNamed('First'));
    await counted.call('searchMemory', { query: 'first' });
    await sleep(SETTLE_MS);
    return {
      save: await counted.count('createState', (turn) => stateNamed(`Turn ${turn}`)),
      load: await counted.count('loadState', () => ({ name: 'First' })),
      search: await counted.count('searchMemory', () => ({ query: 'first' })),
    };
  }

  it('in a vault', async () => {
    const folders = createFolders();
    expectAtMost(await countsIn(folders, folders.vault), { save: 16, load: 8, search: 14 });
  });

  it('in a folder of a linked project, with git', async () => {
    const folders = createFolders();
    const project = join(temporaryFolder('projects'), 'web');
    mkdirSync(join(project, 'src'), { recursive: true });
    initRepository(folders.vault);
    initRepository(project);
    await linkProject(folders, project);
    expectAtMost(await countsIn(folders, join(project, 'src')), { save: 20, load: 12, search: 16 });
  });
});
