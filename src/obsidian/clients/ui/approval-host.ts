import type { Clock } from '../../../platform/clock.js';
import type { Approvals } from '../approvals.js';

/** What the questions of AI apps are shown with. */
export interface ApprovalsHost {
  readonly approvals: Approvals;
  readonly clock: Clock;
  /** Lets a client write without asking from now on. */
  readonly allowAlways: (client: string) => Promise<void>;
}

export interface ShownApprovals extends ApprovalsHost {
  /** Whether what is shown has stood for a moment. */
  readonly isCalm: () => boolean;
}
