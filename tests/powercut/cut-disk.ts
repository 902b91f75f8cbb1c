import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * A disk whose power can be cut: an ext4 file system in an image file (`disk.img`) on an outer ext4
 * file system. The outer one simulates the disk: its page cache is the volatile cache of the disk.
 * `cutPower` shuts it down by ioctl without a flush, so after both are remounted and their journals
 * are replayed, only data that the inner file system has flushed is left.
 */
export interface CutDisk {
  /** Mount point of the inner file system. */
  readonly folder: string;
  /** Syncs everything written so far. */
  sync(): void;
  cutPower(): void;
  /** Unmounts both file systems. None of their files may be in use. */
  unmount(): void;
  mount(): void;
  remove(): void;
}

const OUTER_BYTES = 192 * 1024 * 1024;
const INNER_MB = 128;

/** EXT4_IOC_SHUTDOWN with EXT4_GOING_FLAGS_NOLOGFLUSH, which exists for testing power cuts. */
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
    // Writes every block, since a real disk does not allocate sectors while it is in use.
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
