import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * A disk whose power can be cut: an ext4 in an image file (`disk.img`) that is itself on an ext4 in another image. The outer
 * one plays the disk: what it holds in its cache is the disk's own volatile cache, and what is flushed to it is in its journal.
 * Cutting shuts it down by ioctl, at one moment, without a flush: only what the inner file system has asked it to keep is there
 * when both are mounted again and their journals are replayed.
 */
export interface CutDisk {
  /** Mount point of the inner file system. */
  readonly folder: string;
  /** Syncs everything written so far. */
  sync(): void;
  cutPower(): void;
  /** Unmounts both file systems; no file of them may be in use. */
  unmount(): void;
  mount(): void;
  remove(): void;
}

const OUTER_BYTES = 192 * 1024 * 1024;
const INNER_MB = 128;

/** EXT4_IOC_SHUTDOWN with EXT4_GOING_FLAGS_NOLOGFLUSH: made to test power cuts. */
const SHUT_DOWN =
  'my $how = pack("L", 2); open(F, "<", $ARGV[0]) or die $!; ioctl(F, 0x8004587D, $how) or die $!;';

function run(command: string, ...args: string[]): void {
  execFileSync(command, args, { stdio: 'pipe', timeout: 60_000 });
}

export function createCutDisk(): CutDisk {
  const base = mkdtempSync(join(tmpdir(), 'savepoint-power-'));
  const [outerImage, outer, folder] = [
    join(base, 'outer.img'),
    join(base, 'outer'),
    join(base, 'disk'),
  ];
  const innerImage = join(outer, 'disk.img');
  const mountOuter = () => run('mount', '-o', 'loop', outerImage, outer);
  const mountInner = () => run('mount', '-o', 'loop', innerImage, folder);
  const quietly = (...args: [string, ...string[]]) => {
    try {
      run(...args);
    } catch {
      return; // it was not mounted
    }
  };
  const disk: CutDisk = {
    folder,
    sync: () => run('sync', '-f', folder),
    cutPower: () => run('perl', '-e', SHUT_DOWN, outer),
    unmount() {
      run('umount', folder);
      run('umount', outer);
    },
    mount() {
      mountOuter();
      mountInner();
    },
    remove() {
      quietly('umount', '-l', folder);
      quietly('umount', '-l', outer);
      rmSync(base, { recursive: true, force: true });
    },
  };
  try {
    mkdirSync(outer);
    mkdirSync(folder);
    run('truncate', '-s', String(OUTER_BYTES), outerImage);
    run('mkfs.ext4', '-q', '-F', outerImage);
    mountOuter();
    // Written, not only reserved: a disk does not allot its sectors while it is used.
    run('dd', 'if=/dev/zero', `of=${innerImage}`, 'bs=1M', `count=${INNER_MB}`, 'status=none');
    run('mkfs.ext4', '-q', '-F', innerImage);
    run('sync', '-f', outer);
    mountInner();
    return disk;
  } catch (error) {
    disk.remove();
    throw error;
  }
}

/** Returns why power cuts cannot be simulated here, or undefined if they can. */
export function whyNoPowerCut(): string | undefined {
  if (process.getuid?.() !== 0) return 'mounting needs root';
  if (!existsSync('/dev/loop-control')) return 'there are no loop devices';
  const { bavail, bsize } = statfsSync(tmpdir());
  if (bavail * bsize < 2 * OUTER_BYTES) return `${tmpdir()} is too full`;
  try {
    const disk = createCutDisk();
    try {
      writeFileSync(join(disk.folder, 'never synced'), 'x');
      disk.cutPower();
      disk.unmount();
      disk.mount();
      return existsSync(join(disk.folder, 'never synced'))
        ? 'what was never synced survives a cut'
        : undefined;
    } finally {
      disk.remove();
    }
  } catch (error) {
    return String(error).split('\n')[0];
  }
}
