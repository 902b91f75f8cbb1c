import { isJsonObject } from '../../model/event.js';
import { isText } from '../../model/text/json-fields.js';

/** Writers of other devices that the user of this one has confirmed. */
type Confirmed = ReadonlyMap<
  string,
  {
    /** The name of its device when it was confirmed. */
    readonly device: string;
    /** When that was, as an ISO date-time in UTC. */
    readonly at: string;
  }
>;

/** The writers that this device can tell from those that anyone may have invented. */
export interface KnownWriters {
  /** Those that programs of this device have written as. */
  readonly own: ReadonlySet<string>;
  readonly confirmed: Confirmed;
}

/** Stores known writers outside the vault, for all programs of this device. */
export interface DeviceStore {
  load(): Promise<KnownWriters>;
  /** Adds a writer of this device, which may be known already. */
  addOwn(writer: string): Promise<void>;
  /** Replaces the confirmed writers. Updates of all programs run one at a time. */
  update(change: (confirmed: Confirmed) => Confirmed): Promise<void>;
}

/** `unknown`: of a device that nobody has confirmed, or forged. */
export type WriterTrust = 'own' | 'confirmed' | 'unknown';

/** Returns what this device knows of the writer of an event. */
export function trustOf({ own, confirmed }: KnownWriters, writer: string): WriterTrust {
  if (own.has(writer)) return 'own';
  return confirmed.has(writer) ? 'confirmed' : 'unknown';
}

/** Reads confirmed writers as a store has them. What is damaged counts as not confirmed. */
export function confirmedIn(stored: unknown): Confirmed {
  return new Map(
    Object.entries(isJsonObject(stored) ? stored : {}).flatMap(([writer, value]) => {
      const { device, at } = isJsonObject(value) ? value : {};
      return isText(device) && isText(at) ? [[writer, { device, at }] as const] : [];
    }),
  );
}

/** Confirms the unknown writers of a device, not later ones. `now`: milliseconds since 1970. */
export function confirmDevice(
  store: Pick<DeviceStore, 'update'>,
  { device, unknown }: { readonly device: string; readonly unknown: ReadonlySet<string> },
  now: number,
): Promise<void> {
  const confirmation = { device, at: new Date(now).toISOString() };
  const added = [...unknown].map((writer) => [writer, confirmation] as const);
  return store.update((before) => new Map([...before, ...added]));
}

/** Withdraws the confirmation of all writers that were confirmed under a name. */
export function withdrawDevice(store: Pick<DeviceStore, 'update'>, name: string): Promise<void> {
  return store.update((before) => new Map([...before].filter(([, { device }]) => device !== name)));
}
