import type { VaultPath } from '../../model/paths.js';
import type { NumberRange } from '../format/number-ranges.js';
import type { LineProblem } from '../format/segment.js';
import type { DeviceAgreement } from './device-agreement.js';
import type { WriterReport } from './writer-reports.js';

export interface VerifyProblem {
  /**
   * `content`: a state does not match its hash. `stray`: the event that created the workspace of a
   * state or record is not here. `waiting`: cannot be read at present. `newer`: in a later version
   * of the format. `future`: dated more than a day ahead. `duplicate`: creates an entity that an
   * earlier event creates. `impossible`: retires what is never removed, is a watermark with
   * numbers that no writer can have reached, or sets a value that too many others rival.
   * `misplaced`: in the folder of another lane. `stub`: the line of a forgotten event that nobody
   * has forgotten. `healed`: edited or damaged, while the original is here too. `forgery`:
   * forgets other lines than those with the same numbers and CRCs.
   */
  readonly kind:
    | LineProblem['kind']
    | 'stub'
    | 'healed'
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
  /** True if the user of this device has not decided yet whether to keep them. */
  readonly isOpen: boolean;
  /** True if the user of this device keeps them here. */
  readonly isRefused: boolean;
}

/**
 * A memory that was removed from the vault as a whole, with those of its events that this device
 * has copies of.
 */
export interface FormerMemory {
  /** The id that it gave to the vault. */
  readonly id: string;
  readonly events: readonly RestorableEvents[];
}

export interface VerifyReport {
  /**
   * SHA-256 over the events that are here and not retired. Two devices with the same digest have
   * the same events.
   */
  readonly digest: string;
  readonly events: number;
  readonly writers: readonly WriterReport[];
  readonly problems: readonly VerifyProblem[];
  /** Each device's events at its last watermark, compared with those that are here. */
  readonly devices: readonly DeviceAgreement[];
  /**
   * Events that the vault lacks and this device has copies of; undefined if the vault was not
   * compared with copies.
   */
  readonly restorable: readonly RestorableEvents[] | undefined;
  /** Memories that were removed from the vault as a whole and that this device has copies of. */
  readonly former: readonly FormerMemory[];
  readonly forgotten: readonly ForgottenEvents[];
  /** Events that are here, but that this device failed to copy and could not restore. */
  readonly uncopied: readonly RestorableEvents[];
  /**
   * Names of devices with another system that write into the vault, if all states, records and
   * workspaces in it were created with this one's.
   */
  readonly silent: readonly string[];
  /** True if no event is missing, and everything is as it was saved. */
  readonly isWhole: boolean;
}
