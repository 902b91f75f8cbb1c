import { isJsonObject, type Json } from '../../model/event.js';
import { errorCode, type NodeModules } from '../modules.js';

export interface SessionProcess {
  readonly pid: number;
  /** The namespace in which the id is valid; a sandboxed app has one of its own. */
  readonly namespace: string;
  /** When it was started, which tells it from a later process with the same id. */
  readonly start: string;
}

/** Shells through which clients run hooks. */
const SHELLS = new Set(['sh', 'bash', 'dash', 'zsh', 'fish', 'ksh', 'ash', 'busybox']);
const MAX_ANCESTORS = 6;

/** Returns the process that started this one, through shells or not; undefined except on Linux. */
export async function findClientProcess(
  node: NodeModules,
  pid: number,
): Promise<SessionProcess | undefined> {
  const device = await runningDevice(node);
  if (!device) return undefined;
  let next = pid;
  for (let count = 0; count < MAX_ANCESTORS && next > 1; count++) {
    const found = await readProcess(node, device.boot, next);
    if (typeof found !== 'object') return undefined;
    if (!SHELLS.has(found.name))
      return { pid: next, namespace: device.namespace, start: found.start };
    next = found.parent;
  }
  return undefined;
}

/** Returns true if the process runs, false if it is gone, and undefined if that is not known. */
export async function isRunning(
  node: NodeModules,
  { pid, namespace, start }: SessionProcess,
): Promise<boolean | undefined> {
  const device = await runningDevice(node);
  if (namespace !== device?.namespace) return undefined;
  const found = await readProcess(node, device.boot, pid);
  return typeof found === 'object' ? found.start === start : found;
}

/** Parses a process as a session stores it; undefined if it is malformed. */
export function readClientProcess(value: Json | undefined): SessionProcess | undefined {
  if (!isJsonObject(value)) return undefined;
  const { pid, namespace, start } = value;
  const isValid =
    typeof pid === 'number' && typeof namespace === 'string' && typeof start === 'string';
  return isValid ? { pid, namespace, start } : undefined;
}

/** Returns what identifies a process on Linux besides its id; undefined if that is not known. */
async function runningDevice({ fs }: NodeModules) {
  try {
    const namespace = await fs.readlink('/proc/self/ns/pid');
    const boot = await fs.readFile('/proc/sys/kernel/random/boot_id', 'utf8');
    return { namespace, boot: boot.trim() };
  } catch {
    return undefined;
  }
}

/** Reads a process on Linux; false if it is gone, undefined if nothing is known. */
async function readProcess({ fs }: NodeModules, boot: string, pid: number) {
  const text = await fs
    .readFile(`/proc/${pid}/stat`, 'utf8')
    .catch((error: unknown) =>
      ['ENOENT', 'ESRCH'].includes(errorCode(error) ?? '') ? '' : undefined,
    );
  if (text === undefined) return undefined;
  // The name is in parentheses and may contain any character; see proc(5).
  const end = text.lastIndexOf(')');
  const fields = text.slice(end + 2).split(' ');
  if (text === '' || fields[0] === 'Z') return false;
  const name = text.slice(text.indexOf('(') + 1, end);
  return { name, parent: Number(fields[1]), start: `${boot} ${fields[19]}` };
}
