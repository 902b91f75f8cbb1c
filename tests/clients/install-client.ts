import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { installTools } from '../../scripts/install-tools.mjs';

/** Name of the folder in tools/ that has an npm package of a client. */
const folderOf = (npmPackage: string) => `clients/${npmPackage.split('/').at(-1) ?? npmPackage}`;

/** Returns the version of a client that the tests install. */
export function versionOf(npmPackage: string): string {
  const file = new URL(`../../tools/${folderOf(npmPackage)}/package.json`, import.meta.url);
  const { devDependencies } = JSON.parse(readFileSync(file, 'utf8')) as {
    devDependencies: Readonly<Record<string, string>>;
  };
  const version = devDependencies[npmPackage];
  if (version === undefined) throw new Error(`${npmPackage} has no version in tools/clients.`);
  return version;
}

/** Installs a client in a folder of its own. Returns its programs' folder, or what is wrong. */
export function installClient(
  npmPackage: string,
): { readonly bin: string } | { readonly problem: string } {
  try {
    return { bin: join(installTools(folderOf(npmPackage)), '.bin') };
  } catch (error) {
    return { problem: (error as Error).message };
  }
}
