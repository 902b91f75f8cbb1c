import { execFileSync, spawn } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Refusal } from '../../../src/model/refusal.js';
import type { NodeModules } from '../../../src/node/modules.js';
import { createFolderFiles } from '../../../src/node/ports/folder-files.js';
import { FileChangedError, FileReplacedError, type Files } from '../../../src/platform/files.js';
import { diskError } from '../../faults/faulty-disk.js';
import { createFolder, node } from '../folders.js';

type FileHandle = Awaited<ReturnType<NodeModules['fs']['open']>>;

const bytesOf = (text: string) => new TextEncoder().encode(text);
const isNew = { expect: 'new', durable: true } as const;

function createPipe(path: string): void {
  execFileSync('mkfifo', [path]);
}

/** Runs `action` right after the `method` of each file that is opened to append. */
function afterEach(method: 'write' | 'datasync', action: () => void): NodeModules {
  const open = async (...args: Parameters<typeof node.fs.open>) => {
    const handle = await node.fs.open(...args);
    return new Proxy(handle, {
      get: (target, key) => {
        const value: unknown = Reflect.get(target, key);
        if (typeof value !== 'function') return value;
        return async (...rest: unknown[]) => {
          const result: unknown = await Reflect.apply(value, target, rest);
          if (key === method) action();
          return result;
        };
      },
    });
  };
  return { ...node, fs: { ...node.fs, open } };
}

describe('read', () => {
  it('refuses a pipe, a socket and a device at once', async () => {
    const vault = createFolder();
    createPipe(join(vault, 'pipe.jsonl'));
    symlinkSync('/dev/zero', join(vault, 'zero.jsonl'));
    const server = createServer().listen(join(vault, 'socket.jsonl'));
    await new Promise((resolve) => server.once('listening', resolve));
    onTestFinished(() => void server.close());
    const files = createFolderFiles(node, vault);
    for (const name of ['pipe.jsonl', 'zero.jsonl', 'socket.jsonl']) {
      await expect(files.read(name)).rejects.toThrow(Refusal);
      await expect(files.read(name, 1, 1)).rejects.toThrow(
        `Cannot read "${name}" in the vault: it is not a regular file. Move or remove it`,
      );
      expect(await files.stat(name)).toMatchObject({ kind: 'other' });
    }
  });

  it('returns nothing for a link to a missing file', async () => {
    const vault = createFolder();
    symlinkSync('none.md', join(vault, 'a.md'));
    const files = createFolderFiles(node, vault);
    expect([await files.read('a.md'), await files.stat('a.md')]).toEqual([undefined, undefined]);
  });

  it('refuses more than 2 GB at once, and reads part of a larger file', async () => {
    const vault = createFolder();
    writeFileSync(join(vault, 'a.jsonl'), 'text');
    truncateSync(join(vault, 'a.jsonl'), 3 * 1024 ** 3);
    const files = createFolderFiles(node, vault);
    await expect(files.read('a.jsonl')).rejects.toThrow(
      'Cannot read "a.jsonl" in the vault: it is larger than 2 GB. Move it out of this folder.',
    );
    expect(new TextDecoder().decode(await files.read('a.jsonl', 1, 3))).toBe('ext');
    expect(await files.read('a.jsonl', 3 * 1024 ** 3 - 5)).toHaveLength(5);
  });

  it('waits for a file that a server has leased', async () => {
    const vault = createFolder();
    writeFileSync(join(vault, 'a.md'), 'text');
    let failures = 2;
    const open = (...args: Parameters<typeof node.fs.open>) =>
      failures-- > 0 ? Promise.reject(diskError('EAGAIN', 'open')) : node.fs.open(...args);
    const files = createFolderFiles({ ...node, fs: { ...node.fs, open } }, vault);
    expect(new TextDecoder().decode(await files.read('a.md'))).toBe('text');
  });
});

describe('update', () => {
  it('refuses a pipe at once', async () => {
    const vault = createFolder();
    createPipe(join(vault, 'a.md'));
    await expect(
      createFolderFiles(node, vault).update('a.md', () => Promise.resolve(bytesOf('x'))),
    ).rejects.toThrow('Cannot save "a.md" in the vault: it is not a regular file');
  });
});

describe('append', () => {
  it('refuses a pipe and a device at once', async () => {
    const vault = createFolder();
    createPipe(join(vault, 'pipe'));
    symlinkSync('/dev/null', join(vault, 'null'));
    const files = createFolderFiles(node, vault);
    for (const name of ['pipe', 'null'])
      await expect(
        files.append(name, bytesOf('x'), { expect: { size: 0 }, durable: true }),
      ).rejects.toThrow(FileChangedError);
  });

  describe('of a file that changes between write and check', () => {
    const race = (file: string) => ({
      'is replaced by an older copy': () => {
        writeFileSync(`${file}.copy`, 'one');
        renameSync(`${file}.copy`, file);
      },
      'is replaced by a copy with the new bytes': () => {
        copyFileSync(file, `${file}.copy`);
        renameSync(`${file}.copy`, file);
      },
      'is deleted': () => rmSync(file),
      'is renamed, and a folder takes its name': () => {
        renameSync(file, `${file}.old`);
        mkdirSync(file);
      },
      'becomes a link to nothing': () => {
        rmSync(file);
        symlinkSync('none', file);
      },
      'is overwritten in place': () => writeFileSync(file, 'one'),
      'grows in place': () => writeFileSync(file, ' three', { flag: 'a' }),
    });
    const cases = Object.keys(race('')) as (keyof ReturnType<typeof race>)[];

    it.each(cases)('fails if the file %s', async (name) => {
      const vault = createFolder();
      const act = race(join(vault, 'a'))[name];
      const before = await createFolderFiles(node, vault).append('a', bytesOf('one'), isNew);
      const files = createFolderFiles(afterEach('datasync', act), vault);
      const failure = files.append('a', bytesOf(' two'), { expect: before, durable: true });
      await expect(failure).rejects.toThrow(FileReplacedError);
      await expect(failure).rejects.toThrow('a was replaced while it was being appended to');
    });
  });

  it('fails if a new file is replaced', async () => {
    const vault = createFolder();
    const act = () => {
      writeFileSync(join(vault, 'copy'), '');
      renameSync(join(vault, 'copy'), join(vault, 'a'));
    };
    const files = createFolderFiles(afterEach('datasync', act), vault);
    await expect(files.append('a', bytesOf('one'), isNew)).rejects.toThrow(FileReplacedError);
  });

  it('leaves the bytes in the file that was moved away', async () => {
    const vault = createFolder();
    const file = join(vault, 'a');
    const before = await createFolderFiles(node, vault).append('a', bytesOf('one'), isNew);
    const act = () => {
      renameSync(file, join(vault, 'a.sync-conflict'));
      writeFileSync(file, 'one');
    };
    const files = createFolderFiles(afterEach('datasync', act), vault);
    await expect(
      files.append('a', bytesOf(' two'), { expect: before, durable: true }),
    ).rejects.toThrow(FileReplacedError);
    expect(readFileSync(join(vault, 'a.sync-conflict'), 'utf8')).toBe('one two');
  });

  it('is not checked if it is not durable', async () => {
    const vault = createFolder();
    const file = join(vault, 'a');
    const before = await createFolderFiles(node, vault).append('a', bytesOf('one'), isNew);
    const files = createFolderFiles(
      afterEach('write', () => rmSync(file)),
      vault,
    );
    expect(
      await files.append('a', bytesOf(' two'), { expect: before, durable: false }),
    ).toMatchObject({ size: 7 });
  });

  it('reports the disk error, and takes the bytes back, if the check fails', async () => {
    const vault = createFolder();
    const file = join(vault, 'a');
    const before = await createFolderFiles(node, vault).append('a', bytesOf('one'), isNew);
    const stat = (path: string) =>
      path === file ? Promise.reject(diskError('EIO', 'stat')) : node.fs.stat(path);
    const fs = { ...node.fs, stat: stat as typeof node.fs.stat };
    await expect(
      createFolderFiles({ ...node, fs }, vault).append('a', bytesOf(' two'), {
        expect: before,
        durable: true,
      }),
    ).rejects.toThrow('the disk reported EIO');
    expect(readFileSync(file, 'utf8')).toBe('one');
  });
});

/**
 * Replaces the file by a copy of itself again and again, as a sync tool may; stops at the end of
 * the test.
 */
const COPIER = `
  const fs = require('node:fs');
  const [file, milliseconds] = process.argv.slice(1);
  const sleep = new Int32Array(new SharedArrayBuffer(4));
  for (let round = 0; ; round++) {
    fs.writeFileSync(file + '.copy', fs.readFileSync(file));
    if (round % 2 === 1) Atomics.wait(sleep, 0, 0, Number(milliseconds));
    fs.renameSync(file + '.copy', file);
    if (round === 0) process.stdout.write('ready');
    Atomics.wait(sleep, 0, 0, Number(milliseconds));
  }`;

it('acknowledges an append only if the path names the file with its bytes', async () => {
  const vault = createFolder();
  const file = join(vault, 'a');
  await createFolderFiles(node, vault).append('a', bytesOf('0\n'), isNew);
  const copier = spawn(process.execPath, ['-e', COPIER, file, '1']);
  onTestFinished(() => void copier.kill('SIGKILL'));
  await new Promise((resolve) => copier.stdout.once('data', resolve));

  // The file that the path named when an append was checked stays open, because the copier goes on.
  let named: FileHandle | undefined;
  const stat = async (...[path, options]: Parameters<typeof node.fs.stat>) => {
    if (path !== file) return node.fs.stat(path, options);
    await named?.close();
    named = await node.fs.open(file, 'r');
    return named.stat(options);
  };
  const files = createFolderFiles(
    { ...node, fs: { ...node.fs, stat: stat as typeof node.fs.stat } },
    vault,
  );
  const outcomes = { appended: 0, changed: 0, replaced: 0 };
  for (let at = 1; at <= 300; at++) {
    const outcome = await appendOnce(files, `${at}\n`);
    outcomes[outcome]++;
    if (outcome === 'appended') expect((await readNamed(named)).split('\n')).toContain(String(at));
  }
  await named?.close();
  expect(outcomes.appended + outcomes.changed + outcomes.replaced).toBe(300);
  expect(outcomes.appended).toBeGreaterThan(0);
});

async function appendOnce(
  files: Files,
  text: string,
): Promise<'appended' | 'changed' | 'replaced'> {
  const expected = await files.stat('a');
  try {
    await files.append('a', bytesOf(text), { expect: expected!, durable: true });
    return 'appended';
  } catch (error) {
    if (error instanceof FileReplacedError) return 'replaced';
    if (error instanceof FileChangedError) return 'changed';
    throw error;
  }
}

async function readNamed(handle: FileHandle | undefined): Promise<string> {
  const bytes = new Uint8Array(100_000);
  const { bytesRead } = await handle!.read(bytes, 0, bytes.length, 0);
  return new TextDecoder().decode(bytes.subarray(0, bytesRead));
}
