import * as childProcess from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import * as crypto from 'node:crypto';
import * as http from 'node:http';
import * as https from 'node:https';
import * as net from 'node:net';
import stream from 'node:stream';
import * as os from 'node:os';
import * as path from 'node:path';
import * as timers from 'node:timers';
import { afterAll } from 'vitest';
import type { NodeModules } from '../../src/node/modules.js';

export const node: NodeModules = {
  fs,
  path,
  os,
  timers,
  crypto,
  net,
  http,
  https,
  stream,
  childProcess,
};

/** A new empty folder, removed with all that is in it after the tests of the file that asked for it. */
export function createFolder(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'savepoint-test-'));
  folders.push(folder);
  return folder;
}

const folders: string[] = [];
afterAll(() =>
  folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true, force: true })),
);
