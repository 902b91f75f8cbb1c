import type { VaultPath } from '../../model/paths.js';
import type { NumberRange } from '../format/number-ranges.js';
import type { LogProblem } from '../log-lines.js';
import type { DeviceAgreement } from './device-agreement.js';
import type { SiblingFolder } from './sibling-folders.js';
import type { WriterReport } from './writer-reports.js';

export interface VerifyProblem {
  /**
   * `content`: a state does not match its hash. `stray`: an item whose workspace was not created
   * here. `waiting`: unreadable at present. `newer`: of a later format version. `future`: dated
   * over a day ahead. `duplicate`: creates what an earlier event creates. `impossible`: retires
   * what is never removed, a watermark with unreachable numbers, or a value with too many rivals.
   * `misplaced`: in another lane's folder. `stub`: of an event that nobody has forgotten. `healed`:
   * edited or damaged, but the original is here. `forgery`: its hashes contradict its lines.
   */
  readonly kind:
    | LogProblem['kind']
    | 'content'
    | 'stray'
    | 'waiting'
    | 'newer'
    | 'future'
    | 'duplicate'
    | 'impossible'
    | 'forgery'
    | 'misplaced';
  readonly path: VaultPath;
  /** Byte offset in the file. */
  readonly from: number;
  /** `forgetKey` of the event, for a `forgery`. */
  readonly key?: string;
}

/** Events of one writer. */
export interface RestorableEvents {
  readonly writer: string;
  readonly numbers: readonly NumberRange[];
}

/** Events that a person forgot at a time. */
export interface ForgottenEvents {
  /** `forgetKey` of the event that names them. */
  readonly key: string;
  /** Name of the device on which that was. */
  readonly device: string;
  /** ISO date-time in UTC. */
  readonly at: string;
  readonly count: number;
  /** True if this device hides some of them, and its user has not decided about it. */
  readonly isOpen: boolean;
  /** The days on which this device has told its user, see `AGREEMENT_DAYS`. */
  readonly toldDays: number;
  /** True if the user of this device keeps them here. */
  readonly isRefused: boolean;
}

/** A memory that was removed as a whole, with its events that this device has copies of. */
export interface FormerMemory {
  /** The id that it gave to the vault. */
  readonly id: string;
  readonly events: readonly RestorableEvents[];
}

export interface VerifyReport {
  /** SHA-256 over the events here that are not retired: equal on devices with the same events. */
  readonly digest: string;
  readonly events: number;
  readonly writers: readonly WriterReport[];
  readonly problems: readonly VerifyProblem[];
  /** Each device's events at its last watermark, compared with those that are here. */
  readonly devices: readonly DeviceAgreement[];
  /** Events that the vault lacks and the copies have; undefined if they were not compared. */
  readonly restorable: readonly RestorableEvents[] | undefined;
  /** Memories that were removed from the vault as a whole and that this device has copies of. */
  readonly former: readonly FormerMemory[];
  readonly forgotten: readonly ForgottenEvents[];
  /** Events that are here, but that this device failed to copy and could not restore. */
  readonly uncopied: readonly RestorableEvents[];
  /** Devices of other systems that write here although this one's system created all items. */
  readonly silent: readonly string[];
  /** Folders next to the data folder that have segments too. */
  readonly siblings: readonly SiblingFolder[];
  /** True if no event is missing, and everything is as it was saved. */
  readonly isWhole: boolean;
}
