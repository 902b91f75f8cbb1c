import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { stampTime, type Draft, type Json, type LogEvent } from '../../src/model/event.js';
import { lineKey } from '../../src/storage/format/line.js';
import { chainHash, encodeStub, originalHash } from '../../src/storage/format/stub.js';
import { parseSegment } from '../../src/storage/format/segment.js';
import type { Removal } from '../../src/storage/forget/due-lines.js';
import { forgetKey, forgetOf, type HashedLine } from '../../src/storage/forget/forget-event.js';
import { recordDraft, stateDraft } from '../fakes/events.js';
import { createMemoryIdentities } from '../fakes/deterministic.js';
import { Partner } from '../storage/forget/partner.js';
import { settled } from '../storage/forget/forgetter-on.js';
import {
  createMemoryCopies,
  createMemoryForgetStore,
  createVault,
  put,
  ROOT,
} from '../storage/helpers.js';
import { runs } from './runs.js';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
const AGREEMENT_DAYS = 7;
const WEEK_MS = AGREEMENT_DAYS * DAY_MS;
const ZEROS = '0'.repeat(32);

/** A part of what happens to a device in whose vault somebody hostile may write. */
const step = fc.oneof(
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('save' as const), item: fc.nat(5) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('junk' as const),
      form: fc.constantFrom('new', 'again', 'set', 'stub', 'forgedStub', 'copy'),
      item: fc.nat(5),
      line: fc.nat(),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('ask' as const),
      line: fc.nat(),
      count: fc.integer({ min: 1, max: 3 }),
      proof: fc.constantFrom('true', 'true', 'true', 'other', 'zeros'),
      other: fc.nat(),
      isListing: fc.boolean(),
      device: fc.constantFrom<string>('partner', 'phone'),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('days' as const),
      count: fc.constantFrom(1, 4, 9, 9),
      hours: fc.constantFrom(3, 24, 24, 24, 30 * 24),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('jump' as const),
      days: fc.constantFrom(-400, -10, -1, 8, 365),
      isBrief: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('refuse' as const), request: fc.nat() }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('repeat' as const),
      request: fc.nat(),
      isLonger: fc.boolean(),
      device: fc.constantFrom<string>('tablet', 'phone'),
    }),
  },
);

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

interface Removed {
  readonly removal: Removal;
  readonly at: number;
  /** Ids of the items that lines created which were left then. */
  readonly created: ReadonlySet<string>;
}

const isStub = (event: LogEvent) => originalHash(event) !== undefined;

/** A device, with what was written, told and refused there. */
class World {
  readonly vault = createVault();
  readonly partner = new Partner(() => this.vault.clock.now());
  readonly removals: Removed[] = [];
  /** Times at which a request was told, by its key. */
  readonly told = new Map<string, number[]>();
  /** Identities of the lines that the user has refused to remove. */
  readonly refused = new Set<string>();
  /** All lines that were ever in the vault, by hash. */
  readonly written = new Map<string, LogEvent>();
  /** All stubs that were ever there. */
  readonly stubs: HashedLine[] = [];
  readonly #options = {
    copies: createMemoryCopies(),
    forgetStore: createMemoryForgetStore(),
    identities: createMemoryIdentities(),
    device: 'laptop',
    onDestroy: async (removals: readonly Removal[]) => {
      const at = this.vault.clock.now();
      const whole = (await this.observe()).filter(({ event }) => !isStub(event));
      const created = new Set(whole.flatMap(({ event: { t, e } }) => (t === 'set' ? [] : [e])));
      this.removals.push(...removals.map((removal) => ({ removal, at, created })));
    },
  };

  async take(each: Step): Promise<void> {
    const { clock } = this.vault;
    switch (each.kind) {
      case 'save':
        return this.#save(each.item);
      case 'junk':
        return this.#writeJunk(each);
      case 'ask':
        return this.#ask(each);
      case 'repeat':
        return this.#repeat(each);
      case 'days':
        for (let day = 0; day < each.count; day++) {
          clock.advance(each.hours * HOUR_MS);
          await this.#start();
        }
        return undefined;
      case 'jump':
        clock.advance(each.days * DAY_MS);
        await this.#start();
        if (each.isBrief) clock.advance(-each.days * DAY_MS);
        return undefined;
      case 'refuse':
        return this.#refuse(each.request);
    }
  }

  async #open() {
    const log = this.vault.open(this.#options);
    await log.memory();
    await settled();
    return log;
  }

  async #start(): Promise<void> {
    const log = await this.#open();
    for (const { key } of await log.forgetting.tell()) {
      const times = this.told.get(key) ?? [];
      this.told.set(key, [...times, this.vault.clock.now()]);
    }
    await log.close();
    await this.observe();
  }

  async #save(item: number): Promise<void> {
    const log = await this.#open();
    await put(log, recordDraft(`Own text of item ${item}`, `own-${item}`));
    await log.close();
    await this.observe();
  }

  /** Lines that can be named, in a fixed order. */
  #lines(): HashedLine[] {
    return [...this.written].map(([hash, event]) => ({ event, hash }));
  }

  async #writeJunk({ form, item, line }: Extract<Step, { kind: 'junk' }>): Promise<void> {
    const all = this.#lines();
    const victim = all[line % Math.max(1, all.length)];
    const drafts: Record<typeof form, () => Promise<Draft> | Draft> = {
      new: () => recordDraft(`Junk text of item ${item}`, `junk-${item}`),
      again: () => stateDraft(`again ${item}`, `own-${item}`),
      set: () => ({ t: 'set', e: `own-${item}`, d: { '/title': 'Changed' } }),
      stub: () => ({ t: 'forgotten', e: '', d: { hash: victim?.hash ?? '' } }),
      forgedStub: () => ({ t: 'forgotten', e: '', d: { hash: ZEROS } }),
      copy: () => ({ t: victim?.event.t ?? 'x.new', e: victim?.event.e ?? 'x', d: {} }),
    };
    this.partner.write(await drafts[form]());
    if (victim && form === 'stub') this.#putStub(victim, victim.hash);
    if (victim && form === 'forgedStub') this.#putStub(victim, all.at(0)!.hash);
    await this.#putPartner();
  }

  /** Puts a stub of somebody else's line into a file of its own. */
  #putStub({ event }: HashedLine, hash: string): void {
    const { bytes } = encodeStub(event, hash);
    this.vault.files.put(`${ROOT}/core/2026-11/stub-${event.w}-${event.n}.jsonl`, bytes);
  }

  async #ask({ line, count, proof, other, isListing, device }: Extract<Step, { kind: 'ask' }>) {
    const all = this.#lines();
    if (all.length === 0) return;
    const first = all[line % all.length]!;
    const run = [first];
    for (let next = first; run.length < count; run.push(next)) {
      const after = all.find(
        ({ event: { w, n, p } }) =>
          w === first.event.w && n === next.event.n + 1 && p === next.hash,
      );
      if (!after) break;
      next = after;
    }
    const { w, n } = first.event;
    const hashes = { true: run.at(-1)!.hash, other: all[other % all.length]!.hash, zeros: ZEROS };
    const crcs = run.map(({ event }) => event.c).join('');
    const range = { w, from: n, to: n + run.length - 1, crcs, hash: hashes[proof] };
    const entities = ['', ...new Set(all.map(({ event }) => event.e))];
    const d: Record<string, Json> = { device, ranges: [range], ...(isListing && { entities }) };
    this.partner.write({ t: 'log.forget', e: '', d });
    await this.#putPartner();
  }

  /** Asks for the lines of an earlier request again, perhaps with the one after them. */
  async #repeat({ request, isLonger, device }: Extract<Step, { kind: 'repeat' }>): Promise<void> {
    const asked = this.partner.lines.filter(({ event }) => event.t === 'log.forget');
    const earlier = asked[request % Math.max(1, asked.length)]?.event;
    const range = earlier && forgetOf(earlier)?.ranges[0];
    if (!range) return;
    const { writer, from, crcs } = range;
    const line = this.#lines().findIndex(
      ({ event: { w, n, c } }) => w === writer && n === from && c === crcs[0],
    );
    const count = crcs.length + Number(isLonger);
    const rest = { other: 0, isListing: false, proof: 'true', device } as const;
    if (line >= 0) await this.#ask({ kind: 'ask', line, count, ...rest });
  }

  /** Adds what the partner has written, and nothing that a device has made a stub since. */
  async #putPartner(): Promise<void> {
    this.partner.putInto(this.vault.files);
    await this.observe();
  }

  async #refuse(request: number): Promise<void> {
    const log = await this.#open();
    const { asked } = log.trouble();
    const chosen = asked[request % Math.max(1, asked.length)];
    // what was removed by then cannot be kept
    const here = new Set((await this.observe()).map(({ event }) => lineKey(event)));
    if (chosen) await log.forgetting.decide([chosen.key], 'refused');
    for (const { writer: w, from, crcs } of chosen?.content.ranges ?? [])
      for (const key of crcs.map((c, at) => lineKey({ w, n: from + at, c })))
        if (here.has(key)) this.refused.add(key);
    await log.close();
    await this.observe();
  }

  /** Takes in the lines that are in the vault now. */
  async observe(): Promise<HashedLine[]> {
    const found: HashedLine[] = [];
    for (const path of this.vault.files.paths()) {
      const bytes = await this.vault.files.read(path);
      for (const { event, from, to } of bytes ? parseSegment(bytes).lines : []) {
        const line = { event, hash: chainHash(event, bytes!.subarray(from, to)) };
        found.push(line);
        if (!isStub(event)) this.written.set(line.hash, event);
        else this.stubs.push(line);
      }
    }
    return found;
  }

  /** Returns the hashes of lines that an event names and proves. */
  provedBy(event: LogEvent): Set<string> {
    const all = [...this.#lines(), ...this.stubs];
    const proved = new Set<string>();
    for (const { writer, from, to, crcs, hash } of forgetOf(event)?.ranges ?? []) {
      let hashes = new Set([hash]);
      for (let n = to; n >= from; n--) {
        const here = all.filter(
          (each) => each.event.w === writer && each.event.n === n && hashes.has(each.hash),
        );
        for (const each of here)
          if (each.event.c === crcs[n - from] || isStub(each.event)) proved.add(each.hash);
        hashes = new Set(here.map((each) => each.event.p));
      }
    }
    return proved;
  }

  /** Returns true if the user was told on seven days before one that counts. */
  isTold(event: LogEvent): boolean {
    const times = this.told.get(forgetKey(event)) ?? [];
    const days = times.filter((at, index) => index > 0 && at - times[index - 1]! >= 20 * HOUR_MS);
    return days.length >= AGREEMENT_DAYS;
  }

  async check(): Promise<number> {
    const events = this.partner.lines.map(({ event }) => event);
    const told = events.filter((event) => event.t === 'log.forget' && this.isTold(event));
    const allowed = new Set(told.flatMap((event) => [...this.provedBy(event)]));
    const isRefused = ({ w, n, c }: LogEvent) => this.refused.has(lineKey({ w, n, c }));
    for (const { removal, at } of this.removals) {
      const isOld = (event: LogEvent) => at >= Date.parse(stampTime(event)) + WEEK_MS;
      const proved = new Set(told.filter(isOld).flatMap((event) => [...this.provedBy(event)]));
      expect([...removal.hashes].filter((hash) => !proved.has(hash))).toEqual([]);
    }

    const whole = (await this.observe()).filter(({ event }) => !isStub(event));
    const here = new Set(whole.map(({ hash }) => hash));
    const gone = this.#lines().filter(({ hash }) => !here.has(hash));
    expect(gone.filter(({ hash }) => !allowed.has(hash))).toEqual([]);
    expect(gone.filter(({ event }) => isRefused(event))).toEqual([]);

    for (const { removal, created } of this.removals)
      for (const id of removal.ids) {
        const creating = this.#lines().filter(({ event: { t, e } }) => t !== 'set' && e === id);
        expect(creating.some(({ hash }) => removal.hashes.has(hash))).toBe(true);
        expect([...created]).not.toContain(id);
      }
    return gone.length;
  }
}

describe('What somebody hostile asks to remove', () => {
  let gone = 0;

  it('reaches only lines that were proved, told on seven days and not refused', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
        const world = new World();
        await world.take({ kind: 'save', item: 0 });
        await world.take({ kind: 'save', item: 1 });
        for (const each of steps) await world.take(each);
        gone += await world.check();
      }),
      runs(0.3),
    );
  }, 600_000);

  afterAll(() => expect(gone).toBeGreaterThan(0));
});
