import type { EncodedLine } from '../../../src/storage/format/line.js';
import { parseSegment } from '../../../src/storage/format/segment.js';
import { forgetKey } from '../../../src/storage/forget/forget-event.js';
import type { ForgetDecision } from '../../../src/storage/forget/forget-decisions.js';
import { Forgets } from '../../../src/storage/forget/forgets.js';
import { Forgetter, type ForgetterOptions } from '../../../src/storage/forget/forgetter.js';
import { NOOP_SCHEDULER } from '../../../src/platform/scheduler.js';
import { createTestClock } from '../../fakes/deterministic.js';
import { joinLines, WRITER_A, WRITER_B } from '../../fakes/events.js';
import { createMemoryFiles } from '../../fakes/memory-files.js';
import { watchFiles } from '../../fakes/watched-files.js';
import { createMemoryCopies, ROOT } from '../helpers.js';
import { watchedStore } from './watched-store.js';

export const FOLDER = `${ROOT}/core/2026-11`;
/** The segment of `lineRun`, whose writer may still append to it. */
export const SEGMENT = `${FOLDER}/20261120-${WRITER_A}-0001.jsonl`;
/** Where `forget` puts events unless told otherwise. */
export const FORGET_SEGMENT = `${FOLDER}/20261120-${WRITER_B}-0001.jsonl`;
export const VAULT_ID = 'vaultvaultvault2';

/** A program called "app" of a device, in whose vault is what `put` puts there. */
export function forgetterOn(options: Partial<ForgetterOptions> = {}) {
  const clock = createTestClock();
  const memory = createMemoryFiles(() => clock.now());
  const files = watchFiles(memory);
  const copies = createMemoryCopies();
  const store = watchedStore();
  const warnings: string[] = [];
  const warn = (message: string) => void warnings.push(message);
  const forgets = new Forgets({ store, clock, warn });
  /** What the forgetter has told others, in order. */
  const told: string[] = [];
  let timers = 0;
  const forgetter = new Forgetter({
    files,
    root: ROOT,
    forgets,
    copies,
    clock: { now: () => clock.now(), after: (ms, task) => (timers++, clock.after(ms, task)) },
    scheduler: NOOP_SCHEDULER,
    program: 'app',
    vaultIds: () => Promise.resolve([VAULT_ID]),
    seal: (lane, path) => Promise.resolve(void told.push(`seal ${lane} ${path}`)).then(() => true),
    onLost: () => Promise.resolve(void told.push('lost')),
    onRewritten: (lane, path) => void told.push(`rewritten ${lane} ${path}`),
    onHeld: () => void told.push('held'),
    onDestroy: (removals) => {
      const ids = new Set(removals.flatMap((removal) => removal.ids));
      return Promise.resolve(void told.push(`destroy ${[...ids].sort().join(' ')}`));
    },
    warn,
    ...options,
  });
  return {
    clock,
    files,
    memory,
    copies,
    store,
    warnings,
    forgets,
    forgetter,
    told,
    /** The number of timers that were set. */
    timers: () => timers,
    /** The number of times that the forgetter has destroyed something. */
    runs: () => told.filter((each) => each.startsWith('destroy')).length,
    put: (path: string, ...lines: readonly EncodedLine[]) => memory.put(path, joinLines(lines)),
    /** Reads an event, which is in the vault, and decides about it. */
    async forget(line: EncodedLine, choice?: ForgetDecision['choice'], path = FORGET_SEGMENT) {
      memory.put(path, joinLines([{ bytes: new TextEncoder().encode(memory.text(path)) }, line]));
      await forgets.take([line.event]);
      if (choice) await forgets.decide([forgetKey(line.event)], choice);
      return forgetKey(line.event);
    },
    /** The ids of the items that the lines of a file create, with a dash for each stub. */
    async contentOf(path = SEGMENT) {
      const { lines } = parseSegment((await memory.read(path)) ?? new Uint8Array());
      return lines.map(({ event: { t, e } }) => (t === 'forgotten' ? '-' : e)).join(' ');
    },
    async copied() {
      const { lines } = parseSegment(await copies.read(VAULT_ID));
      return lines.map(({ event: { t, e } }) => (t === 'forgotten' ? '-' : e)).join(' ');
    },
  };
}

/** Resolves once all that was started has ended, since nothing here waits for the platform. */
export function settled(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}
