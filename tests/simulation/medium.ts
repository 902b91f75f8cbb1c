import type { VaultPath } from '../../src/model/paths.js';
import type { Dice } from './dice.js';
import type { Device } from './device.js';
import { isSameBytes, README } from './disk.js';

/** Behavior of a sync service. The first words name how it resolves a conflict. */
export const BEHAVIOURS = [
  'last wins',
  'copies',
  'merges text',
  'copies, late and out of order',
  'copies, in halves',
] as const;

export type Behaviour = (typeof BEHAVIOURS)[number];

/** Names that sync services give to the copy of the losing side. */
const COPY_NAMES: readonly ((stem: string) => string)[] = [
  (stem) => `${stem}.sync-conflict-20261120-090000-ABCDEFG`, // Syncthing
  (stem) => `${stem} (laptop's conflicted copy 2026-11-20)`, // Dropbox
  (stem) => `${stem}-DESKTOP-AB12`, // OneDrive
  (stem) => `${stem} 2`, // iCloud
  (stem) => `${stem} (1)`, // Google Drive
  (stem) => `${stem}.dup`, // Remotely Save
];

/** A cloud folder that the devices sync with in turn. */
export interface Medium {
  sync(device: Device): void;
  /** Resets the device's sync client, so that all files that differ look changed on both sides. */
  forget(device: Device): void;
  /**
   * Takes a snapshot of the state of the device's sync client. The returned function restores it.
   */
  backUp(device: Device): () => void;
  /** Syncs until no file differs. */
  settle(): void;
  /** The files in the cloud. */
  contents(): Iterable<Uint8Array>;
}

/** Callbacks of the medium. */
export interface MediumEvents {
  conflict(path: VaultPath): void;
  /** Called when one side of a conflict was discarded. */
  overwritten(): void;
}

export function createMedium(
  behaviour: Behaviour,
  devices: readonly Device[],
  dice: Dice,
  events: MediumEvents,
): Medium {
  const cloud = new Map<VaultPath, Uint8Array>();
  const bases = new Map<Device, Map<VaultPath, Uint8Array>>();
  let isSettling = false;

  function baseOf(device: Device): Map<VaultPath, Uint8Array> {
    const base = bases.get(device) ?? new Map<VaultPath, Uint8Array>();
    bases.set(device, base);
    return base;
  }

  function syncFile(device: Device, path: VaultPath): void {
    const [local, remote, base] = [
      device.disk.get(path),
      cloud.get(path),
      baseOf(device).get(path),
    ];
    if (isSameBytes(local, remote)) setOrDelete(baseOf(device), path, local);
    else if (isSameBytes(local, base)) deliver(device, path, remote);
    else if (isSameBytes(remote, base)) upload(device, path, local);
    else if (!local) deliver(device, path, remote);
    else if (!remote) upload(device, path, local);
    else resolve(device, path, local, remote);
  }

  function deliver(device: Device, path: VaultPath, remote: Uint8Array | undefined): void {
    const part = remote && partOf(path, remote);
    if (part) device.disk.put(path, part, dice.chance(0.3) ? 'in place' : 'replaced');
    else device.disk.remove(path);
    setOrDelete(baseOf(device), path, part);
  }

  function upload(device: Device, path: VaultPath, local: Uint8Array | undefined): void {
    const part = local && partOf(path, local);
    setOrDelete(cloud, path, part);
    setOrDelete(baseOf(device), path, part);
  }

  function partOf(path: VaultPath, bytes: Uint8Array): Uint8Array {
    return behaviour === 'copies, in halves' && path !== README && !isSettling && dice.chance(0.4)
      ? bytes.subarray(0, dice.below(bytes.length))
      : bytes;
  }

  function resolve(device: Device, path: VaultPath, local: Uint8Array, remote: Uint8Array): void {
    events.conflict(path);
    if (behaviour === 'last wins') {
      events.overwritten();
      if (dice.chance(0.8)) upload(device, path, local);
      else deliver(device, path, remote);
    } else if (behaviour === 'merges text') {
      const merged = mergeText(local, remote, dice);
      device.disk.put(path, merged, 'in place');
      upload(device, path, merged);
    } else {
      const copy = copyPath(device, path);
      const isLocalKept = dice.chance(0.5);
      device.disk.put(copy, isLocalKept ? remote : local);
      upload(device, copy, device.disk.get(copy));
      if (isLocalKept) upload(device, path, local);
      else deliver(device, path, remote);
    }
  }

  function copyPath(device: Device, path: VaultPath): VaultPath {
    const name = dice.pick(COPY_NAMES);
    let stem = path.slice(0, -'.jsonl'.length);
    do stem = name(stem);
    while (device.disk.get(`${stem}.jsonl`) ?? cloud.get(`${stem}.jsonl`));
    return `${stem}.jsonl`;
  }

  function sync(device: Device): void {
    const isLate = behaviour === 'copies, late and out of order' && !isSettling;
    const own = device.disk.paths().filter((path) => path === README);
    const paths = [...new Set([...own, ...device.disk.segments(), ...cloud.keys()])];
    for (const path of isLate ? dice.shuffle(paths) : paths)
      if (!isLate || dice.chance(0.4)) syncFile(device, path);
  }

  return {
    sync,
    forget: (device) => baseOf(device).clear(),
    backUp(device) {
      const base = new Map(baseOf(device));
      return () => void bases.set(device, base);
    },
    settle() {
      isSettling = true;
      for (let round = 0; round < 4; round++) for (const device of devices) sync(device);
      isSettling = false;
    },
    contents: () => cloud.values(),
  };
}

function setOrDelete(
  map: Map<VaultPath, Uint8Array>,
  path: VaultPath,
  bytes: Uint8Array | undefined,
): void {
  if (bytes) map.set(path, bytes);
  else map.delete(path);
}

/**
 * Returns the common lines once, followed by the lines of only one side, with or without git's
 * markers.
 */
function mergeText(local: Uint8Array, remote: Uint8Array, dice: Dice): Uint8Array {
  const [ours, theirs] = [linesOf(local), linesOf(remote)];
  let start = 0;
  while (start < ours.length && ours[start] === theirs[start]) start++;
  let end = 0;
  while (
    end < Math.min(ours.length, theirs.length) - start &&
    ours.at(-1 - end) === theirs.at(-1 - end)
  )
    end++;
  const [left, right] = [
    ours.slice(start, ours.length - end),
    theirs.slice(start, theirs.length - end),
  ];
  const both = dice.chance(0.5)
    ? [...left, ...right]
    : ['<<<<<<< HEAD\n', ...ended(left), '=======\n', ...ended(right), '>>>>>>> theirs\n'];
  const merged = [...ours.slice(0, start), ...both, ...ours.slice(ours.length - end)].join('');
  return Buffer.from(dice.chance(0.2) ? merged.replaceAll('\n', '\r\n') : merged, 'latin1');
}

/** Splits into lines that include their newlines. The last line may have none. */
function linesOf(bytes: Uint8Array): string[] {
  return Buffer.from(bytes)
    .toString('latin1')
    .split(/(?<=\n)/)
    .filter((line) => line !== '');
}

function ended(lines: readonly string[]): string[] {
  return lines.map((line) => (line.endsWith('\n') ? line : `${line}\n`));
}
