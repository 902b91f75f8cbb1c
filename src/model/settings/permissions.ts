import { isJsonObject, type JsonObject } from '../event.js';
import { isTextList, textsIn } from '../text/json-fields.js';

export const CLIENT_ACCESSES = ['write', 'ask', 'read'] as const;

/** Permission to write, to write with the user's approval, or only to read. */
export type ClientAccess = (typeof CLIENT_ACCESSES)[number];

/** Access of AI apps, by the names with which they identify themselves. */
export interface ClientPolicy {
  /** True if no app may write, regardless of the lists. */
  readonly isReadOnly: boolean;
  readonly otherClients: ClientAccess;
  readonly writingClients: readonly string[];
  readonly askingClients: readonly string[];
  readonly readOnlyClients: readonly string[];
}

/** Permissions of AI apps, agents in the chat and models, which the vault's settings give. */
export interface Permissions extends ClientPolicy {
  /** True to answer MCP clients while the app has the vault open. */
  readonly isBridgeOn: boolean;
  /** True to offer the tools through the plugin "Local REST API" too, if it is installed. */
  readonly isRestApiOn: boolean;
  /** Toolsets that are on everywhere (true) or nowhere (false), by their switch. */
  readonly toolsetSwitches: Readonly<Record<string, boolean>>;
  /** Writing tools that a chat may call without approval. */
  readonly allowedTools: readonly string[];
  /** Who gets the open note, by provider or `agent/` and id. Default: servers on this device. */
  readonly openNoteChoices: Readonly<Record<string, boolean>>;
}

interface Permission<T> {
  readonly usual: T;
  readonly isValid: (value: unknown) => value is T;
  /** Returns what is left of a value that is not valid. */
  readonly restrict: (value: unknown) => T;
  /** True if what is lost may have restricted any app, so that all of them may only read. */
  readonly mayRestrictAny?: boolean;
}

const names: Permission<readonly string[]> = { usual: [], isValid: isTextList, restrict: textsIn };
const switches: Permission<Readonly<Record<string, boolean>>> = {
  usual: {},
  isValid: isSwitches,
  restrict: (value) =>
    Object.fromEntries(
      Object.entries(isJsonObject(value) ? value : {}).map(([key, isOn]) => [key, isOn === true]),
    ),
};

const PERMISSIONS: { readonly [K in keyof Permissions]: Permission<Permissions[K]> } = {
  isReadOnly: { usual: false, isValid: isBoolean, restrict: () => true },
  otherClients: { usual: 'write', isValid: isClientAccess, restrict: () => 'read' },
  writingClients: names,
  askingClients: { ...names, mayRestrictAny: true },
  readOnlyClients: { ...names, mayRestrictAny: true },
  isBridgeOn: { usual: true, isValid: isBoolean, restrict: () => false },
  isRestApiOn: { usual: false, isValid: isBoolean, restrict: () => false },
  toolsetSwitches: { ...switches, mayRestrictAny: true },
  allowedTools: names,
  openNoteChoices: switches,
};

/**
 * Reads the permissions in stored settings. What is not understood, perhaps a value of a newer
 * version, is restricted, and its key is in `unclear`.
 */
export function readPermissions(stored: JsonObject): {
  readonly permissions: Permissions;
  readonly unclear: readonly string[];
} {
  const entries = Object.entries<Permission<unknown>>(PERMISSIONS);
  const unclear = entries.filter(
    ([key, { isValid }]) => stored[key] !== undefined && !isValid(stored[key]),
  );
  const read = entries.map(([key, { usual, isValid, restrict }]) => {
    const value = stored[key] === undefined ? usual : stored[key];
    return [key, isValid(value) ? value : restrict(value)];
  });
  const isAnyRestricted = unclear.some(([, { mayRestrictAny }]) => mayRestrictAny);
  return {
    permissions: {
      ...(Object.fromEntries(read) as Permissions),
      ...(isAnyRestricted && { isReadOnly: true }),
    },
    unclear: unclear.map(([key]) => key),
  };
}

function isBoolean(value: unknown): value is boolean {
  return typeof value === 'boolean';
}

function isSwitches(value: unknown): value is Readonly<Record<string, boolean>> {
  return isJsonObject(value) && Object.values(value).every(isBoolean);
}

function isClientAccess(value: unknown): value is ClientAccess {
  return CLIENT_ACCESSES.some((access) => access === value);
}
