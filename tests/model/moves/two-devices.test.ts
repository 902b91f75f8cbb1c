import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LogEvent } from '../../../src/model/event.js';
import { emptyMemory, fold, type Memory } from '../../../src/model/memory.js';
import { moveData } from '../../../src/model/moves/move-data.js';
import { isAtOrIn, pathMoves } from '../../../src/model/moves/path-moves.js';
import { perTier, SEED } from '../../tier.js';

/**
 * Two devices rename notes and folders and sync whole files, as sync services do: a renamed note
 * is one file that is gone and another that is new.
 */
describe('renames on two devices', () => {
  it('lead each path that was ever written to a note that is there', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            device: fc.nat(1),
            act: fc.constantFrom('rename', 'rename', 'folder', 'folder', 'write', 'sync'),
            pick: fc.nat(1000),
            folder: fc.constantFrom('', 'F/', 'G/', 'F/Sub/', 'H/'),
            name: fc.nat(4),
          }),
          { minLength: 5, maxLength: 40 },
        ),
        (steps) => checkSequence(steps),
      ),
      { numRuns: perTier(500, 2000, 20_000), seed: SEED },
    );
  });
});

interface Step {
  readonly device: number;
  readonly act: string;
  readonly pick: number;
  readonly folder: string;
  readonly name: number;
}

interface Device {
  readonly writer: string;
  /** The id of the note at each path. */
  files: Map<string, number>;
  readonly events: Map<string, LogEvent>;
}

/** A path that memory refers to, with the note that it meant. */
interface Reference {
  readonly path: string;
  readonly since: string;
  readonly note: number;
}

function checkSequence(steps: readonly Step[]): void {
  const start = ['a.md', 'F/b.md', 'F/c.md', 'F/Sub/d.md', 'G/e.md'];
  const devices: Device[] = ['a', 'b'].map((writer) => ({
    writer,
    files: new Map(start.map((path, note) => [path, note])),
    events: new Map(),
  }));
  const references: Reference[] = start.map((path, note) => ({ path, since: timeAt(0), note }));
  let synced = new Map(devices[0]!.files);
  let now = 1;
  for (const step of steps) {
    const device = devices[step.device]!;
    now++;
    if (step.act === 'sync') synced = sync(devices, synced);
    else if (step.act === 'write') references.push(...written(devices, step, now));
    else rename(device, step, now);
  }
  sync(devices, synced);
  const [one, other] = devices.map(({ events }) => memoryOf([...events.values()]));
  const moves = pathMoves(one!);
  expect(moves.isEmpty).toBe(devices[0]!.events.size === 0);
  for (const { path, since, note } of references) {
    const found = moves.resolve(path, since);
    expect(pathMoves(other!).resolve(path, since)).toBe(found);
    expect(devices[0]!.files.get(found), `${path} of ${since}: ${found}`).toBe(note);
    // there is nothing left to follow
    expect(moves.resolve(found, timeAt(now))).toBe(found);
  }
}

/**
 * A path that is written after another device has renamed it, which this one does not know yet,
 * cannot be told from one that means a new note.
 */
function written(devices: readonly Device[], { device, pick }: Step, now: number): Reference[] {
  const { files, events } = devices[device]!;
  const unknown = [...devices[1 - device]!.events].flatMap(([id, { d }]) =>
    events.has(id) ? [] : [d['from'] as string],
  );
  const entry = [...files][pick % Math.max(1, files.size)];
  return entry && !unknown.some((from) => isAtOrIn(entry[0], from))
    ? [{ path: entry[0], note: entry[1], since: timeAt(now) }]
    : [];
}

function rename(device: Device, { act, pick, folder, name }: Step, now: number): void {
  const { files, writer, events } = device;
  const paths = [...files.keys()];
  const path = paths[pick % paths.length]!;
  const isFolder = act === 'folder' && path.includes('/');
  const from = isFolder ? path.slice(0, path.lastIndexOf('/')) : path;
  // no two devices choose the same new name: what a sync service does then is not a matter of moves
  const to = `${folder}${isFolder ? 'N' : 'n'}${name}-${writer}${now}${isFolder ? '' : '.md'}`;
  if (isAtOrIn(to, from)) return;
  device.files = new Map(
    [...files].map(([each, note]) => [
      isAtOrIn(each, from) ? to + each.slice(from.length) : each,
      note,
    ]),
  );
  const event: LogEvent = {
    v: 1,
    w: writer,
    n: now,
    p: '',
    c: '',
    h: timeAt(now),
    t: 'path.moved',
    e: `${writer}${now}`,
    d: moveData(memoryOf([...events.values()]), { from, to }),
  };
  events.set(event.e, event);
}

/** Brings both devices to the same files and events; returns the files. */
function sync(devices: readonly Device[], before: Map<string, number>): Map<string, number> {
  const files = new Map<string, number>();
  for (const device of devices) for (const [path, note] of device.files) files.set(path, note);
  for (const path of before.keys())
    if (devices.some((device) => !device.files.has(path))) files.delete(path);
  const all = devices.flatMap(({ events }) => [...events]);
  for (const device of devices) {
    device.files = new Map(files);
    for (const [id, event] of all) device.events.set(id, event);
  }
  return files;
}

function memoryOf(events: readonly LogEvent[]): Memory {
  return fold(emptyMemory, events);
}

function timeAt(second: number): string {
  return `${new Date(Date.UTC(2026, 10, 20) + second * 1000).toISOString()}.0000`;
}
