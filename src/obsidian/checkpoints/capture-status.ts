import { setIcon } from 'obsidian';
import { isPaused } from '../../capture/consent.js';
import type { Clock } from '../../platform/clock.js';
import { act, notify } from '../actions.js';
import { text } from '../i18n/index.js';
import type { Savepoint } from '../savepoint.js';
import { followInside, stopAll, type Store } from '../store.js';
import { timeOfDay } from '../ui/dates.js';
import { makeClickable } from '../ui/elements.js';
import {
  captureObstacle,
  setPaused,
  type CaptureObstacle,
  type DeviceCapture,
} from './device-capture.js';

/** An open vault whose conversations are captured. */
interface CapturedVault {
  readonly capture: DeviceCapture;
  readonly savepoint: Savepoint;
}

const ICONS: Record<CaptureObstacle, string> = {
  paused: 'circle-pause',
  excluded: 'eye-off',
  private: 'eye-off',
};

/** Shows whether conversations are captured; a click pauses or resumes. Returns a stop function. */
export function showCapture(
  bar: HTMLElement,
  vault: Store<CapturedVault | undefined>,
  clock: Clock,
): () => void {
  makeClickable(bar, () => {
    const opened = vault.get();
    if (opened) act(() => togglePause(opened));
  });
  let stopWaiting: () => void = () => undefined;
  const show = () => {
    stopWaiting();
    const opened = vault.get();
    bar.toggle(opened !== undefined);
    if (!opened) return;
    const obstacle = obstacleHere(opened);
    const { pausedUntil } = opened.capture.settings.get();
    const until = pausedUntil === undefined ? '' : timeOfDay(pausedUntil, text.locale);
    const { status } = text.capture;
    bar.empty();
    setIcon(bar.createSpan({ cls: 'savepoint-icon' }), obstacle ? ICONS[obstacle] : 'circle-dot');
    if (obstacle === 'paused') bar.createSpan({ text: status.pausedShort(until) });
    const label = {
      none: status.on,
      paused: status.paused(until),
      excluded: status.excluded,
      private: status.excluded,
    }[obstacle ?? 'none'];
    bar.setAttr('aria-label', label);
    const left = pausedUntil === undefined ? 0 : Date.parse(pausedUntil) - clock.now();
    if (left > 0) stopWaiting = clock.after(left, show);
  };
  const stopFollowing = followInside(
    vault,
    ({ capture, savepoint }) => [capture.settings, savepoint.workspaceId, savepoint.memory],
    show,
  );
  return stopAll(stopFollowing, () => stopWaiting());
}

/** Pauses capturing for an hour, or ends the pause, and says so. */
export async function togglePause({ capture, savepoint }: CapturedVault): Promise<void> {
  const now = savepoint.clock.now();
  const settings = await capture.read();
  await setPaused(capture, !isPaused(settings, now), now);
  const { pausedUntil } = capture.settings.get();
  const { status } = text.capture;
  notify(
    pausedUntil === undefined
      ? status.resumed
      : status.nowPaused(timeOfDay(pausedUntil, text.locale)),
  );
}

/** Returns why conversations of the current workspace are not captured; undefined if they are. */
function obstacleHere({ capture, savepoint }: CapturedVault): CaptureObstacle | undefined {
  const { rootFolder } = savepoint.workspace();
  const { excludedFolders } = savepoint.settings;
  const now = savepoint.clock.now();
  return captureObstacle(capture, { rootFolder, isPrivate: false, excludedFolders, now });
}
