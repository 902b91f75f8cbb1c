import { answerLiveCall } from '../../bridge/call-router.js';
import type { LiveToolCall } from '../../bridge/live-protocol.js';
import type { Toolkit } from '../../toolkit/toolkit.js';
import type { NodeModules, Platform, ProcessEnv } from '../modules.js';
import { openStateFolder, stateFolderFrom } from '../ports/state-folder.js';
import { ipcLocation, startIpcServer, type IpcServer } from './ipc-server.js';
import type { ServeModules } from './modules.js';

export interface VaultLocation {
  /** An absolute path. */
  readonly vault: string;
  readonly env: ProcessEnv;
  readonly platform: Platform;
}

export interface VaultServerOptions<S> extends VaultLocation {
  readonly version: string;
  /** Returns the toolkit for a call's client; called once per call. */
  readonly toolkitFor: (call: LiveToolCall) => Toolkit<S>;
  readonly report: (error: unknown) => void;
}

/** Returns the state folder of the vault. Throws a `Refusal` if it is not private to this user. */
export async function vaultDeviceFolder(
  node: NodeModules,
  { vault, env, platform }: VaultLocation,
): Promise<string> {
  const stateFolder = stateFolderFrom(node, env, platform);
  return openStateFolder(node, stateFolder, await node.fs.realpath(vault));
}

/** Serves this user's `main.js mcp` processes. Throws the same errors as `startIpcServer`. */
export async function startVaultServer<S>(
  node: ServeModules,
  { version, toolkitFor, report, ...vault }: VaultServerOptions<S>,
): Promise<IpcServer> {
  const deviceFolder = await vaultDeviceFolder(node, vault);
  return startIpcServer(
    node,
    { version, ...ipcLocation(node, deviceFolder, vault.env, vault.platform) },
    (call, signal) => answerLiveCall(toolkitFor(call), call, signal),
    report,
  );
}
