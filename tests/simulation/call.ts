import type { Draft } from '../../src/model/event.js';
import type { Memory } from '../../src/model/memory.js';
import { Refusal } from '../../src/model/refusal.js';

/** An agent's request, which makes its decision on the memory as the tools do. */
export interface Call {
  /** Its idempotency key. */
  readonly key: string;
  readonly about: string;
  decide(memory: Memory): Draft[];
}

/** An expected failure: the name is taken, unknown or ambiguous. */
export class Declined extends Refusal {}
