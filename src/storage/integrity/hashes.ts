import { sha256 } from '../../platform/sha256.js';
import type { LogEvent } from '../../model/event.js';
import { apply, emptyMemory, entityOf } from '../../model/memory.js';
import { stateOf, stateText } from '../../model/state.js';
import type { LogLine } from '../log-lines.js';
import type { VerifyProblem } from './verify-report.js';

/** Returns the states that do not match their hash. */
export async function brokenStates(events: readonly LogLine[]): Promise<VerifyProblem[]> {
  const found: VerifyProblem[] = [];
  for (const { event, path, from } of events) {
    if (event.t === 'state.new' && !(await isStateWhole(event)))
      found.push({ kind: 'content', path, from });
  }
  return found;
}

async function isStateWhole(event: LogEvent): Promise<boolean> {
  const state = stateOf(entityOf(apply(emptyMemory, event), event.e));
  return state !== undefined && (await sha256(stateText(state))) === state.sha;
}
