import { execFileSync } from 'node:child_process';
import { createFolder } from './folders.js';

/** Returns true if a small disk can be mounted; otherwise logs the reason. */
export function canMount(): boolean {
  const folder = createFolder();
  try {
    mount(folder);
    unmount(folder);
    return true;
  } catch (error) {
    console.warn(
      `Skipped: no disk can be filled here, for mounting one is refused (${String(error).split('\n')[0]})`,
    );
    return false;
  }
}

/** Runs a task on an empty disk of 1 MB. */
export async function onSmallDisk(task: (vault: string) => Promise<void>): Promise<void> {
  const folder = createFolder();
  mount(folder);
  try {
    await task(folder);
  } finally {
    unmount(folder);
  }
}

/** Enlarges the small disk. */
export function growDisk(folder: string): void {
  execFileSync('mount', ['-o', 'remount,size=3m', folder], { stdio: 'pipe' });
}

function mount(folder: string): void {
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder], { stdio: 'pipe' });
}

function unmount(folder: string): void {
  execFileSync('umount', ['-l', folder], { stdio: 'pipe' });
}
