import { build } from 'esbuild';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { allWorkspaces } from '../../../src/model/lookup.js';
import { createFolderFiles } from '../../../src/node/ports/folder-files.js';
import { createNodeClock, createNodeRandom } from '../../../src/node/ports/host-ports.js';
import { createFolderWatch } from '../../../src/node/ports/watch-folder.js';
import type { Log } from '../../../src/storage/vault-log.js';
import { createLog } from '../../../src/storage/vault-log.js';
import type { LogChange } from '../../../src/storage/change-feed.js';
import { createMemoryIdentities } from '../../fakes/deterministic.js';
import { runProgram, temporaryFolder } from '../../fakes/program.js';
import { node } from '../folders.js';
import { inFull } from '../../tier.js';

const testInFull = it.runIf(inFull('folders watched by polling'));

const itInFull = it.runIf(inFull('watching a folder that is moved away and back'));

/** Upper limit of waits for notifications. No test depends on how long they take. */
const PATIENCE = { timeout: 30_000, interval: 10 };

function openLog(
  vault: string,
  fs = node.fs,
): { log: Log; changes: LogChange[]; stop: () => void } {
  const log = createLog({
    files: createFolderFiles(node, vault),
    root: 'Savepoint',
    identities: createMemoryIdentities(),
    app: 'test',
    device: 'test',
    clock: createNodeClock(node.timers),
    random: createNodeRandom(node.crypto),
    warn: () => undefined,
    watch: createFolderWatch({ ...node, fs }, vault, 'Savepoint'),
  });
  onTestFinished(() => log.close());
  const changes: LogChange[] = [];
  return { log, changes, stop: log.onChange((change) => void changes.push(change)) };
}

/** Saves a workspace and the trace of the call in another process. */
async function saveElsewhere(vault: string, name: string): Promise<void> {
  const params = JSON.stringify({ name, description: 'd', rootFolder: '/', purpose: 'p' });
  const { code, stderr } = await runProgram([
    'call',
    'createWorkspace',
    '--vault',
    vault,
    '--state',
    temporaryFolder('state'),
    '--json',
    params,
  ]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
}

const names = async (log: Log) =>
  allWorkspaces(await log.memory()).map(({ displayName }) => displayName);

/** Resolves once the listener was notified of a change of that kind since `from`. */
const notified = (changes: readonly LogChange[], kind: keyof LogChange, from = 0) =>
  vi.waitFor(() => expect(changes.slice(from).some((change) => change[kind])).toBe(true), PATIENCE);

describe('FolderWatch', () => {
  it('reports writes of another process, even into a new data folder', async () => {
    const vault = temporaryFolder();
    const { log, changes } = openLog(vault);
    expect(await names(log)).toEqual(['Default']);
    await saveElsewhere(vault, 'First');
    await notified(changes, 'memory');
    expect(await names(log)).toEqual(['Default', 'First']);
    const before = changes.length;
    await saveElsewhere(vault, 'Second');
    await notified(changes, 'memory', before);
    expect(await names(log)).toEqual(['Default', 'First', 'Second']);
  });

  testInFull('reports traces once traces have been read', async () => {
    const vault = temporaryFolder();
    const { log, changes } = openLog(vault);
    await log.traceEntries('default');
    await saveElsewhere(vault, 'First');
    await notified(changes, 'traces');
  });

  testInFull('polls if the system cannot watch', async () => {
    const vault = temporaryFolder();
    const { log, changes } = openLog(vault, {
      ...node.fs,
      watch() {
        throw Object.assign(new Error('ENOSPC: System limit for number of file watchers reached'), {
          code: 'ENOSPC',
        });
      },
    });
    await saveElsewhere(vault, 'First');
    expect(await names(log)).toContain('First');
    const before = changes.length;
    await saveElsewhere(vault, 'Second');
    await notified(changes, 'memory', before);
  });

  itInFull('continues in a data folder that was moved away and back', async () => {
    const vault = temporaryFolder();
    await saveElsewhere(vault, 'First');
    const { log, changes } = openLog(vault);
    await names(log);
    await node.fs.rename(join(vault, 'Savepoint'), join(vault, 'Elsewhere'));
    await node.fs.cp(join(vault, 'Elsewhere'), join(vault, 'Savepoint'), { recursive: true });
    const before = changes.length;
    await saveElsewhere(vault, 'Second');
    await notified(changes, 'memory', before);
    expect(await names(log)).toContain('Second');
  });

  it('watches nothing without listeners', async () => {
    const vault = temporaryFolder();
    await saveElsewhere(vault, 'First');
    const signals: AbortSignal[] = [];
    const { stop } = openLog(vault, {
      ...node.fs,
      watch: ((folder: string, options: { signal: AbortSignal }) => {
        signals.push(options.signal);
        return node.fs.watch(folder, options);
      }) as typeof node.fs.watch,
    });
    await vi.waitFor(() => expect(signals.length).toBeGreaterThanOrEqual(5), PATIENCE);
    stop();
    expect(signals.every(({ aborted }) => aborted)).toBe(true);
  });

  it('keeps no process alive', async () => {
    const folder = temporaryFolder();
    const source = fileURLToPath(
      new URL('../../../src/node/ports/watch-folder.ts', import.meta.url),
    );
    const contents = `import * as fs from 'node:fs/promises'; import * as path from 'node:path'; import * as timers from 'node:timers';
      import { createFolderWatch } from ${JSON.stringify(source)};
      createFolderWatch({ fs, path, timers }, ${JSON.stringify(folder)}, '').start(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, 100));
      console.log('done');`;
    const outfile = join(folder, 'watch.mjs');
    await build({
      stdin: { contents, resolveDir: folder },
      outfile,
      bundle: true,
      platform: 'node',
      format: 'esm',
    });
    expect(await promisify(execFile)(process.execPath, [outfile])).toEqual({
      stdout: 'done\n',
      stderr: '',
    });
  });
});
