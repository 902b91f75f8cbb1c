// Tier full: writes until a disk is full
import {
  chmodSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runProgram } from '../fakes/program.js';
import { stateNamed } from '../fakes/test-vault.js';
import { canMount, onSmallDisk } from '../node/small-disk.js';
import { callProgram, createFolders } from './program-folders.js';

function fileIn(folder: string, suffix: string): string {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  return join(
    folder,
    names.find((name) => name.endsWith(suffix))!,
  );
}

function verify({ vault, state }: ReturnType<typeof createFolders>, ...more: string[]) {
  return runProgram(['verify', '--vault', vault, '--state', state, ...more]);
}

/** A vault with a copied state, of which no further copies can be written. */
async function createFull() {
  const at = createFolders();
  await callProgram(at, 'createState', stateNamed('Copied'));
  const copies = fileIn(at.state, '.jsonl');
  const others = copies.replace('.jsonl', '-others.jsonl');
  renameSync(copies, `${copies}.old`);
  for (const file of [copies, others]) symlinkSync('/dev/full', file);
  return {
    at,
    makeRoom(this: void) {
      for (const file of [copies, others]) rmSync(file);
      renameSync(`${copies}.old`, copies);
    },
  };
}

describe.runIf(process.platform === 'linux')('a full state folder', () => {
  it('is mentioned by the answer of each save', async () => {
    const { at } = await createFull();
    const notice = 'could not keep a copy';
    for (const name of ['One', 'Two']) {
      const { stdout } = await callProgram(at, 'createState', stateNamed(name));
      expect(stdout).toContain('{"success":true,');
      expect(stdout).toContain(notice);
    }
    expect((await callProgram(at, 'listStates', {})).stdout).not.toContain(notice);
  });

  it('makes verify name what it has not copied, until there is room again', async () => {
    const { at, makeRoom } = await createFull();
    await callProgram(at, 'createState', stateNamed('One'));
    makeRoom();
    const report = await verify(at);
    expect(report.code).toBe(1);
    expect(report.stdout).toMatch(/uncopied \(\d+\): events that are here/);
    const healed = await verify(at, '--heal');
    expect(healed.stdout).toMatch(/Nothing is missing\.\n$/);
    expect(healed.code).toBe(0);
  });

  it('makes verify name what is lost meanwhile', async () => {
    const { at, makeRoom } = await createFull();
    for (const name of ['One', 'Two']) await callProgram(at, 'createState', stateNamed(name));
    makeRoom();
    rmSync(fileIn(join(at.vault, 'Savepoint/core'), '.jsonl'));
    for (const [count, ...more] of [[5], [2, '--heal'], [2]] as const) {
      const report = await verify(at, ...more);
      expect(report.code).toBe(1);
      expect(report.stdout).toContain(`missing (${count}): events that were written but are not`);
    }
  });
});

describe.runIf(process.platform === 'linux' && canMount())('a state folder on a full disk', () => {
  it('is reported in one sentence, and no draft stays in it', async () => {
    await onSmallDisk(async (state) => {
      chmodSync(state, 0o700);
      expect(() => writeFileSync(join(state, 'fill'), new Uint8Array(2_000_000))).toThrow('ENOSPC');
      const at = { ...createFolders(), state };
      for (const name of ['One', 'Two']) {
        const { stdout, stderr } = await callProgram(at, 'createState', stateNamed(name));
        expect(stdout).toContain('{"success":true,');
        expect(stderr).toMatch(/^savepoint: [^\n]* cannot be written \(ENOSPC\)\.[^\n]*\n$/);
      }
      const empty = readdirSync(state, { recursive: true, encoding: 'utf8' }).filter((name) => {
        const info = statSync(join(state, name));
        return info.isFile() && info.size === 0;
      });
      // names that say something by themselves, and a file to which lines will be appended
      expect(empty.filter((name) => !/lacks-|\.jsonl$|^device-writers$/.test(name))).toEqual([]);
    });
  });
});
