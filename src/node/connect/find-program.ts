import { errorCode, type NodeModules } from '../modules.js';

type Disk = Pick<NodeModules, 'fs' | 'path'>;

/** The program that lies in the vault's plugin folder, whose settings folder may have any name; else the one that is given. */
export async function findProgram(
  { fs, path }: Disk,
  vault: string,
  running: string,
): Promise<string> {
  const names = await fs.readdir(vault).catch((error: unknown) => {
    if (errorCode(error) === undefined) throw error;
    return [];
  });
  const folders = names
    .filter((name) => name.startsWith('.'))
    .sort((a, b) => Number(b === USUAL) - Number(a === USUAL));
  for (const name of folders) {
    const file = path.join(vault, name, 'plugins', 'savepoint', 'main.js');
    if ((await fs.stat(file).catch(() => undefined))?.isFile()) return file;
  }
  return running;
}

const USUAL = `.obsidian`;
