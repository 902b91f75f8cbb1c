import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import {
  logHookFailure,
  logHookSuccess,
  readHookFailures,
} from '../../../src/node/capture/failure-log.js';
import { createFolder, node } from '../folders.js';

it('keeps one line per failure, and does not grow without limit', async () => {
  const state = createFolder();
  expect(await readHookFailures(node, state, 5)).toEqual([]);
  await logHookFailure(node, state, 'T1', 'one\nline, token=0123456789');
  await logHookFailure(node, state, 'T2', 'x'.repeat(10_000));
  const [first, second] = await readHookFailures(node, state, 5);
  expect(first).toBe('T1 one line, token=[secret]');
  expect(second?.length).toBeLessThan(600);
  expect(await readHookFailures(node, state, 1)).toEqual([second]);
  const file = join(state, 'capture', 'failures.log');
  writeFileSync(file, 'y'.repeat(100_000));
  await logHookFailure(node, state, 'T3', 'new');
  expect(statSync(file).size).toBeLessThan(100);
});

it('leaves out what a hook has failed in before it succeeded', async () => {
  const state = createFolder();
  await logHookFailure(node, state, 'T1', 'turn of Codex: no vault: gone');
  await logHookFailure(node, state, 'T2', 'turn of Gemini CLI: no vault');
  await logHookSuccess(node, state, 'T3', 'turn of Codex');
  await logHookSuccess(node, state, 'T3', 'session-end of Gemini CLI');
  expect(await readHookFailures(node, state, 5)).toEqual(['T2 turn of Gemini CLI: no vault']);
  await logHookFailure(node, state, 'T4', 'turn of Codex: no vault again');
  expect(await readHookFailures(node, state, 1)).toEqual(['T4 turn of Codex: no vault again']);
});

it('is silent if it cannot write', async () => {
  const state = createFolder();
  writeFileSync(join(state, 'capture'), 'a file in the way');
  await logHookFailure(node, state, 'T', 'lost');
  expect(await readHookFailures(node, state, 5)).toEqual([]);
});
