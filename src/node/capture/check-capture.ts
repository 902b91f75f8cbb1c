import { isPaused } from '../../capture/consent.js';
import { failed, passed, type HealthCheck } from '../health-check.js';
import type { NodeModules } from '../modules.js';
import { CaptureSettingsFile } from './capture-settings-file.js';
import { readHookFailures } from './failure-log.js';

type Modules = Pick<NodeModules, 'fs' | 'path' | 'crypto' | 'timers'>;

/** A hook that failed earlier is not reported any more. */
const REPORTED_MS = 24 * 60 * 60 * 1000;

/** Checks the hooks of this device. Returns nothing if nothing is paused and no hook has failed. */
export async function checkCapture(
  node: Modules,
  stateFolder: string,
  now: number,
): Promise<HealthCheck[]> {
  const settings = await new CaptureSettingsFile(node, stateFolder).read();
  const checks: HealthCheck[] = [];
  if (isPaused(settings, now))
    checks.push(passed('capture', `paused until ${settings.pausedUntil}`));
  const [last] = await readHookFailures(node, stateFolder, 1);
  const isRecent =
    last !== undefined && now - Date.parse(last.split(' ', 1)[0] ?? '') < REPORTED_MS;
  if (isRecent) checks.push(failed('hooks', `failed at ${last}`, 'follow that message'));
  return checks;
}
