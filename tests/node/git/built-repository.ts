import { build } from 'esbuild';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { modulesOfNode } from '../../../scripts/modules-of-node.mjs';
import { createFolder } from '../folders.js';

const file = join(createFolder(), 'repository.cjs');
await build({
  entryPoints: [
    fileURLToPath(new URL('../../../src/node/git/open-repository.ts', import.meta.url)),
  ],
  outfile: file,
  bundle: true,
  format: 'cjs',
  platform: 'browser', // the same variant of isomorphic-git as in main.js
  external: ['node:*'],
  supported: { 'dynamic-import': false },
  plugins: [modulesOfNode],
});

/** The function that main.js has, whose library uses Node's modules instead of its own. */
export const { openRepository } = createRequire(import.meta.url)(
  file,
) as typeof import('../../../src/node/git/open-repository.js');
