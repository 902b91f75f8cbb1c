import { describe, expect, it } from 'vitest';
import { allStates } from '../../../src/model/lookup.js';
import { entityOf } from '../../../src/model/memory.js';
import { AGREEMENT_DAYS } from '../../../src/storage/forget/forget-decisions.js';
import { findingsOf } from '../../../src/storage/integrity/findings.js';
import { verify } from '../../../src/storage/integrity/verify.js';
import type { Copies } from '../../../src/storage/copies/copies.js';
import type { LogOptions } from '../../../src/storage/log.js';
import type { Log } from '../../../src/storage/vault-log.js';
import { readLogLines, type LogLine } from '../../../src/storage/log-lines.js';
import { createMemoryIdentities } from '../../fakes/deterministic.js';
import { lineOf, stateDraft, WRITER_B, workspaceDraft } from '../../fakes/events.js';
import { twinOf } from '../../simulation/forge.js';
import { settled } from './forgetter-on.js';
import { createMemoryFiles } from '../../fakes/memory-files.js';
import {
  createMemoryCopies,
  createMemoryForgetStore,
  createVault,
  put,
  ROOT,
  segmentsIn,
} from '../helpers.js';

const SECRET = 'hunter2-is-my-password';
const DAY_MS = 24 * 60 * 60 * 1000;

type Vault = ReturnType<typeof createVault>;

/** A device with a state folder of its own. */
function deviceOf(vault: Vault, device = 'laptop') {
  const copies = createMemoryCopies();
  const forgetStore = createMemoryForgetStore();
  const identities = createMemoryIdentities();
  const open = (options: Partial<LogOptions> = {}) =>
    vault.open({ copies, forgetStore, identities, device, ...options });
  const check = () =>
    verify(vault.files, ROOT, {
      now: vault.clock.now(),
      copies,
      decisions: forgetStore.decisions(),
    });
  return { copies, forgetStore, identities, open, check };
}

async function save(log: Log, name: string, text = 'We spoke'): Promise<void> {
  await put(log, await stateDraft(name, `st-${name}`, 'default', { conversationContext: text }));
}

async function linesOf(vault: Vault, id: string): Promise<LogLine[]> {
  const { lines } = await readLogLines(vault.files, ROOT);
  return lines.filter(({ event }) => event.e === id);
}

async function namesIn(log: Log): Promise<string[]> {
  return allStates(await log.memory(), 'default').map(({ item }) => item.name);
}

const vaultText = (vault: Vault) =>
  vault.files
    .paths()
    .map((path) => vault.files.text(path))
    .join('\n');

async function copiedText(copies: ReturnType<typeof createMemoryCopies>): Promise<string> {
  const ids = copies.record()?.ids ?? [];
  const texts = await Promise.all(ids.map((id) => copies.read(id)));
  return texts.map((bytes) => new TextDecoder().decode(bytes)).join('\n');
}

/** A process of a device that tells its user what they can decide about. */
async function tellOn({ open }: ReturnType<typeof deviceOf>): Promise<number> {
  const log = open();
  await log.memory();
  await settled();
  const told = await log.forgetting.tell();
  await log.close();
  return told.length;
}

const kinds = (report: Awaited<ReturnType<typeof verify>>) =>
  findingsOf(report).map(({ kind }) => kind);

/** A vault with three states, the second of which holds the secret. */
async function vaultWithSecret() {
  const vault = createVault();
  const device = deviceOf(vault);
  const log = device.open();
  await save(log, 'first');
  await save(log, 'secret', SECRET);
  await save(log, 'last');
  return { vault, device, log };
}

describe('Forgetting', () => {
  it('destroys a line in the vault and in the copies, and keeps all others', async () => {
    const { vault, device, log } = await vaultWithSecret();
    const before = await device.check();
    expect(vaultText(vault)).toContain(SECRET);
    expect(await copiedText(device.copies)).toContain(SECRET);

    const report = await log.forgetting.forget(await linesOf(vault, 'st-secret'), true);

    expect(report.waiting).toEqual([]);
    expect(await namesIn(log)).toEqual(['last', 'first']);
    await log.close();
    expect(vaultText(vault)).not.toContain(SECRET);
    expect(await copiedText(device.copies)).not.toContain(SECRET);
    const after = await device.check();
    expect(kinds(after)).toEqual(['forgotten']);
    expect(after.isWhole).toBe(true);
    expect(after.events).toBeGreaterThan(before.events);
    expect(vault.warnings).toEqual([]);
  });

  it('shows a forgotten line neither at the next start nor after healing', async () => {
    const { vault, device, log } = await vaultWithSecret();
    await log.forgetting.forget(await linesOf(vault, 'st-secret'), true);
    await log.close();

    const next = device.open();
    expect(await namesIn(next)).toEqual(['last', 'first']);
    vault.clock.advance(120_000);
    expect(await next.forgetting.list()).toHaveLength(1);
    await next.heal();
    await next.close();

    expect(vaultText(vault)).not.toContain(SECRET);
    expect(vault.files.paths().some((path) => path.includes('healed'))).toBe(false);
  });

  it('restores a lost stub although a clone has written another line of that number', async () => {
    const { vault, device, log } = await vaultWithSecret();
    const [secret] = await linesOf(vault, 'st-secret');
    await log.forgetting.forget([secret!], true);
    await log.close();
    const { path } = (await segmentsIn(vault.files))[0]!;
    const before = vault.files
      .text(path)
      .split('\n')
      .slice(0, secret!.event.n - 1);
    const { w, n, p, h } = secret!.event;
    const other = lineOf({ ...workspaceDraft('Other'), w, n, p, h });
    vault.files.put(path, `${before.join('\n')}\n${new TextDecoder().decode(other.bytes)}`);

    const next = device.open();
    expect(await next.heal()).toBeGreaterThan(0);
    expect(await next.heal()).toBe(0);
    await next.close();

    expect(kinds(await device.check())).toEqual(['fork', 'forgotten']);
    expect(vaultText(vault)).not.toContain(SECRET);
  });

  it('restores at once the event that a backup has taken away, and destroys its line again', async () => {
    const { vault, device, log } = await vaultWithSecret();
    const { path } = (await segmentsIn(vault.files))[0]!;
    const backup = vault.files.text(path);
    await log.forgetting.forget(await linesOf(vault, 'st-secret'), true);
    await log.close();
    const lossy = device.open();
    const [{ key } = { key: '' }] = await lossy.forgetting.list();
    vault.clock.advance(30_000);
    vault.files.put(path, backup);
    await lossy.forgetting.decide([key], 'agreed');
    expect(await namesIn(lossy)).toContain('secret');
    expect(await lossy.heal()).toBeGreaterThan(0);
    expect(await namesIn(lossy)).toEqual(['last', 'first']);
    await lossy.close();

    const next = device.open();
    expect(await namesIn(next)).toEqual(['last', 'first']);
    await next.close();

    expect(vaultText(vault)).not.toContain(SECRET);
    expect(await copiedText(device.copies)).not.toContain(SECRET);
  });

  it.each<[string, (log: Log, key: string, lines: readonly LogLine[]) => Promise<unknown>]>([
    ['forgets again', (log, _, lines) => log.forgetting.forget(lines, true)],
    ['agrees to forget', (log, key) => log.forgetting.decide([key], 'agreed')],
  ])(
    'hides at once, in all processes, what its user had refused to forget, and %s',
    async (_, forget) => {
      const { vault, device, log } = await vaultWithSecret();
      const lines = await linesOf(vault, 'st-secret');
      await log.forgetting.forget(lines, false);
      const [{ key } = { key: '' }] = await log.forgetting.list();
      await log.forgetting.decide([key], 'refused');
      const other = device.open({ program: 'shell' });
      for (const each of [log, other]) expect(await namesIn(each)).toContain('secret');

      await forget(log, key, lines);

      for (const each of [log, other]) expect(await namesIn(each)).toEqual(['last', 'first']);
      await other.close();
    },
  );

  it('copies nothing late that another process of the device has forgotten', async () => {
    const vault = createVault();
    const device = deviceOf(vault);
    let isFull = true;
    const add: Copies['add'] = (...lines) =>
      isFull ? Promise.reject(new Error('No space left.')) : device.copies.add(...lines);
    const log = device.open({ copies: { ...device.copies, add } });
    await save(log, 'secret', SECRET);
    const other = device.open();
    await other.forgetting.forget(await linesOf(vault, 'st-secret'), true);
    const [{ key } = { key: '' }] = await other.forgetting.list();
    vault.clock.advance(3 * 24 * 60 * 60 * 1000);
    await other.forgetting.decide([key], 'agreed'); // the first process may append no more
    await other.close();
    expect(vaultText(vault)).not.toContain(SECRET);
    isFull = false;

    await log.close();

    const next = device.open();
    expect(await namesIn(next)).toEqual([]);
    await next.close();
    expect(vaultText(vault)).not.toContain(SECRET);
    expect(await copiedText(device.copies)).not.toContain(SECRET);
  });

  it.each([
    ['copies', true],
    ['without copies, keeps', false],
  ])('%s nothing that another process has agreed to forget', async (_, hasCopies) => {
    const { vault, log } = await vaultWithSecret();
    await log.forgetting.forget(await linesOf(vault, 'st-secret'), false);
    await log.close();
    const { path } = (await segmentsIn(vault.files))[0]!;
    const text = vault.files.text(path);
    const event = text.split('\n').find((line) => line.includes('"log.forget"'))!;
    await vault.files.remove(path);
    vault.files.put(`${ROOT}/core/2026-11/20261120-${WRITER_B}-healed.jsonl`, `${event}\n`);
    const desktop = deviceOf(vault, 'desktop');
    const { forgetStore } = desktop;
    const first = desktop.open();
    const second = hasCopies ? desktop.open() : vault.open({ forgetStore, device: 'desktop' });
    await second.memory();
    const [{ key } = { key: '' }] = await first.forgetting.list();
    await first.forgetting.decide([key], 'agreed');
    vault.files.put(path, text);

    await second.memory();
    expect(await copiedText(desktop.copies)).not.toContain(SECRET);
    vault.clock.advance(3 * 24 * 60 * 60 * 1000); // the laptop may append no more
    await second.memory();
    await second.close();
    expect(vaultText(vault)).not.toContain(SECRET);
    await first.close();
  });

  it('lets a forgotten name be used again', async () => {
    const { vault, log } = await vaultWithSecret();
    await log.forgetting.forget(await linesOf(vault, 'st-secret'), true);
    await put(log, await stateDraft('secret', 'st-other'));
    expect(await namesIn(log)).toEqual(['secret', 'last', 'first']);
  });

  it('keeps the digest of a device that has not applied it yet', async () => {
    const { vault, log } = await vaultWithSecret();
    const untouched = createMemoryFiles();
    await log.forgetting.forget(await linesOf(vault, 'st-secret'), false);
    for (const path of vault.files.paths()) untouched.put(path, vault.files.text(path));
    expect(vaultText(vault)).toContain(SECRET);
    const [forget] = await log.forgetting.list();
    const hidden = await verify(untouched, ROOT, { now: 0 });

    await log.forgetting.decide([forget!.key], 'agreed');

    const lines = await readLogLines(vault.files, ROOT);
    expect(vaultText(vault)).not.toContain(SECRET);
    // the seal is new
    const digestLines = lines.lines.filter(({ event }) => event.t !== 'log.seal');
    expect(digestLines.map(({ hash }) => hash).sort()).toEqual(
      (await readLogLines(untouched, ROOT)).lines.map(({ hash }) => hash).sort(),
    );
    expect(hidden.events).toBe(digestLines.length);
  });

  it('hides at once what another device forgot, and destroys it after telling on seven days', async () => {
    const { vault, log } = await vaultWithSecret();
    const other = deviceOf(vault, 'desktop');
    const desktop = other.open();
    expect(await namesIn(desktop)).toContain('secret');
    await log.forgetting.forget(await linesOf(vault, 'st-secret'), false);

    expect(await namesIn(desktop)).toEqual(['last', 'first']);
    await desktop.close();
    for (let day = 1; day <= AGREEMENT_DAYS + 1; day++) {
      expect(vaultText(vault)).toContain(SECRET);
      expect(await copiedText(other.copies)).toContain(SECRET);
      await tellOn(other);
      vault.clock.advance(DAY_MS);
    }
    await tellOn(other);
    await log.close();
    expect(vaultText(vault)).not.toContain(SECRET);
    expect(await copiedText(other.copies)).not.toContain(SECRET);
  });

  it('keeps showing what its user refused to forget, from its copies alone', async () => {
    const { vault, device, log } = await vaultWithSecret();
    const other = deviceOf(vault, 'desktop');
    const desktop = other.open();
    await desktop.heal(); // which copies what others have written
    await log.forgetting.forget(await linesOf(vault, 'st-secret'), true);
    await desktop.memory();
    const [forget] = await desktop.forgetting.list();

    await desktop.forgetting.decide([forget!.key], 'refused');

    expect(await namesIn(desktop)).toEqual(['last', 'secret', 'first']);
    vault.clock.advance(20 * DAY_MS);
    await desktop.heal();
    await desktop.close();
    const again = other.open();
    expect(await namesIn(again)).toEqual(['last', 'secret', 'first']);
    await again.close();
    const files = vault.files.paths().map((path) => [path, vault.files.text(path)] as const);
    for (const [path] of files) await vault.files.remove(path);
    const early = other.open();
    expect(await namesIn(early)).toEqual([]);
    for (const [path, text] of files) vault.files.put(path, text);
    expect(await namesIn(early)).toEqual(['last', 'secret', 'first']);
    await early.close();
    expect(vaultText(vault)).not.toContain(SECRET);
    expect(kinds(await other.check())).toEqual(['refused']);
    expect(kinds(await device.check())).toEqual(['forgotten']);
    await log.close();
  });

  it('takes in what its user keeps at each start, even if a forged line has the same identity', async () => {
    const { vault, device, log } = await vaultWithSecret();
    const plan = workspaceDraft('Plan');
    await put(log, plan);
    const [line] = await linesOf(vault, plan.e);
    const twin = twinOf(line!.event);
    vault.files.put(`${ROOT}/core/2026-11/forged.jsonl`, twin);
    await log.memory();
    const nameIn = async (each: Log) => entityOf(await each.memory(), plan.e).created?.d['name'];
    const name = await nameIn(log);
    await log.forgetting.forget([line!], false);
    const [forget] = await log.forgetting.list();
    await log.forgetting.decide([forget!.key], 'refused');
    expect(await nameIn(log)).toBe(name);
    await log.close();

    const winner = name === 'Plan' ? line!.bytes : twin;
    for (const path of vault.files.paths()) {
      const lines = vault.files.text(path).split('\n');
      const others = lines.filter((text) => text !== new TextDecoder().decode(winner).trim());
      vault.files.put(path, others.join('\n'));
    }
    expect(await nameIn(device.open())).toBe(name);
  });

  it('reports a stub that no event names, and restores the line from the copies', async () => {
    const { vault, device, log } = await vaultWithSecret();
    await log.close();
    const [line] = await linesOf(vault, 'st-secret');
    const { path, event, hash } = line!;
    const stub = lineOf({ ...event, t: 'forgotten', e: '', d: { hash } });
    const text = vault.files.text(path);
    const original = new TextDecoder().decode(line!.bytes);
    vault.files.put(path, text.replace(`${original}\n`, new TextDecoder().decode(stub.bytes)));
    expect(vaultText(vault)).not.toContain(SECRET);

    const report = await device.check();
    expect(report.isWhole).toBe(false);
    expect(kinds(report)).toEqual(['restorable', 'missing', 'stub']);

    const next = device.open();
    expect(await next.heal()).toBe(1);
    expect(await namesIn(next)).toContain('secret');
    await next.close();
    expect(vaultText(vault)).toContain(SECRET);
  });

  it('destroys nothing because of a forged event before its user agrees', async () => {
    const { vault, device, log } = await vaultWithSecret();
    const [line] = await linesOf(vault, 'st-last');
    const { w, n, c } = line!.event;
    const ranges = [{ w, from: n, to: n, crcs: c, hash: '0'.repeat(32) }];
    const forged = lineOf({
      t: 'log.forget',
      w: WRITER_B,
      d: { device: 'laptop', ranges },
    });
    vault.files.put(`${ROOT}/core/2026-11/forged.jsonl`, forged.bytes);
    vault.clock.advance(1000);

    expect(await namesIn(log)).toEqual(['secret', 'first']);
    const [forget] = await log.forgetting.list();
    expect(forget!.decision?.choice).toBe('open');
    await log.forgetting.decide([forget!.key], 'refused');
    expect(await namesIn(log)).toEqual(['last', 'secret', 'first']);
    await log.close();
    expect((await segmentsIn(vault.files)).flatMap(({ events }) => events)).toContainEqual(
      line!.event,
    );
    expect(kinds(await device.check())).toEqual(['refused']);
  });

  it('goes on hiding a line while the file that says so cannot be read, and shows it once that is lost', async () => {
    const { vault, log } = await vaultWithSecret();
    await log.close();
    const [line] = await linesOf(vault, 'st-last');
    const { w, n, c } = line!.event;
    const ranges = [{ w, from: n, to: n, crcs: c, hash: line!.hash }];
    const forget = lineOf({
      t: 'log.forget',
      w: WRITER_B,
      d: { device: 'desktop', ranges },
    });
    const path = `${ROOT}/core/2026-11/20261120-${WRITER_B}-0001.jsonl`;
    vault.files.put(path, forget.bytes);
    const withoutCopies = vault.open({ forgetStore: createMemoryForgetStore() });
    expect(await namesIn(withoutCopies)).toEqual(['secret', 'first']);

    await vault.files.remove(path);
    vault.files.put(`${path}.icloud`, '');
    const [{ key } = { key: '' }] = await withoutCopies.forgetting.list();
    await withoutCopies.forgetting.decide([key], 'agreed');
    expect(await namesIn(withoutCopies)).toEqual(['secret', 'first']);
    expect(await linesOf(vault, 'st-last')).toHaveLength(1);

    await vault.files.remove(`${path}.icloud`);
    await withoutCopies.forgetting.decide([key], 'agreed');
    expect(await namesIn(withoutCopies)).toEqual(['last', 'secret', 'first']);
    await withoutCopies.close();
  });

  it('never destroys a line that is not the one whose hash an event names', async () => {
    const { vault, device, log } = await vaultWithSecret();
    const [line] = await linesOf(vault, 'st-last');
    const [before] = await linesOf(vault, 'st-secret');
    await log.close();
    const { w, n, c } = line!.event;
    const wrong = '0'.repeat(32);
    const missing = [c, '00000000'].join('');
    const forged = [
      { w, from: n, to: n, crcs: c, hash: wrong },
      { w, from: n - 1, to: n, crcs: before!.event.c + c, hash: wrong },
      { w, from: n, to: n + 1, crcs: missing, hash: wrong },
    ];
    for (const [at, range] of forged.entries()) {
      const d = { device: 'laptop', ranges: [range] };
      const { bytes } = lineOf({ t: 'log.forget', w: WRITER_B, n: at + 1, d });
      vault.files.put(`${ROOT}/core/2026-11/forged-${at}.jsonl`, bytes);
    }
    const first = device.open();
    expect(await namesIn(first)).toEqual(['first']);
    await first.close();

    vault.clock.advance(20 * DAY_MS);
    const later = device.open();
    await later.memory();
    for (const { key } of (await later.forgetting.list()).slice(0, 2))
      await expect(later.forgetting.decide([key], 'agreed')).rejects.toThrow('does not name');
    await later.close();
    expect(vaultText(vault)).toContain(SECRET);
    const found = kinds(await device.check());
    expect(found).toContain('forgery');
    expect(found).not.toContain('stub');

    const last = device.open();
    for (const { key } of await last.forgetting.list())
      await last.forgetting.decide([key], 'refused');
    expect(await namesIn(last)).toEqual(['last', 'secret', 'first']);
    await last.close();
    expect((await segmentsIn(vault.files)).flatMap(({ events }) => events)).toContainEqual(
      line!.event,
    );
    expect(await copiedText(device.copies)).toContain('"st-last"');
  });

  it('restores a line that is named with a wrong hash when its file was deleted', async () => {
    const { vault, device, log } = await vaultWithSecret();
    const [line] = await linesOf(vault, 'st-last');
    await log.close();
    const { w, n, c } = line!.event;
    const ranges = [{ w, from: n, to: n, crcs: c, hash: '0'.repeat(32) }];
    const d = { device: 'laptop', ranges };
    const { bytes } = lineOf({ t: 'log.forget', w: WRITER_B, d });
    vault.files.put(`${ROOT}/core/2026-11/forged.jsonl`, bytes);
    vault.files.put(line!.path, '');

    const next = device.open();
    expect(await next.heal()).toBeGreaterThan(2);
    await next.close();
    const events = (await segmentsIn(vault.files)).flatMap((segment) => segment.events);
    expect(events).toContainEqual(line!.event);
  });

  it('restores a line once the event that forgot it is lost, but not while its file cannot be read', async () => {
    const { vault, device, log } = await vaultWithSecret();
    const [line] = await linesOf(vault, 'st-secret');
    await log.close();
    const { w, n, c } = line!.event;
    const ranges = [{ w, from: n, to: n, crcs: c, hash: line!.hash }];
    const d = { device: 'desktop', ranges };
    const path = `${ROOT}/core/2026-11/20261120-${WRITER_B}-0001.jsonl`;
    vault.files.put(path, lineOf({ t: 'log.forget', w: WRITER_B, d }).bytes);
    const add = () => Promise.reject(new Error('No space left on the device.'));
    const next = device.open({ copies: { ...device.copies, add } });
    expect(await namesIn(next)).toEqual(['last', 'first']);

    await vault.files.remove(path);
    vault.files.put(`${path}.icloud`, '');
    vault.files.put(line!.path, '');
    expect(await next.heal()).toBeGreaterThan(2);
    expect(vaultText(vault)).not.toContain(SECRET);

    await vault.files.remove(`${path}.icloud`);
    expect(await next.heal()).toBe(1);
    expect(vaultText(vault)).toContain(SECRET);
    await next.close();
    expect(await namesIn(device.open())).toEqual(['last', 'secret', 'first']);
  });

  it('destroys what is left of a range once its user agrees', async () => {
    const { vault, log } = await vaultWithSecret();
    await log.close();
    const [[line], [next]] = [await linesOf(vault, 'st-secret'), await linesOf(vault, 'st-last')];
    const { w, n, c } = line!.event;
    const crcs = `${c}${next!.event.c}${'0'.repeat(8)}`; // the last line is not here
    const ranges = [{ w, from: n, to: n + 2, crcs, hash: '0'.repeat(32) }];
    const d = { device: 'desktop', ranges };
    vault.files.put(
      `${ROOT}/core/2026-11/b.jsonl`,
      lineOf({ t: 'log.forget', w: WRITER_B, d }).bytes,
    );
    const other = deviceOf(vault, 'other');
    const desktop = other.open();
    await desktop.memory();
    vault.clock.advance(20 * DAY_MS);
    await desktop.heal();
    await desktop.close();
    expect(vaultText(vault)).toContain(SECRET);

    const again = other.open();
    const [forget] = await again.forgetting.list();
    await again.forgetting.decide([forget!.key], 'agreed');
    await again.close();
    expect(vaultText(vault)).not.toContain(SECRET);
    expect(await copiedText(other.copies)).not.toContain(SECRET);
  });

  it('never forgets a line of the log itself', async () => {
    const { vault, log } = await vaultWithSecret();
    const { lines } = await readLogLines(vault.files, ROOT);
    await log.forgetting.forget(lines, true);
    await log.close();
    const types = (await segmentsIn(vault.files)).flatMap(({ events }) => events.map(({ t }) => t));
    expect(types).toContain('log.vault');
    expect(types.filter((t) => t === 'forgotten')).toHaveLength(3);
  });

  it('waits at most two days for a segment to which another program may append', async () => {
    const { vault, device, log } = await vaultWithSecret();
    const second = device.open();
    await second.memory();
    const report = await second.forgetting.forget(await linesOf(vault, 'st-secret'), true);
    expect(report.waiting).toHaveLength(1);
    expect(vaultText(vault)).toContain(SECRET);
    expect(await namesIn(log)).toEqual(['last', 'first']);
    await second.close();
    await log.close(); // which has met the line and can seal its own segment
    expect(vaultText(vault)).not.toContain(SECRET);
  });

  it('brings nothing back from a backup for longer than until the event is read', async () => {
    const { vault, device, log } = await vaultWithSecret();
    const backup = vault.files.paths().map((path) => [path, vault.files.text(path)] as const);
    await log.forgetting.forget(await linesOf(vault, 'st-secret'), true);
    await log.close();
    for (const [path, text] of backup) vault.files.put(path.replace('.jsonl', ' 2.jsonl'), text);
    expect(vaultText(vault)).toContain(SECRET);

    const next = device.open();
    expect(await namesIn(next)).toEqual(['last', 'first']);
    await next.close();
    expect(vaultText(vault)).not.toContain(SECRET);
    expect((await device.check()).isWhole).toBe(true);
  });
});
