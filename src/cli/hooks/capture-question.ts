import type { CaptureLevel } from '../../capture/consent.js';
import { Refusal } from '../../model/refusal.js';
import { devicesIn, readLogLines } from '../../storage/index.js';
import { captureLevel } from '../options.js';
import { ask } from '../output.js';
import type { ProgramHost } from '../program.js';
import type { OpenVaultLog } from '../vault-log.js';

const EXAMPLES: Readonly<Record<CaptureLevel, string>> = {
  task: `the task, files, commands, and the beginning of the last answer, such as
        "Store dates in UTC", dates.ts, "npm test" with its error`,
  all: `all that you type and the agent answers, files and commands, such as
        "No, in local time" and "All dates are in local time now."`,
  off: 'nothing, so the next session does not know what happened',
};

/** Says what each level keeps, in the order in which they are offered. */
export function captureQuestion(levels: readonly CaptureLevel[]): string {
  const rows = levels.map((level) => `  ${level.padEnd(6)}${EXAMPLES[level]}\n`);
  return `What may be kept of sessions in a project? Everybody who has the vault can
read it, for a year, or until all of it is larger than 100 MB.\n${rows.join('')}`;
}

/** Returns the levels, `all` first only where no other device has written. */
export async function offeredLevels(
  open: Pick<OpenVaultLog, 'files' | 'dataFolder' | 'deviceName'>,
): Promise<CaptureLevel[]> {
  const { lines } = await readLogLines(open.files, open.dataFolder);
  const devices = devicesIn(lines).values();
  const isAlone = [...devices].every((device) => device === open.deviceName);
  return isAlone ? ['all', 'task', 'off'] : ['task', 'all', 'off'];
}

/** Asks in the terminal. Throws a `Refusal` for no answer and a `UsageError` for a wrong one. */
export async function askForCapture(
  program: ProgramHost,
  levels: readonly CaptureLevel[],
): Promise<CaptureLevel> {
  const [first] = levels;
  const choice = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(levels);
  const question = `${captureQuestion(levels)}Type ${choice} (Enter means ${first}): `;
  const answer = await ask(program, question);
  const level = answer === '' ? first : captureLevel.parse(answer, 'link');
  if (level) return level;
  throw new Refusal('Nothing was linked. Type one of these words, or pass --capture.');
}
