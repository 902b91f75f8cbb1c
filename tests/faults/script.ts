import { expect } from 'vitest';
import { allStates, allWorkspaces } from '../../src/model/lookup.js';
import type { Memory } from '../../src/model/memory.js';
import { findingsOf, type VerifyFinding } from '../../src/storage/integrity/findings.js';
import { verify } from '../../src/storage/integrity/verify.js';
import type { VerifyReport } from '../../src/storage/integrity/verify-report.js';
import { canonicalMemory } from '../fakes/canonical.js';
import { createMemoryIdentities, createTestClock } from '../fakes/deterministic.js';
import { createMemoryFiles, type MemoryFiles } from '../fakes/memory-files.js';
import { createTestVault, garden, stateNamed, type TestVault } from '../fakes/test-vault.js';
import { createFaultyFiles, type FaultyFiles } from './faulty-files.js';

export const ROOT = 'Savepoint';
const DAY = 86_400_000;

/** Two devices that share faulty files, and the outcomes of their calls. */
export interface Scene {
  readonly files: MemoryFiles;
  readonly faulty: FaultyFiles;
  readonly one: TestVault;
  readonly other: TestVault;
  /** True for each effect whose call was acknowledged. */
  readonly told: Map<string, boolean>;
  advance(ms: number): void;
  now(): number;
}

const inDefault = { workspaceId: 'default' };

let seeds = 1000;

export function createScene(): Scene {
  const clock = createTestClock();
  const files = createMemoryFiles(() => clock.now());
  const faulty = createFaultyFiles(files);
  const open = () =>
    createTestVault({
      files,
      clock,
      wrap: () => faulty,
      seed: ++seeds,
      identities: createMemoryIdentities(),
    });
  return {
    files,
    faulty,
    one: open(),
    other: open(),
    told: new Map(),
    advance: (ms) => clock.advance(ms),
    now: () => clock.now(),
  };
}

/**
 * Runs a fixed script of tool calls on both devices, awaiting each call and its trace. `breaksOff`
 * ends the script once the fault has occurred, so that no later step hides its effect.
 */
export async function play(scene: Scene, breaksOff = false): Promise<void> {
  const { one, other, told, faulty } = scene;
  const call = async (
    vault: TestVault,
    effect: string | undefined,
    tool: string,
    params: Record<string, unknown>,
  ) => {
    if (breaksOff && faulty.hasStruck()) return;
    const answer = await vault.call(tool, { ...params, context: inDefault });
    if (!answer.success) expect(answer.error, `${tool} says why it failed`).toMatch(/\S/);
    if (effect !== undefined) told.set(effect, answer.success);
    await vault.idle();
  };
  const save = (vault: TestVault, name: string, more: Record<string, unknown> = {}) =>
    call(vault, `state ${name}`, 'createState', stateNamed(name, more));
  await call(one, 'workspace Garden', 'createWorkspace', garden);
  await save(one, 'First');
  await save(other, 'Second');
  await call(one, undefined, 'listStates', {});
  await Promise.all([save(one, 'Third'), save(one, 'Fourth'), save(other, 'Fifth')]);
  await call(other, 'archive First', 'archiveState', { name: 'First' });
  await call(other, 'purpose', 'updateWorkspace', { name: 'Garden', purpose: 'Plan more beds' });
  await save(one, 'Long', { conversationContext: 'x'.repeat(66_000) });
  await save(one, 'After long');
  scene.advance(DAY);
  await save(other, 'Next day');
  await save(one, 'Next day too');
  await call(other, 'file beds/plan.md', 'workspaceStorageWrite', {
    path: 'beds/plan.md',
    content: 'Dig',
  });
  await call(one, undefined, 'loadWorkspace', { name: 'Garden' });
  await call(other, undefined, 'searchMemory', {
    query: 'talked',
    workspaceId: 'default',
    memoryTypes: ['states', 'traces'],
  });
}

/**
 * Checks everything that must hold after the fault. `isUnclean` accepts refused writes that are
 * present.
 */
export async function checkAftermath(scene: Scene, isUnclean: boolean): Promise<void> {
  const { files, faulty, one, other, told } = scene;
  faulty.disarm();
  expect(faulty.hasRunAway(), 'nobody tries without end').toBe(false);
  await checkMemories(scene);
  for (const [vault, name] of [
    [one, 'Last of one'],
    [other, 'Last of the other'],
  ] as const) {
    const answer = await vault.call('createState', stateNamed(name, { context: inDefault }));
    expect(answer, 'the next write works').toEqual({ success: true });
    told.set(`state ${name}`, true);
    await vault.idle();
  }
  const onDisk = await checkMemories(scene);
  const lost = [...told]
    .filter(([effect, isSaved]) => isSaved && !isThere(onDisk, files, effect))
    .map(([effect]) => effect);
  expect(lost, 'nothing acknowledged is lost').toEqual([]);
  const unasked = [...told]
    .filter(([effect, isSaved]) => !isSaved && isThere(onDisk, files, effect))
    .map(([effect]) => effect);
  if (!isUnclean) expect(unasked, 'nothing refused is there').toEqual([]);
  const report = await verify(files, ROOT, { now: scene.now() });
  expect(findingsAfter(report, isUnclean), 'verify finds nothing wrong').toEqual([]);
  await Promise.all([one.log.close(), other.log.close()]);
}

/** Returns what a verification finds, except for what an unclean fault may leave. */
export function findingsAfter(report: VerifyReport, isUnclean: boolean): VerifyFinding[] {
  const found = findingsOf(report).filter(({ kind }) => kind !== 'pending');
  return isUnclean ? found : findingsOf(report);
}

/** Expects both devices to have the memory that a new one reads from the disk, and returns it. */
async function checkMemories({ files, one, other }: Scene): Promise<Memory> {
  const fresh = createTestVault({ files, seed: ++seeds });
  const onDisk = await fresh.log.memory();
  for (const vault of [one, other]) {
    expect(canonicalMemory(await vault.log.memory()), 'memory is disk').toEqual(
      canonicalMemory(onDisk),
    );
    expect(await traceKeys(vault), 'traces are disk').toEqual(await traceKeys(fresh));
  }
  return onDisk;
}

async function traceKeys({ log }: TestVault): Promise<string[]> {
  const entries = await log.traceEntries('default');
  return entries.map(({ path, from, h }) => `${path} ${from} ${h}`).sort();
}

/** Returns true if the memory or the stored files show the effect of a call. */
function isThere(memory: Memory, files: MemoryFiles, effect: string): boolean {
  const [kind, ...rest] = effect.split(' ');
  const name = rest.join(' ');
  const states = allStates(memory, 'default').map(({ item }) => item);
  const workspace = allWorkspaces(memory).find(({ item }) => item.name === 'Garden')?.item;
  if (kind === 'file') return files.paths().includes(`${ROOT}/files/workspaces/default/${name}`);
  if (kind === 'state') return states.some((state) => state.name === name);
  if (kind === 'workspace') return workspace !== undefined;
  if (kind === 'archive') return states.some((state) => state.name === name && state.isArchived);
  return workspace?.purpose === 'Plan more beds';
}
