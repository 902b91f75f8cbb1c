import { partsOf } from '../apps/index.js';
import type { NodeModules } from './modules.js';

/**
 * A reference that the program which set the variable should have replaced, such as `${HOME}` or
 * `${env:HOME}`.
 */
const UNEXPANDED = /\$\{[^}]*\}/;

/**
 * Returns a variable of the environment. Clients pass an optional setting that the user has left
 * empty as an empty text, and some pass a reference that they cannot resolve as it is written; both
 * count as absent.
 */
export function envValue(env: NodeJS.ProcessEnv, name: string): string | undefined {
  return settingValue(env[name]);
}

/** Returns true if the user has declared the sessions of the program that set it private. */
export function isPrivateEnvironment(env: NodeJS.ProcessEnv): boolean {
  return (envValue(env, 'SAVEPOINT_PRIVATE') ?? '0') !== '0';
}

/**
 * Returns a setting from a client's configuration; undefined if it is absent, empty or an
 * unexpanded reference.
 */
export function settingValue(value: string | undefined): string | undefined {
  return value === undefined || value.trim() === '' || UNEXPANDED.test(value) ? undefined : value;
}

/**
 * Returns the vault that the environment names: the user's variable, or else that of an app whose
 * package has the setting. A path that is not absolute is no vault, because the working directory
 * is the client's.
 */
export function environmentVault(
  { path }: Pick<NodeModules, 'path'>,
  env: NodeJS.ProcessEnv,
): string | undefined {
  const names = ['SAVEPOINT_VAULT', ...partsOf('vaultVariable')];
  const [named] = names.flatMap((name) => envValue(env, name) ?? []);
  return named !== undefined && path.isAbsolute(named) ? named : undefined;
}
