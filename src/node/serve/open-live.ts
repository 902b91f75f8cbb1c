import type { LiveCall } from '../../bridge/live-protocol.js';
import type { Toolset } from '../../toolkit/toolset.js';
import { answerLive } from '../../bridge/call-router.js';
import { livePlace, openLiveSocket, type LiveSocket } from './ipc-server.js';
import type { NodeModules } from '../modules.js';
import { defaultStateFolder, vaultStateFolder } from '../ports/state-folder.js';

export interface LivePlaceOptions {
  /** The vault's folder, an absolute path. */
  readonly vault: string;
  readonly env: NodeJS.ProcessEnv;
  readonly platform: NodeJS.Platform;
}

export interface LiveOptions<S> extends LivePlaceOptions {
  /** The toolset for a call's client; called once a call. */
  readonly toolsetFor: (call: LiveCall) => Toolset<S>;
  readonly report: (error: unknown) => void;
}

/** The folder, outside the vault, in which this device keeps what belongs to the vault: the same for the app and for the program. */
export async function ownFolderOf(
  node: NodeModules,
  { vault, env, platform }: LivePlaceOptions,
): Promise<string> {
  const stateFolder = node.path.resolve(
    env['SAVEPOINT_STATE'] ?? defaultStateFolder(node, env, platform),
  );
  return vaultStateFolder(node, stateFolder, await node.fs.realpath(vault));
}

/** Answers the MCP clients of this user's `main.js mcp` processes for the vault, as long as it is open. Throws a `Refusal` where no safe place is. */
export async function openLive<S>(
  node: NodeModules,
  { toolsetFor, report, ...where }: LiveOptions<S>,
): Promise<LiveSocket> {
  const place = livePlace(node, await ownFolderOf(node, where), where.env, where.platform);
  return openLiveSocket(
    node,
    place,
    (call, signal) => answerLive(toolsetFor(call), call, signal),
    report,
  );
}
