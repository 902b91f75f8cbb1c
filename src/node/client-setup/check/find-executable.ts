import type { NodeModules, Platform, ProcessEnv } from '../../modules.js';
import { isFile } from '../../real-path.js';

/** Looks up a command on the PATH, except in folders that depend on the working directory. */
export async function findExecutable(
  { fs, path }: NodeModules,
  { platform, env }: { readonly platform: Platform; readonly env: ProcessEnv },
  command: string,
): Promise<string | undefined> {
  const searched = (env['PATH'] ?? env['Path'] ?? '').split(path.delimiter);
  const folders = path.isAbsolute(command)
    ? ['']
    : searched.filter((each) => path.isAbsolute(each));
  const endings = platform === 'win32' ? ['', '.exe', '.cmd'] : [''];
  for (const folder of folders)
    for (const ending of endings) {
      const file = path.join(folder, `${command}${ending}`);
      if (await isFile({ fs }, file)) return file;
    }
  return undefined;
}
