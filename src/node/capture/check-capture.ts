import { isPaused } from '../../capture/consent.js';
import { failed, passed, type HealthCheck } from '../health-check.js';
import { findVaultProblem } from '../find-vault.js';
import type { NodeModules } from '../modules.js';
import { CaptureSettingsFile } from './capture-settings-file.js';
import { readHookFailures } from './failure-log.js';

type Modules = Pick<NodeModules, 'fs' | 'path' | 'crypto' | 'timers'>;

/** A hook that failed earlier is not reported any more. */
const REPORTED_MS = 24 * 60 * 60 * 1000;

/**
 * Checks the links and the hooks of this device. Returns nothing if no project is linked and no
 * hook has failed.
 */
export async function checkCapture(
  node: Modules,
  stateFolder: string,
  now: number,
): Promise<HealthCheck[]> {
  const settings = await new CaptureSettingsFile(node, stateFolder).read();
  const checks: HealthCheck[] = [];
  for (const { folder, vault, workspaceName, isCaptured } of settings.links) {
    const isMissing = !(await node.fs.stat(vault).catch(() => undefined))?.isDirectory();
    const problem = isMissing
      ? `There is no folder "${vault}".`
      : (await findVaultProblem(node, vault))?.problem;
    const text = `${folder} is linked to "${workspaceName}"; capture is ${isCaptured ? 'on' : 'off'}`;
    checks.push(
      problem === undefined
        ? passed('link', text)
        : failed('link', `${text}. ${problem}`, 'run "savepoint link" or "savepoint unlink" in it'),
    );
  }
  if (isPaused(settings, now))
    checks.push(passed('capture', `paused until ${settings.pausedUntil}`));
  const [last] = await readHookFailures(node, stateFolder, 1);
  const isRecent =
    last !== undefined && now - Date.parse(last.split(' ', 1)[0] ?? '') < REPORTED_MS;
  if (isRecent) checks.push(failed('hooks', `failed at ${last}`, 'follow that message'));
  return checks;
}
