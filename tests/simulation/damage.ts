import type { Dice } from './dice.js';
import { ROOT, type Disk } from './disk.js';

interface Damage {
  readonly name: string;
  /** True if lines that exist nowhere else may be lost. */
  readonly isLossy: boolean;
  /** Damages the file. Returns false if that is not possible for this file. */
  readonly do: (disk: Disk, path: string, bytes: Uint8Array, dice: Dice) => boolean;
}

const DAMAGES: readonly Damage[] = [
  {
    name: 'duplicate',
    isLossy: false,
    do: (disk, path, bytes, dice) => put(disk, renamed(path, dice), bytes),
  },
  {
    name: 'truncate',
    isLossy: true,
    do: (disk, path, bytes, dice) =>
      put(disk, path, bytes.subarray(0, dice.below(bytes.length + 1)), 'in place'),
  },
  {
    name: 'empty',
    isLossy: true,
    do: (disk, path) => put(disk, path, new Uint8Array(), 'in place'),
  },
  {
    name: 'fill with NULs',
    isLossy: true,
    do: (disk, path, bytes) => put(disk, path, new Uint8Array(bytes.length), 'in place'),
  },
  {
    name: 'delete the core lane with',
    isLossy: true,
    do(disk) {
      const core = disk.segments().filter((path) => path.startsWith(`${ROOT}/core/`));
      for (const path of core) disk.remove(path);
      return core.length > 0;
    },
  },
  {
    name: 'add a placeholder next to',
    isLossy: false,
    do: (disk, path) => put(disk, `${path}.icloud`, new Uint8Array()),
  },
  {
    name: 'add a giant file next to',
    isLossy: false,
    do: (disk, path, _, dice) =>
      dice.chance(0.2) && put(disk, renamed(path, dice), new Uint8Array(500_000)),
  },
  {
    name: 'add a file that is never downloaded next to',
    isLossy: false,
    do(disk, path, _, dice) {
      const stray = renamed(path, dice);
      disk.block(stray);
      return put(disk, stray, new Uint8Array(10));
    },
  },
  {
    name: 'delete',
    isLossy: true,
    do: (disk, path) => (disk.remove(path), true),
  },
  {
    name: 'roll back',
    isLossy: true,
    do(disk, path, _, dice) {
      const versions = disk.versions(path);
      return (
        versions.length > 0 &&
        put(disk, path, dice.pick(versions), dice.chance(0.5) ? 'in place' : 'replaced')
      );
    },
  },
  {
    name: 'flip a bit of',
    isLossy: true,
    do(disk, path, bytes, dice) {
      if (bytes.length === 0) return false;
      const flipped = Uint8Array.from(bytes);
      flipped[dice.below(bytes.length)]! ^= 1 << dice.below(8);
      return put(disk, path, flipped, 'in place');
    },
  },
  {
    name: 'rename',
    isLossy: false,
    do(disk, path, bytes, dice) {
      disk.remove(path);
      return put(disk, renamed(path, dice), bytes);
    },
  },
  {
    name: 'rename the folder of',
    isLossy: false,
    do(disk, path, _, dice) {
      const folder = path.slice(0, path.lastIndexOf('/'));
      const to = `${folder}${dice.pick([' (1)', ' - Copy', '-old'])}`;
      for (const inside of disk.paths().filter((other) => other.startsWith(`${folder}/`))) {
        const bytes = disk.get(inside)!;
        disk.remove(inside);
        put(disk, freeOf(disk, to + inside.slice(folder.length)), bytes);
      }
      return true;
    },
  },
];

/**
 * Damages a segment below a folder of a disk. Returns a description of the damage, or undefined if
 * there is no segment.
 */
export function harm(
  disk: Disk,
  dice: Dice,
  folder: string,
): { about: string; isLossy: boolean } | undefined {
  const segments = disk.segments().filter((path) => path.startsWith(folder));
  if (segments.length === 0) return undefined;
  const path = dice.pick(segments);
  const { name, isLossy, do: damage } = dice.pick(DAMAGES);
  return damage(disk, path, disk.get(path)!, dice)
    ? { about: `${name} ${path}`, isLossy }
    : undefined;
}

function put(
  disk: Disk,
  path: string,
  bytes: Uint8Array,
  how: 'in place' | 'replaced' = 'replaced',
): true {
  disk.put(path, bytes, how);
  return true;
}

function renamed(path: string, dice: Dice): string {
  return path.replace(/\.jsonl$/, ` renamed ${dice.below(1e9)}.jsonl`);
}

function freeOf(disk: Disk, path: string): string {
  return disk.get(path) ? freeOf(disk, path.replace(/\.jsonl$/, ' 2.jsonl')) : path;
}
