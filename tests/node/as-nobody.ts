import { execFileSync } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { createFolder } from './folders.js';

const NOBODY = 65534;

/**
 * Runs a script as the user "nobody", because root may access every file. In it,
 * `files` are the files of `vault`. Returns what the script prints, parsed as JSON.
 */
export function asNobody(vault: string, script: string): unknown[] {
  const folder = createFolder();
  chmodSync(folder, 0o755);
  const outfile = join(folder, 'script.mjs');
  const contents = `import * as fs from 'node:fs/promises';
    import * as callbackFs from 'node:fs';
    import * as path from 'node:path';
    import * as crypto from 'node:crypto';
    import * as timers from 'node:timers';
    import { createFolderFiles } from './src/node/ports/folder-files.js';
    const files = createFolderFiles({ fs, callbackFs, path, crypto, timers }, ${JSON.stringify(vault)});
    ${script}`;
  const stdin = { contents, resolveDir: process.cwd(), loader: 'ts' } as const;
  buildSync({ stdin, outfile, bundle: true, platform: 'node', format: 'esm', target: 'node20' });
  const isRoot = process.getuid?.() === 0;
  const options = {
    cwd: '/',
    encoding: 'utf8',
    ...(isRoot && { uid: NOBODY, gid: NOBODY }),
  } as const;
  return JSON.parse(execFileSync(process.execPath, [outfile], options)) as unknown[];
}
