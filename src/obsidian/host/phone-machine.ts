import type { Clock } from '../../platform/clock.js';
import { sha256 } from '../../platform/sha256.js';

/** The part of the app's framework from which the app's debug info on a phone names the device. */
interface Capacitor {
  isNativePlatform?(): boolean;
  readonly Plugins?: { readonly Device?: { getId?(): Promise<{ readonly identifier?: unknown }> } };
}

const ANSWER_TIMEOUT_MS = 1000;

/**
 * Returns a hash of the id that the system of a phone has given the app, which a backup does not
 * bring to another phone; undefined if the app does not tell it.
 */
export async function readPhoneMachine(clock: Pick<Clock, 'after'>): Promise<string | undefined> {
  const { Capacitor: app } = window as { readonly Capacitor?: Capacitor };
  if (app?.isNativePlatform?.() !== true) return undefined; // the id is in local storage
  try {
    const timeout = new Promise<undefined>((resolve) => {
      clock.after(ANSWER_TIMEOUT_MS, () => resolve(undefined));
    });
    const id = (await Promise.race([app.Plugins?.Device?.getId?.(), timeout]))?.identifier;
    return typeof id === 'string' && id !== '' ? await sha256(`savepoint ${id}`) : undefined;
  } catch {
    return undefined; // writers are then stored as if the phone had no id
  }
}
