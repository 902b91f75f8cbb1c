import { existsSync, readdirSync, rmSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { allWorkspaces } from '../../src/model/lookup.js';
import { createFolderFiles } from '../../src/node/ports/folder-files.js';
import { FolderCache } from '../../src/node/ports/folder-cache.js';
import { FolderCopies } from '../../src/node/ports/folder-copies.js';
import { createFolderIdentities } from '../../src/node/ports/state-folder.js';
import { createFolderWatch } from '../../src/node/ports/watch-folder.js';
import type { Log } from '../../src/storage/vault-log.js';
import { createLog } from '../../src/storage/vault-log.js';
import { verify } from '../../src/storage/integrity/verify.js';
import { createTestClock, START_TIME } from '../fakes/deterministic.js';
import { workspaceDraft } from '../fakes/events.js';
import { createFolder, node, openFilesIn } from './folders.js';
import { canMount, onSmallDisk } from './small-disk.js';

const ROOT = 'Savepoint';

/** Opens a log with all that it stores on a device, and closes it after the test. */
function open(vault: string, state = createFolder()): Log {
  const log = createLog({
    files: createFolderFiles(node, vault),
    root: ROOT,
    identities: createFolderIdentities(node, state),
    copies: new FolderCopies(node, { vault, stateFolder: state, deviceFolder: join(state, 'x') }),
    cache: new FolderCache(node, join(state, 'read')),
    watch: createFolderWatch(node, vault, ROOT),
    clock: createTestClock(),
    random: { bytes: (count: number) => node.crypto.randomBytes(count) },
    app: 'savepoint/test',
    device: 'test',
    warn: () => undefined,
  });
  onTestFinished(() => log.close());
  return log;
}

function put(log: Log, name: string, padding = 0): Promise<string | undefined> {
  return log.write(() => ({
    drafts: [workspaceDraft(name, `ws-${name}`, { purpose: 'x'.repeat(padding) })],
    answer: name,
  }));
}

async function names(log: Log): Promise<string[]> {
  return allWorkspaces(await log.memory())
    .map(({ item }) => item.name)
    .filter((name) => name !== 'Default')
    .sort();
}

describe('log on disk', () => {
  it('continues where it stopped, across concurrent and later processes', async () => {
    const [vault, state] = [createFolder(), createFolder()];
    for (let round = 0; round < 3; round++) {
      const logs = [open(vault, state), open(vault, state), open(vault, state)];
      await Promise.all(
        logs.flatMap((log, at) =>
          Array.from({ length: 10 }, (_, i) => put(log, `Plan ${round}${at}${i}`)),
        ),
      );
      for (const log of logs) expect(await names(log)).toHaveLength((round + 1) * 30);
      await Promise.all(logs.map((log) => log.close()));
    }
    const report = await verify(createFolderFiles(node, vault), ROOT, { now: START_TIME });
    expect(report).toMatchObject({ isWhole: true, problems: [] });
    expect(report.writers).toHaveLength(3);
    expect(readdirSync(join(vault, ROOT, 'core', '2026-11'))).toHaveLength(3);
  });

  it.runIf(existsSync('/proc/self/fd'))(
    'keeps no file open after it is closed, even if its vault got another id',
    async () => {
      const parent = createFolder();
      const vaults = [join(parent, 'one'), join(parent, 'two')] as const;
      await Promise.all(vaults.map((vault) => node.fs.mkdir(vault)));
      const stateOf = (vault: string) => `${vault}-state`;
      const logs = vaults.map((vault) => open(vault, stateOf(vault)));
      await Promise.all(logs.map((log, at) => put(log, `Plan ${at}`)));
      const openCopies = () => vaults.flatMap((vault) => openFilesIn(stateOf(vault)));
      expect(openCopies()).toHaveLength(2); // not synced yet
      for (const [from, to] of [vaults, [...vaults].reverse() as [string, string]])
        await node.fs.cp(join(from, ROOT), join(to, ROOT), { recursive: true });
      for (const log of logs) expect(await names(log)).toEqual(['Plan 0', 'Plan 1']);
      await Promise.all(logs.map((log) => log.close()));
      expect(openCopies()).toEqual([]);
      // Nobody waits until a segment is closed.
      await expect.poll(() => openFilesIn(parent)).toEqual([]);
    },
  );

  it('uses a new writer if a sync tool replaces its file by a copy', async () => {
    const vault = createFolder();
    const log = open(vault);
    await put(log, 'One');
    const folder = join(vault, ROOT, 'core', '2026-11');
    const [name] = readdirSync(folder);
    await node.fs.copyFile(join(folder, name!), join(folder, '.syncthing.tmp'));
    await node.fs.rename(join(folder, '.syncthing.tmp'), join(folder, name!));
    const before = statSync(join(folder, name!));
    await put(log, 'Two');
    expect(statSync(join(folder, name!)).size).toBe(before.size);
    expect(await names(open(vault))).toEqual(['One', 'Two']);
  });

  it('reports a file in place of its folder, and recovers once it is gone', async () => {
    const vault = createFolder();
    const files = createFolderFiles(node, vault);
    const log = open(vault);
    writeFileSync(join(vault, ROOT), 'in the way');
    await expect(put(log, 'One')).rejects.toThrow(/a file is in the way/);
    unlinkSync(join(vault, ROOT));
    await put(log, 'Two');
    expect(await names(log)).toEqual(['Two']);
    expect((await verify(files, ROOT, { now: START_TIME })).isWhole).toBe(true);
  });

  it('reports a missing vault, and recovers once it is back', async () => {
    const above = createFolder();
    const vault = join(above, 'vault');
    await node.fs.mkdir(vault);
    const log = open(vault);
    await put(log, 'One');
    await node.fs.rename(vault, join(above, 'unplugged'));
    await expect(put(log, 'Two')).rejects.toThrow(/does not exist/);
    await expect(log.memory()).rejects.toThrow(/does not exist/);
    await node.fs.rename(join(above, 'unplugged'), vault);
    await put(log, 'Three');
    expect(await names(open(vault))).toEqual(['One', 'Three']);
  });

  it.runIf(canMount())(
    'keeps exactly the acknowledged writes on a full disk, and recovers',
    async () => {
      await onSmallDisk(async (vault) => {
        const log = open(vault);
        await put(log, 'First');
        writeFileSync(join(vault, 'ballast'), new Uint8Array(400_000));
        const tries = Array.from({ length: 40 }, (_, i) => `Plan ${i}`);
        const saved: string[] = ['First'];
        for (let i = 0; i < tries.length; i += 4) {
          const some = tries.slice(i, i + 4);
          const results = await Promise.allSettled(some.map((name) => put(log, name, 30_000)));
          results.forEach((result, at) => {
            if (result.status === 'fulfilled') saved.push(some[at]!);
            else
              expect(String(result.reason)).toMatch(
                /the disk is full\. Nothing was saved; free some space/,
              );
          });
        }
        expect(saved.length).toBeGreaterThan(5);
        expect(saved.length).toBeLessThan(35);
        expect(await names(log)).toEqual([...saved].sort());
        expect(await names(open(vault))).toEqual([...saved].sort());
        rmSync(join(vault, 'ballast'));
        await put(log, 'After', 30_000);
        expect(await names(open(vault))).toEqual([...saved, 'After'].sort());
        expect(
          await verify(createFolderFiles(node, vault), ROOT, { now: START_TIME }),
        ).toMatchObject({
          isWhole: true,
          problems: [],
        });
      });
    },
  );
});
