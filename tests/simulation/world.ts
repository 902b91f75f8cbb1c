import { START_TIME } from '../fakes/deterministic.js';
import type { Call } from './call.js';
import type { Excuses } from './checks.js';
import {
  createDevice,
  type Device,
  type Process,
  type Sabotage,
  type Surroundings,
} from './device.js';
import type { Dice } from './dice.js';
import { createLedger, type Ledger } from './ledger.js';
import { BEHAVIOURS, createMedium, type Medium } from './medium.js';

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const DAY = 24 * 60 * MINUTE;
export const YEAR = 365 * DAY;

/** Three devices, the sync medium between them, and the ledger of all writes. */
export interface World extends Surroundings {
  readonly dice: Dice;
  readonly ledger: Ledger;
  readonly devices: readonly Device[];
  readonly medium: Medium;
  readonly excuses: Excuses;
  readonly story: string[];
  readonly tally: Map<string, number>;
  /** Calls that were never answered or were refused, to be retried with their keys. */
  readonly unheard: Call[];
  readonly backups: Map<Device, { restore(): void; restoreBase(): void }>;
  readonly isRough: boolean;
  readonly weight: number;
  beginStep(number: number): Promise<void>;
  readonly count: (what: string) => void;
  advance(ms: number): Promise<void>;
  newKey(): string;
}

export function createWorld(dice: Dice, sabotage: Sabotage | undefined): World {
  const excuses: Excuses = { mayLose: false, mayLoseTraces: false, mayHaveScars: false };
  const ledger = createLedger(excuses, ({ text }) =>
    [...devices.flatMap(bytesOn), ...medium.contents()].some((bytes) =>
      Buffer.from(bytes).includes(text, 0, 'latin1'),
    ),
  );
  const story: string[] = [];
  const tally = new Map<string, number>();
  const timers = new Set<{ at: number; task: () => void }>();
  const devices: Device[] = [];
  const behaviour = dice.pick(BEHAVIOURS);
  let step = 0;
  let time = 0;
  let keys = 0;
  const count = (what: string) => void tally.set(what, (tally.get(what) ?? 0) + 1);
  const tell = (what: string) => void story.push(`${step}. ${what}`);
  const medium = createMedium(behaviour, devices, dice, {
    conflict(path) {
      count('conflict');
      tell(`conflict over ${path}`);
      excuses.mayHaveScars = true;
    },
    overwritten: () => void (excuses.mayLose = true),
  });
  const world: World = {
    dice,
    ledger,
    devices,
    medium,
    excuses,
    story,
    tally,
    sabotage,
    tell,
    count,
    unheard: [],
    backups: new Map(),
    isRough: dice.chance(0.5),
    weight: dice.chance(0.03) ? 20_000 : 0,
    isCaching: dice.chance(0.5),
    isWatching: dice.chance(0.5),
    traceLimits: dice.chance(0.5)
      ? dice.pick([
          { days: 10, bytes: 1e9 },
          { days: 1000, bytes: 1500 },
        ])
      : undefined,
    time: () => time,
    after(ms, task) {
      const timer = { at: time + ms, task };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    async beginStep(number) {
      step = number;
      await world.advance(dice.below(1000));
    },
    async advance(ms) {
      time += ms;
      for (const timer of [...timers].filter(({ at }) => at <= time)) {
        timers.delete(timer);
        timer.task();
      }
      // Lets work that a timer has started proceed.
      await new Promise((resolve) => setImmediate(resolve));
    },
    newKey: () => `call-${++keys}`,
  };
  for (const name of ['A', 'B', 'C']) {
    const offset =
      START_TIME +
      dice.pick([0, 0, 1, -1]) * dice.below(dice.pick([MINUTE, DAY, 10 * YEAR, 60 * YEAR]));
    devices.push(
      createDevice(name, world, { offset, drift: dice.pick([0, 0, 0.001, -0.001, 0.5, -0.5]) }),
    );
  }
  count(behaviour);
  tell(`a medium that ${behaviour}${world.isRough ? ', and a rough world' : ''}`);
  return world;
}

/** Returns the segments of a device, and its copies. */
function bytesOn({ disk, copies }: Device): Uint8Array[] {
  return [...disk.segments().flatMap((path) => disk.get(path) ?? []), ...copies().values()];
}

export function allProcesses({ devices }: World): Process[] {
  return devices.flatMap(({ processes }) => processes);
}

/** Returns a process of the device; sometimes starts a second one. */
export function processOn(device: Device, { dice }: World): Process {
  const { processes } = device;
  return processes.length === 0 || (processes.length === 1 && dice.chance(0.15))
    ? device.start()
    : dice.pick(processes);
}
