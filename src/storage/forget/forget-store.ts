/** Decision of this device about a `log.forget` event. */
export interface ForgetDecision {
  /**
   * `own`: a person forgot the lines on this device. `agreed`, `refused`: its user answered an
   * event of another one, with `refused` to keep the lines here. `open`: nobody has decided yet.
   */
  readonly choice: 'own' | 'agreed' | 'refused' | 'open';
  /** When this device first saw the event, in milliseconds since 1970. */
  readonly seenAt: number;
  /** Programs of this device (`LogOptions.program`) that have destroyed what they have of it. */
  readonly appliedBy?: readonly string[];
}

/** Decisions by `forgetKey`. */
export type ForgetDecisions = Readonly<Record<string, ForgetDecision>>;

/** Stores this device's decisions outside the vault, for all of its programs. */
export interface ForgetStore {
  load(): Promise<ForgetDecisions>;
  /** Replaces the decisions. Updates of all programs run one at a time. */
  update(change: (decisions: ForgetDecisions) => ForgetDecisions): Promise<void>;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Time that the user of another device has to refuse. */
export const AGREEMENT_MS = 7 * DAY_MS;

/** Returns true if the user of this device can still prevent that lines are destroyed on it. */
export function isOpen(decision: ForgetDecision | undefined, now: number): boolean {
  return (decision?.choice ?? 'open') === 'open' && !isDue(decision, now);
}

/** Returns true if the lines of an event are to be destroyed on this device. */
export function isDue(decision: ForgetDecision | undefined, now: number): boolean {
  switch (decision?.choice) {
    case 'own':
    case 'agreed':
      return true;
    case 'open':
      return now - decision.seenAt >= AGREEMENT_MS;
    default:
      return false;
  }
}
