import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createFolder } from '../folders.js';

const IDENTITY = ['-c', 'user.name=Ana', '-c', 'user.email=ana@example.org'];

/**
 * Runs git in a folder with no settings but those of the test. Returns what it prints, without the
 * last line break.
 */
export function git(folder: string, ...args: string[]): string {
  return execFileSync('git', [...IDENTITY, '-c', 'protocol.file.allow=always', ...args], {
    cwd: folder,
    encoding: 'utf8',
    stdio: 'pipe',
    maxBuffer: 64 * 1024 * 1024,
    env: {
      PATH: process.env['PATH'],
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_OPTIONAL_LOCKS: '0',
    },
  }).replace(/\n$/, '');
}

export function createRepository(...options: string[]): string {
  const folder = createFolder();
  git(folder, 'init', '--quiet', '--initial-branch', 'main', ...options);
  return folder;
}

/** Writes files by path; undefined removes one. */
export function put(folder: string, files: Readonly<Record<string, string | undefined>>): void {
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder, path);
    if (text === undefined) rmSync(file, { recursive: true, force: true });
    else {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
  }
}

/** Commits everything, and returns the commit's id. */
export function commitAll(folder: string, message = 'Work'): string {
  git(folder, 'add', '--all');
  git(folder, 'commit', '--quiet', '--allow-empty', '--message', message);
  return git(folder, 'rev-parse', 'HEAD');
}

const KINDS: Readonly<Record<string, string>> = {
  A: 'added',
  M: 'changed',
  T: 'changed',
  U: 'changed',
  D: 'removed',
};

/** Returns the changes that git itself reports, as lines like `changed a.md`, sorted. */
export function gitChanges(folder: string, ...args: string[]): string[] {
  const text = git(folder, 'diff', '--name-status', '--no-renames', '-z', ...args);
  const parts = text.split('\0').filter((part) => part !== '');
  const lines: string[] = [];
  for (let at = 0; at < parts.length; at += 2) lines.push(`${KINDS[parts[at]!]} ${parts[at + 1]}`);
  return lines.sort();
}
