import { isPaused } from '../../capture/consent.js';
import { counted } from '../../model/text/counted.js';
import { failed, passed, type HealthCheck } from '../../apps/health-check.js';
import type { NodeModules } from '../modules.js';
import { createCaptureSettingsFile } from './capture-settings-file.js';
import { strangeFormats } from './strange-formats.js';
import { toldLastWeek } from './told-items.js';
import { readHookFailures } from './failure-log.js';

const REPORTED_MS = 24 * 60 * 60 * 1000;

/** Reports pauses, damage, failed hooks and transcripts that were not understood; else nothing. */
export async function checkCapture(
  node: NodeModules,
  stateFolder: string,
  now: number,
): Promise<HealthCheck[]> {
  const file = createCaptureSettingsFile(node, stateFolder);
  const settings = await file.read();
  const checks: HealthCheck[] = [];
  const problem = await file.problem();
  if (problem !== undefined) checks.push(failed('settings', problem, 'follow that message'));
  for (const text of await strangeFormats(node, stateFolder))
    checks.push(failed('transcripts', text, 'update Savepoint, or report this to its developers'));
  if (isPaused(settings, now))
    checks.push(passed('capture', `paused until ${settings.pausedUntil}`));
  const { times, tokens, late } = await toldLastWeek(node, stateFolder);
  if (times + late > 0) {
    const share = late > 0 ? `; ${counted(late, 'time')} it was ready too late, and left out` : '';
    const told = `${counted(times, 'time')} in the last week, with about ${counted(tokens, 'token')}`;
    const text = `agents were told something ${told}${share}`;
    checks.push(passed('told', text));
  }
  const [last] = await readHookFailures(node, stateFolder, 1);
  const isRecent =
    last !== undefined && now - Date.parse(last.split(' ', 1)[0] ?? '') < REPORTED_MS;
  if (isRecent) checks.push(failed('hooks', `failed at ${last}`, 'follow that message'));
  return checks;
}
