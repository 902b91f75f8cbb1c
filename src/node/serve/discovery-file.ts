import type { NodeModules } from '../modules.js';

/**
 * Publishes a text in a file that only this user may read, replacing an earlier server's. Resolves
 * to a function that removes the file, unless another server has published its own text by then.
 */
export async function publishDiscovery(
  { fs, crypto }: NodeModules,
  file: string,
  text: string,
): Promise<() => Promise<void>> {
  const draft = `${file}.${crypto.randomBytes(4).toString('hex')}`;
  await fs.writeFile(draft, text, { mode: 0o600 });
  await fs.rename(draft, file);
  return async () => {
    const current = await fs.readFile(file, 'utf8').catch(() => '');
    if (current === text) await fs.rm(file, { force: true });
  };
}
