import type { Json, JsonObject } from '../model/event.js';
import { objectsIn } from '../model/text/json-fields.js';

const PREFERRED = {
  allow: ['allow_once', 'allow_always'],
  deny: ['reject_once', 'reject_always'],
} as const;

/**
 * Answers `session/request_permission`. Prefers an option that holds only once, because lasting
 * decisions are this program's. Without any, cancels, which no agent takes for a permission.
 */
export function permissionResult(options: Json | undefined, isAllowed: boolean): JsonObject {
  const offered = objectsIn(options);
  for (const kind of PREFERRED[isAllowed ? 'allow' : 'deny']) {
    const option = offered.find((each) => each['kind'] === kind);
    const optionId = option?.['optionId'];
    if (typeof optionId === 'string') return { outcome: { outcome: 'selected', optionId } };
  }
  return CANCELLED;
}

/** Result for a request that the end of the turn has made irrelevant. */
export const CANCELLED: JsonObject = { outcome: { outcome: 'cancelled' } };
