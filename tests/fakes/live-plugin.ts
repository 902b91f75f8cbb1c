import { readFileSync, realpathSync } from 'node:fs';
import { onTestFinished } from 'vitest';
import type { LiveAnswer, LiveToolCall } from '../../src/bridge/live-protocol.js';
import { createFolderDevice } from '../../src/node/provenance/folder-device.js';
import { createFolderFiles } from '../../src/node/ports/folder-files.js';
import { answerLiveCall } from '../../src/bridge/call-router.js';
import { ipcLocation, startIpcServer, type IpcServer } from '../../src/node/serve/ipc-server.js';
import { vaultStateFolder } from '../../src/node/ports/state-folder.js';
import { node } from '../node/folders.js';
import { temporaryFolder } from './program.js';
import { createTestVault, type TestVault } from './test-vault.js';

/** A vault, and the folder for the local data of the device. */
export interface Scene {
  readonly vault: string;
  readonly state: string;
  readonly place: ReturnType<typeof ipcLocation>;
}

export function createScene(vault = temporaryFolder(), state = temporaryFolder('state')): Scene {
  return {
    vault,
    state,
    place: ipcLocation(
      node,
      vaultStateFolder(node, state, realpathSync(vault)),
      {},
      process.platform,
    ),
  };
}

export interface LivePlugin {
  readonly socket: IpcServer;
  readonly calls: LiveToolCall[];
  readonly plugin: TestVault;
  readonly reports: unknown[];
}

/**
 * Starts the toolkit of a plugin that has this vault open and accepts connections. Returns it with
 * the calls it receives. `call` runs before each answer.
 */
export async function openLivePlugin(
  { vault, place }: Scene,
  call?: (
    call: LiveToolCall,
    answer: () => Promise<LiveAnswer>,
    signal: AbortSignal,
  ) => Promise<LiveAnswer>,
): Promise<LivePlugin> {
  const plugin = createTestVault({
    wrap: () => createFolderFiles(node, vault),
    device: createFolderDevice(node, vault, { program: 'Test', name: () => 'Laptop' }),
    seed: Math.floor(Math.random() * 1e9),
  });
  const calls: LiveToolCall[] = [];
  const reports: unknown[] = [];
  const { version } = JSON.parse(readFileSync('manifest.json', 'utf8')) as { version: string };
  const socket = await startIpcServer(
    node,
    { version, ...place },
    (request, signal) => {
      calls.push(request);
      const answer = () => answerLiveCall(plugin.toolkit, request, signal);
      return call ? call(request, answer, signal) : answer();
    },
    (error) => reports.push(error),
  );
  onTestFinished(() => socket.close());
  return { socket, calls, plugin, reports };
}
