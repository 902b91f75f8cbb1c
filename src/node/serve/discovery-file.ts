import type { NodeModules } from '../modules.js';
import { replaceFile } from '../ports/draft-folder.js';

/**
 * Publishes a text in a file that only this user may read, replacing an earlier server's. Resolves
 * to a function that removes the file, unless another server has published its own text by then.
 */
export async function publishDiscovery(
  node: NodeModules,
  file: string,
  text: string,
): Promise<() => Promise<void>> {
  const { fs } = node;
  await replaceFile(node, file, text);
  return async () => {
    const current = await fs.readFile(file, 'utf8').catch(() => '');
    if (current === text) await fs.rm(file, { force: true });
  };
}
