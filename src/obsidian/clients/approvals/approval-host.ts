import type { Clock } from '../../../platform/clock.js';
import type { Approvals } from './approvals.js';

export interface ApprovalsHost {
  readonly approvals: Approvals;
  readonly clock: Clock;
  /** Lets a client write without asking from now on. */
  readonly allowAlways: (client: string) => Promise<void>;
}

export interface ShownApprovals extends ApprovalsHost {
  /** Returns true if the notices have not moved for a moment. */
  readonly isCalm: () => boolean;
}
