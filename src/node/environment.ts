import { partsOf } from '../apps/index.js';
import type { NodeModules, ProcessEnv } from './modules.js';

/** A reference that the setter of the variable should have replaced: `${HOME}`, `${env:HOME}`. */
const UNEXPANDED = /\$\{[^}]*\}/;

/**
 * Returns a variable of the environment. An empty text, which clients pass for an empty optional
 * setting, and an unresolved reference count as absent.
 */
export function envValue(env: ProcessEnv, name: string): string | undefined {
  return expandedValue(env[name]);
}

/** Returns true if the user has declared the sessions of this program private. */
export function isPrivateEnvironment(env: ProcessEnv): boolean {
  return (envValue(env, 'SAVEPOINT_PRIVATE') ?? '0') !== '0';
}

/** Returns undefined for a setting that is absent, empty or an unexpanded reference. */
export function expandedValue(value: string | undefined): string | undefined {
  return value === undefined || value.trim() === '' || UNEXPANDED.test(value) ? undefined : value;
}

/**
 * Returns the vault in the user's variable, or else in that of an app whose package has the
 * setting. Ignores a relative path, because the working directory is the client's.
 */
export function environmentVault({ path }: NodeModules, env: ProcessEnv): string | undefined {
  const names = ['SAVEPOINT_VAULT', ...partsOf('vaultVariable')];
  const [named] = names.flatMap((name) => envValue(env, name) ?? []);
  return named !== undefined && path.isAbsolute(named) ? named : undefined;
}
