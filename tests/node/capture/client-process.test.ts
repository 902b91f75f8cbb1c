import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import {
  findClientProcess,
  isRunning,
  readClientProcess,
} from '../../../src/node/capture/client-process.js';
import { node } from '../folders.js';

// Only Linux lists its processes as files.
const test = it.runIf(process.platform === 'linux');

test('finds the process that has started this one, also through shells', async () => {
  const found = await findClientProcess(node, process.pid);
  expect(found).toMatchObject({ pid: process.pid });
  const script = 'setInterval(() => undefined, 1000); console.log(process.ppid)';
  const words = `"${process.execPath}" -e '${script}'; true`;
  const shell = spawn('sh', ['-c', words], { stdio: ['ignore', 'pipe', 'ignore'], detached: true });
  try {
    const [line] = (await once(shell.stdout, 'data')) as [Buffer];
    expect(Number(line.toString())).toBe(shell.pid);
    expect(await findClientProcess(node, shell.pid!)).toEqual(found);
  } finally {
    process.kill(-shell.pid!, 'SIGKILL');
  }
});

test('tells a process that runs from one that is gone and from another with its id', async () => {
  const own = (await findClientProcess(node, process.pid))!;
  expect(await isRunning(node, own)).toBe(true);
  expect(await isRunning(node, { ...own, start: 'earlier' })).toBe(false);
  const { pid } = spawnSync(process.execPath, ['--version']);
  expect(await isRunning(node, { ...own, pid })).toBe(false);
  expect(await isRunning(node, { ...own, namespace: 'of a sandbox' })).toBeUndefined();
});

it('reads what it has stored, and nothing else', () => {
  const known = { pid: 5, namespace: 'n', start: 's' };
  expect(readClientProcess(known)).toEqual(known);
  for (const wrong of [null, 5, {}, { ...known, pid: '5' }, { ...known, start: 1 }])
    expect(readClientProcess(wrong)).toBeUndefined();
});
