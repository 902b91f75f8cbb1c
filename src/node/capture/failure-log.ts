import { clip } from '../../model/refusal.js';
import { redact } from '../../redaction/index.js';
import type { NodeModules } from '../modules.js';
import { fileSize } from '../real-path.js';
import { CAPTURE_FOLDER } from './capture-settings-file.js';

const FILE_NAME = 'failures.log';
const MAX_BYTES = 64 * 1024;
const MAX_LINE_CHARACTERS = 500;

/** Never throws: a hook must not disturb its client, and a full disk has nowhere to report. */
export async function logHookFailure(
  { fs, path }: NodeModules,
  stateFolder: string,
  at: string,
  text: string,
): Promise<void> {
  const file = path.join(stateFolder, CAPTURE_FOLDER, FILE_NAME);
  try {
    const line = `${at} ${clip(redact(text).replace(/\s+/g, ' '), MAX_LINE_CHARACTERS)}\n`;
    if (((await fileSize({ fs }, file)) ?? 0) > MAX_BYTES) await fs.rm(file, { force: true });
    await fs.mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
    await fs.appendFile(file, line, { mode: 0o600 });
  } catch {
    // See above.
  }
}

const SUCCESS = ': succeeded';

/** Logs the success of a hook, such as `turn of Codex`, after a failure. Never throws. */
export async function logHookSuccess(
  node: NodeModules,
  stateFolder: string,
  at: string,
  hook: string,
): Promise<void> {
  const failures = await readHookFailures(node, stateFolder, Infinity);
  if (failures.some((line) => hookIn(line) === hook))
    await logHookFailure(node, stateFolder, at, `${hook}${SUCCESS}`);
}

function hookIn(line: string): string {
  return line.slice(line.indexOf(' ') + 1).split(':', 1)[0] ?? '';
}

/** Returns the last failures, oldest first, except those of hooks that have succeeded since. */
export async function readHookFailures(
  { fs, path }: NodeModules,
  stateFolder: string,
  limit: number,
): Promise<string[]> {
  const file = path.join(stateFolder, CAPTURE_FOLDER, FILE_NAME);
  const text = await fs.readFile(file, 'utf8').catch(() => '');
  const lines = text.split('\n').filter((line) => line !== '');
  const succeeded = new Map(
    lines.flatMap((line, at) => (line.endsWith(SUCCESS) ? [[hookIn(line), at] as const] : [])),
  );
  return lines.filter((line, at) => at > (succeeded.get(hookIn(line)) ?? -1)).slice(-limit);
}
