/*
 * The simulated Obsidian in Node: a vault in a real folder, and the compiled plugin run as in the
 * desktop app.
 *
 *   const node = await startNodeHost({ vault: folder, plugin: 'main.js' });
 *   const answer = await node.evaluate((host, id) => host.runCommand(id), 'savepoint:open-memory');
 *   await node.quit();                          // or kill(), which is a crash
 *
 * Each host is a process of its own. On the desktop a plugin sees `window === globalThis` together
 * with Node's modules, opens real sockets and may crash; in a vm context its arrays and errors
 * would belong to another realm than Node's, and a crash would take the test runner down. The
 * processes exchange JSON. IndexedDB (fake-indexeddb) is empty at each start; localStorage is kept
 * in the profile.
 */

import { build } from 'esbuild';
import { fork, type ChildProcess } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Host } from './obsidian';

export interface StartOptions {
  readonly vault: string;
  readonly plugin: string;
  readonly storageFile: string;
  readonly isMobile: boolean;
  readonly vaultName: string;
}

export type ParentMessage = { readonly id: number } & (
  | { readonly ask: 'start'; readonly options: StartOptions }
  | { readonly ask: 'evaluate'; readonly source: string; readonly argument: unknown }
);

/** A response, or an uncaught error of the child. */
export type ChildMessage =
  | { readonly id: number; readonly value?: unknown; readonly error?: string }
  | { readonly uncaught: string };

export interface NodeHostOptions {
  /** The folder of the vault. */
  readonly vault: string;
  /** Path of the compiled plugin; its manifest.json is in the same folder. */
  readonly plugin: string;
  /**
   * The file of this device's localStorage. Passing the same file again restarts the app on the
   * same device.
   */
  readonly storageFile?: string;
  readonly isMobile?: boolean;
  readonly vaultName?: string;
  /** Added to the child's environment. */
  readonly env?: NodeJS.ProcessEnv;
  /** What runs the app instead of this Node: a program and its first arguments. */
  readonly runtime?: readonly [string, ...string[]];
  /**
   * False stops the start before the layout is ready: `evaluate((host) => host.layoutReady())`
   * continues it.
   */
  readonly isReady?: boolean;
}

export interface NodeHost {
  readonly pid: number;
  /** Errors that reached the window. A test ends by expecting none. */
  readonly errors: readonly string[];
  /**
   * Runs a function in the process of the app. It can use only the argument, which is sent as JSON.
   */
  evaluate<T, A = undefined>(
    run: (host: Host, argument: A) => T | Promise<T>,
    argument?: A,
  ): Promise<T>;
  /** Quits the app as the user would. */
  quit(): Promise<void>;
  /** Kills the process, which simulates a crash. */
  kill(): Promise<void>;
}

const here = fileURLToPath(new URL('.', import.meta.url));
const cache = join(here, '../../node_modules/.cache');

let bundled: Promise<string> | undefined;

/** The child's program, built once per test process. */
function bundleChild(): Promise<string> {
  bundled ??= build({
    entryPoints: [join(here, 'node-child.ts')],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    logLevel: 'error',
  }).then(({ outputFiles }) => outputFiles[0]!.text);
  return bundled;
}

export async function startNodeHost(options: NodeHostOptions): Promise<NodeHost> {
  const program = await bundleChild();
  await mkdir(cache, { recursive: true });
  // inside of node_modules, so that the child finds its packages
  const folder = await mkdtemp(join(cache, 'savepoint-node-host-'));
  const file = join(folder, 'child.mjs');
  await writeFile(file, program);
  const [execPath, ...execArgv] = options.runtime ?? [process.execPath];
  const child = fork(file, {
    execPath,
    execArgv,
    env: { ...process.env, ...options.env },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const { ask, errors, ended } = converse(child);
  const done = ended.then(() => rm(folder, { recursive: true, force: true }));

  const end = async () => {
    child.kill('SIGKILL');
    await done;
  };
  const evaluate: NodeHost['evaluate'] = async (run, argument) =>
    (await ask({ ask: 'evaluate', source: run.toString(), argument })) as never;
  const {
    vault,
    plugin,
    storageFile = join(folder, 'local-storage.json'),
    isMobile = false,
    vaultName = 'Vault',
    isReady = true,
  } = options;
  try {
    await ask({ ask: 'start', options: { vault, plugin, storageFile, isMobile, vaultName } });
    if (isReady) await evaluate((host) => host.layoutReady());
  } catch (error) {
    await end();
    throw error;
  }
  return {
    pid: child.pid ?? 0,
    errors,
    evaluate,
    async quit() {
      await evaluate((host) => host.quit());
      await end();
    },
    kill: end,
  };
}

type Question = ParentMessage extends infer M
  ? M extends { readonly id: number }
    ? Omit<M, 'id'>
    : never
  : never;

interface Conversation {
  readonly ask: (question: Question) => Promise<unknown>;
  readonly errors: string[];
  readonly ended: Promise<void>;
}

function converse(child: ChildProcess): Conversation {
  const waiting = new Map<
    number,
    { resolve: (value: unknown) => void; reject: (error: Error) => void }
  >();
  const errors: string[] = [];
  let count = 0;
  const ended = new Promise<void>((resolve) => {
    child.once('exit', (code, signal) => {
      for (const { reject } of waiting.values())
        reject(new Error(`The host has ended (${signal ?? code})`));
      waiting.clear();
      resolve();
    });
  });
  child.on('message', (message: ChildMessage) => {
    if ('uncaught' in message) {
      errors.push(message.uncaught);
      return;
    }
    const { resolve, reject } = waiting.get(message.id) ?? {};
    waiting.delete(message.id);
    if (message.error === undefined) resolve?.(message.value);
    else reject?.(new Error(message.error));
  });
  const ask = (question: Question) =>
    new Promise<unknown>((resolve, reject) => {
      if (!child.connected) return reject(new Error('The host has ended'));
      const id = count++;
      waiting.set(id, { resolve, reject });
      child.send({ id, ...question });
    });
  return { ask, errors, ended };
}
