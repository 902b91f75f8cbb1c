import * as childProcess from 'node:child_process';
import * as callbackFs from 'node:fs';
import * as fs from 'node:fs/promises';
import * as crypto from 'node:crypto';
import * as http from 'node:http';
import * as https from 'node:https';
import * as net from 'node:net';
import * as os from 'node:os';
import * as path from 'node:path';
import * as timers from 'node:timers';
import type { SetupModules } from '../../src/node/client-setup/clients.js';

export const node: SetupModules & { readonly https: typeof https } = {
  fs,
  callbackFs,
  path,
  os,
  timers,
  crypto,
  net,
  http,
  https,
  childProcess,
  process,
};

/** Creates an empty folder that is removed at the end of the run (tests/build.ts). */
export function createFolder(): string {
  const parent = process.env['SAVEPOINT_TEST_FOLDER'] ?? os.tmpdir();
  return callbackFs.mkdtempSync(path.join(parent, 'savepoint-test-'));
}

/** Returns the files in a folder that this process has open. Only Linux tells. */
export function openFilesIn(folder: string): string[] {
  const real = callbackFs.realpathSync(folder);
  return callbackFs.readdirSync('/proc/self/fd').flatMap((fd) => {
    const [file] = linkedFrom(`/proc/self/fd/${fd}`);
    return file?.startsWith(`${real}${path.sep}`) ? [path.relative(real, file)] : [];
  });
}

/** Empty if the link is gone, as that of the folder that was listed is. */
function linkedFrom(link: string): string[] {
  try {
    return [callbackFs.readlinkSync(link)];
  } catch {
    return [];
  }
}
