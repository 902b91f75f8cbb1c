import type { Json, JsonObject } from '../model/event.js';
import { objectsIn } from '../model/text/json-fields.js';

const PREFERRED = {
  allow: ['allow_once', 'allow_always'],
  deny: ['reject_once', 'reject_always'],
} as const;

/**
 * Returns the result of `session/request_permission`. Of the agent's options, chooses one that
 * holds only once, because lasting decisions are this program's. Without a fitting option, the
 * request is cancelled, which no agent takes for a permission.
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

/** The result for a request that the end of the turn has made irrelevant. */
export const CANCELLED: JsonObject = { outcome: { outcome: 'cancelled' } };
