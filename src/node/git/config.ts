import type { NodeModules } from '../modules.js';
import { readText } from './git-head.js';

export const MAX_CONFIG_BYTES = 1024 * 1024;

/** Returns the system's and the user's configurations, which git reads before a repository's. */
export async function readUserConfigs(node: NodeModules): Promise<string[]> {
  const { path, os } = node;
  const home = os.homedir();
  const files = [
    '/etc/gitconfig',
    path.join(home, '.config', 'git', 'config'),
    path.join(home, '.gitconfig'),
  ];
  const read = (file: string) => readText(node, file, MAX_CONFIG_BYTES);
  return (await Promise.all(files.map(read))).map((text) => text ?? '');
}

/** Returns the values of a key, in order. Names are lower-case; a section may have a subsection. */
export function configValues(config: string, section: string, key: string): string[] {
  const values: string[] = [];
  let isInSection = false;
  for (const line of config.split('\n')) {
    const [, name, subsection] = /^\s*\[\s*([^\s\]"]+)(?:\s+"([^"]*)")?\s*\]/.exec(line) ?? [];
    if (name !== undefined)
      isInSection = section === [name.toLowerCase(), subsection].filter(Boolean).join('.');
    const [, found, value = 'true'] =
      /^\s*(?:\[[^\]]*\]\s*)?([a-z][a-z0-9-]*)\s*(?:=\s*(.*?))?\s*$/i.exec(line) ?? [];
    if (isInSection && found?.toLowerCase() === key)
      values.push(value.replace(/\s+[#;].*$/, '').replace(/^"(.*)"$/, '$1'));
  }
  return values;
}

/** Returns the value of a boolean key; undefined if the configuration does not have it. */
export function configFlag(config: string, section: string, key: string): boolean | undefined {
  const value = configValues(config, section, key).at(-1)?.toLowerCase();
  return value === undefined ? undefined : ['true', 'yes', 'on', '1'].includes(value);
}
