import { describe, expect, it, vi } from 'vitest';
import type { JsonObject } from '../../src/model/event.js';
import { Refusal } from '../../src/model/refusal.js';
import { traceData } from '../../src/model/trace.js';
import type { Log, LogOptions } from '../../src/storage/log.js';
import { verify } from '../../src/storage/verify.js';
import { createMemoryIdentities } from '../fakes/deterministic.js';
import { lineOf, WRITER_B } from '../fakes/events.js';
import { createVault, eventsIn, putWorkspace, ROOT, segmentsIn } from './helpers.js';

vi.mock('../../src/storage/sha256.js', () => import('../simulation/instant-sha256.js'));

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const TRACES = `${ROOT}/trace`;
const FOR_EVER = Number.MAX_SAFE_INTEGER;

/** A line of another writer. */
const newer = (t: string, v: number) => new TextDecoder().decode(lineOf({ t, v, w: WRITER_B, e: 'x', d: { ws: 'default' } }).bytes);

type Vault = ReturnType<typeof createVault>;

let traces = 0;

/** Writes a trace of about `size` bytes in its line. */
async function writeTrace(log: Log, size = 0): Promise<void> {
  const call = { workspaceId: 'default', sessionId: 's', agent: 'a', tool: 'x'.repeat(size), input: '{}', outcome: 'ok', isSuccess: true };
  await log.writeTrace({ t: 'trace.new', e: `trace-${++traces}`, d: traceData(call) });
}

async function passOn({ clock }: Vault, ms: number): Promise<void> {
  clock.advance(ms);
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/** Lets the log go through the folder once: it begins a while after its first read, and goes on once a day. */
async function runOnce(vault: Vault): Promise<void> {
  await passOn(vault, DAY);
  for (let file = 0; file < 12; file++) await passOn(vault, 1000);
}

const days = (limit: number): Partial<LogOptions> => ({ traceLimits: { days: limit, bytes: FOR_EVER } });

const retirements = async ({ files }: Vault) => (await eventsIn(files)).filter(({ t }) => t === 'log.retire').map(({ d }) => d);

const pathOf = ({ file }: JsonObject) => `${TRACES}/${file as string}`;

const traceFiles = ({ files }: Vault) => files.paths().filter((path) => path.startsWith(TRACES));

/** A vault with a sealed trace segment of one device, and one of the next day that still grows. */
async function vaultWithTraces(device = 'here', identities = createMemoryIdentities()): Promise<Vault> {
  const vault = createVault();
  const log = vault.open({ device, identities });
  await writeTrace(log);
  await writeTrace(log);
  vault.clock.advance(DAY);
  await writeTrace(log);
  await log.close();
  expect(traceFiles(vault)).toHaveLength(2);
  return vault;
}

describe('retention', () => {
  it('retires a sealed segment past its days by an event that says what goes, and deletes its file a day later', async () => {
    const vault = await vaultWithTraces();
    const [old, young] = await segmentsIn(vault.files, TRACES);
    const before = await verify(vault.files, ROOT);
    await passOn(vault, 5 * DAY);
    const log = vault.open({ device: 'here', ...days(5) });
    expect(await log.traceEntries('default')).toHaveLength(3);
    await log.memory();
    await runOnce(vault);
    const { w, n: from } = old!.events[0]!;
    const d = { lane: 'trace', file: old!.path.slice(TRACES.length + 1), w, from, to: old!.events.at(-1)!.n, count: old!.events.length };
    expect(await retirements(vault)).toEqual([{ ...d, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string, why: 'age' }]);
    expect(await log.traceEntries('default')).toHaveLength(1);
    expect(traceFiles(vault)).toEqual([old!.path, young!.path]);
    const marked = await verify(vault.files, ROOT);
    await runOnce(vault);
    expect(traceFiles(vault)).toEqual([young!.path]);
    const { digest, isWhole, writers } = await verify(vault.files, ROOT);
    expect({ digest, isWhole }).toEqual({ digest: marked.digest, isWhole: true });
    expect(writers.find(({ writer }) => writer === w)).toMatchObject({ missing: [], retired: old!.events.length });
    expect(before.isWhole).toBe(true);
    await log.close();
  });

  it('keeps everything where no limits are given, and begins only some time after the first read', async () => {
    const vault = await vaultWithTraces();
    await passOn(vault, 999 * DAY);
    const unlimited = vault.open({ device: 'here' });
    await unlimited.memory();
    await runOnce(vault);
    const limited = vault.open({ device: 'here', ...days(5) });
    await runOnce(vault);
    await limited.memory();
    await passOn(vault, 4 * MINUTE);
    expect(await retirements(vault)).toEqual([]);
    expect(traceFiles(vault)).toHaveLength(2);
  });

  it('takes out the oldest sealed segments until what is left is within the bytes', async () => {
    const vault = createVault();
    const limits = { days: 9999, bytes: 100_000 };
    const log = vault.open({ device: 'here', traceLimits: limits });
    for (let day = 0; day < 6; day++) {
      await writeTrace(log, 30_000);
      await passOn(vault, DAY);
    }
    const paths = traceFiles(vault);
    await log.memory();
    await runOnce(vault);
    await runOnce(vault);
    expect((await retirements(vault)).map(({ why }) => why)).toEqual(['size', 'size', 'size']);
    expect(traceFiles(vault)).toEqual(paths.slice(3));
    await log.close();
  });

  it('leaves the segment alone that a process still writes to, and one that was not sealed for 30 days longer', async () => {
    const vault = await vaultWithTraces();
    const [, young] = traceFiles(vault);
    const open = vault.open({ device: 'here' });
    await writeTrace(open);
    const log = vault.open({ device: 'here', ...days(5) });
    await log.memory();
    await passOn(vault, 30 * DAY);
    await runOnce(vault);
    await runOnce(vault);
    expect(traceFiles(vault)).toHaveLength(2);
    expect(traceFiles(vault)[0]).toBe(young);
    await passOn(vault, 10 * DAY);
    await runOnce(vault);
    await runOnce(vault);
    expect(traceFiles(vault)).toEqual([]);
    await writeTrace(open); // whoever had it open seals or gives up, and goes on elsewhere
    await open.close();
    const { isWhole, writers } = await verify(vault.files, ROOT);
    expect({ isWhole, missing: writers.flatMap(({ missing }) => missing) }).toEqual({ isWhole: true, missing: [] });
    await log.close();
  });

  it('leaves the segments of other devices to them for 30 days, and those that they have not sealed for ever', async () => {
    const vault = await vaultWithTraces('elsewhere');
    const paths = traceFiles(vault);
    const log = vault.open({ device: 'here', ...days(5) });
    await log.memory();
    await passOn(vault, 20 * DAY);
    await runOnce(vault);
    expect(await retirements(vault)).toEqual([]);
    await passOn(vault, 30 * DAY);
    await runOnce(vault);
    await runOnce(vault);
    expect(await retirements(vault)).toHaveLength(1);
    expect(traceFiles(vault)).toEqual(paths.slice(1));
    await log.close();
  });

  it('is the same for two devices that both say so before they hear of each other', async () => {
    const vault = await vaultWithTraces('gone');
    const [path] = traceFiles(vault);
    const copies = [createVault(), createVault()];
    for (const copy of copies) {
      for (const each of vault.files.paths()) copy.files.put(each, vault.files.text(each));
      const log = copy.open({ device: 'here', ...days(5) });
      await log.memory();
      await passOn(copy, 50 * DAY);
      await runOnce(copy);
      await log.close();
    }
    for (const from of copies) for (const each of from.files.paths()) vault.files.put(each, from.files.text(each));
    expect((await retirements(vault)).map(pathOf)).toEqual([path, path]);
    const before = await verify(vault.files, ROOT);
    await vault.files.remove(path!);
    expect(await verify(vault.files, ROOT)).toMatchObject({ digest: before.digest, isWhole: true });
    expect(before.isWhole).toBe(true);
  });

  it('ignores a retired file that comes back, under its own or another name, and deletes it again', async () => {
    const vault = await vaultWithTraces();
    const [path, young] = traceFiles(vault);
    const text = vault.files.text(path!);
    await passOn(vault, 10 * DAY);
    const log = vault.open({ device: 'here', ...days(5) });
    await log.memory();
    await runOnce(vault);
    await runOnce(vault);
    for (const name of [path!, path!.replace('.jsonl', ' (1).jsonl')]) {
      const { digest } = await verify(vault.files, ROOT);
      vault.files.put(name, text);
      expect(await log.traceEntries('default')).toHaveLength(1);
      expect(await verify(vault.files, ROOT)).toMatchObject({ digest, isWhole: true });
      await runOnce(vault);
      expect(traceFiles(vault)).toEqual([young]);
    }
    await log.close();
  });

  it('goes on after a crash between the event and the deletion, and says nothing twice', async () => {
    const vault = await vaultWithTraces();
    await passOn(vault, 10 * DAY);
    const first = vault.open({ device: 'here', ...days(9) });
    await first.memory();
    await runOnce(vault);
    expect([(await retirements(vault)).length, traceFiles(vault).length]).toEqual([1, 2]);
    const second = vault.open({ device: 'here', ...days(9) });
    await second.memory();
    await runOnce(vault);
    await runOnce(vault);
    expect([(await retirements(vault)).length, traceFiles(vault).length]).toEqual([1, 1]);
  });

  it('says so and tries again another day where the deletion is refused', async () => {
    const vault = await vaultWithTraces();
    await passOn(vault, 10 * DAY);
    const log = vault.open({ device: 'here', ...days(9) });
    const remove = vault.files.remove.bind(vault.files);
    vault.watched.remove = () => Promise.reject(new Refusal('The disk is locked.'));
    await log.memory();
    await runOnce(vault);
    await runOnce(vault);
    expect(traceFiles(vault)).toHaveLength(2);
    expect(vault.warnings).toEqual([expect.stringMatching(/stays for now: The disk is locked\./)]);
    vault.watched.remove = remove;
    await runOnce(vault);
    expect(traceFiles(vault)).toHaveLength(1);
    await log.close();
  });

  it('deletes nothing where it cannot say so first', async () => {
    const vault = await vaultWithTraces();
    await passOn(vault, 10 * DAY);
    const log = vault.open({ device: 'here', ...days(5) });
    await log.memory();
    vault.watched.beforeAppend = () => {
      throw new Refusal('The disk is full.');
    };
    await runOnce(vault);
    await runOnce(vault);
    expect(traceFiles(vault)).toHaveLength(2);
    expect(vault.warnings.every((warning) => /The disk is full/.test(warning))).toBe(true);
  });

  it.each([
    ['of which a line is damaged', (text: string) => text.replace('"tool":""', '"tool":"!"')],
    ['that holds what a later version has written', (text: string) => text + newer('thing.new', 1)],
    ['that holds events of a later form', (text: string) => text + newer('trace.new', 2)],
    ['that holds lines of two writers', (text: string) => text + newer('trace.new', 1)],
    ['from which a line has gone', (text: string) => text.replace(/\n.*\n/, '\n')],
  ])('stays away from a file %s', async (_, change) => {
    const vault = await vaultWithTraces();
    const [path] = traceFiles(vault);
    vault.files.put(path!, change(vault.files.text(path!)));
    await passOn(vault, 200 * DAY);
    const log = vault.open({ device: 'here', ...days(5) });
    await log.memory();
    await runOnce(vault);
    expect((await retirements(vault)).map(pathOf)).toEqual([traceFiles(vault)[1]]);
    await log.close();
  });

  it('never touches the core lane, however old', async () => {
    const vault = createVault();
    const log = vault.open({ device: 'here', traceLimits: { days: 0, bytes: 0 } });
    await putWorkspace(log, 'Plan', 70_000);
    await putWorkspace(log, 'Other');
    const core = vault.files.paths();
    await passOn(vault, 500 * DAY);
    await runOnce(vault);
    expect(vault.files.paths()).toEqual(core);
    await log.close();
  });

  it('does nothing more once the log is closed', async () => {
    const vault = await vaultWithTraces();
    await passOn(vault, 10 * DAY);
    const log = vault.open({ device: 'here', ...days(5) });
    await log.memory();
    await log.close();
    await runOnce(vault);
    expect(await retirements(vault)).toEqual([]);
  });
});
