import { stateFolderFrom } from '../node/ports/state-folder.js';
import type { ProgramHost } from './program.js';

/** Returns the state folder of this device: the option, else SAVEPOINT_STATE, else the system's. */
export function stateFolderOf(
  { node, env, platform }: Pick<ProgramHost, 'node' | 'env' | 'platform'>,
  state: string | undefined,
): string {
  return state === undefined ? stateFolderFrom(node, env, platform) : node.path.resolve(state);
}
