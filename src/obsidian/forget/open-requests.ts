import { isOpen } from '../../storage/forget/forget-store.js';
import type { DecidedForget } from '../../storage/forget/forgets.js';
import type { ForgetControl } from '../../storage/log.js';
import type { WritableStore } from '../store.js';

/** Events of other devices that forget something, as long as this one's user can refuse. */
export type ForgetRequests = readonly DecidedForget[];

/** Brings the requests up to date; `now` is in milliseconds since 1970. */
export function updateRequests(
  requests: WritableStore<ForgetRequests>,
  forgetting: Pick<ForgetControl, 'known'>,
  now: number,
): void {
  const open = forgetting.known().filter(({ decision }) => isOpen(decision, now));
  if (keysOf(open) !== keysOf(requests.get())) requests.set(open);
}

function keysOf(requests: ForgetRequests): string {
  return requests.map(({ key }) => key).join();
}
