import { partsOf } from '../apps/index.js';
import { clip } from '../model/refusal.js';
import type { NodeModules, ProcessEnv } from './modules.js';

/** A reference that the setter of the variable should have replaced: `${HOME}`, `${env:HOME}`. */
const UNEXPANDED = /\$\{[^{}]*\}/;

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

/** The vault that a variable names: an absolute path, or why its value cannot be used. */
type NamedVault = { readonly variable: string } & (
  { readonly vault: string } | { readonly problem: string }
);

/**
 * Returns the vault in the user's variable, or else in that of an app whose package has the
 * setting; undefined if none is set.
 */
export function environmentVault({ path }: NodeModules, env: ProcessEnv): NamedVault | undefined {
  const variables = ['SAVEPOINT_VAULT', ...partsOf('vaultVariable')];
  const variable = variables.find((name) => isSet(env, name));
  if (variable === undefined) return undefined;
  const value = env[variable] ?? '';
  const why = pathProblem(path, value);
  if (why === undefined) return { variable, vault: value };
  const problem = `${variable} is set to "${clip(value, 200)}", which is no path of a vault: ${why}. Set it to the full path of the folder that contains your notes.`;
  return { variable, problem };
}

/** Returns false for a reference as clients leave it where the user has set nothing. */
function isSet(env: ProcessEnv, name: string): boolean {
  const value = (env[name] ?? '').trim();
  const [, referenced] = /^\$\{(?:env:)?([^}]*)\}$/.exec(value) ?? [];
  if (referenced === undefined) return value !== '';
  return referenced !== name && (env[referenced] ?? '') !== '';
}

/** A reference that a shell would have replaced by a path. */
const REFERENCE = /^~|\$\{[^{}]*\}|^\$\w+|^%\w+%/;

function pathProblem(path: NodeModules['path'], value: string): string | undefined {
  if (/^(["']).*\1$/.test(value.trim())) return 'the quotation marks are part of it';
  const [reference] = REFERENCE.exec(value.trim()) ?? [];
  if (reference !== undefined) return `nothing has replaced "${reference}" by a folder`;
  return path.isAbsolute(value) ? undefined : 'it is not absolute, and each app has its own folder';
}

/** Says that a variable names a vault that is not there; undefined if none names this path. */
export function missingVaultText(
  node: NodeModules,
  env: ProcessEnv,
  vault: string,
): string | undefined {
  const named = environmentVault(node, env);
  if (!named || !('vault' in named) || named.vault !== vault) return undefined;
  return `${named.variable} is set to "${vault}", and there is no such folder.`;
}
