import { build } from 'esbuild';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { directImports } from '../../scripts/direct-imports.mjs';
import { temporaryFolder } from '../fakes/program.js';

/** Returns the modules that a bundle contains, and its text. */
async function bundle(code: string) {
  const root = temporaryFolder('direct-imports');
  const files = {
    'src/room/index.ts':
      "export { one, two } from './one.js';\nexport { other, type Other } from './deep/other.js';\nexport type { Third } from './third.js';\n",
    'src/room/one.ts': 'export const one = "ONE";\nexport const two = "TWO";\n',
    'src/room/deep/other.ts':
      'export interface Other { n: number }\nconsole.log("OTHER");\nexport const other = 3;\n',
    'src/room/third.ts': 'export interface Third { n: number }\n',
    'src/user/user.ts': code,
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const { metafile, outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: ['src/user/user.ts'],
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    plugins: [directImports(root, ['room'])],
  });
  return { modules: Object.keys(metafile.inputs).sort(), text: outputFiles[0]?.text ?? '' };
}

it('brings only the modules whose exports are imported', async () => {
  const { modules, text } = await bundle(
    "import { one, type Other } from '../room/index.js';\nexport const x: Other | string = one;\n",
  );
  expect(modules).toEqual(['src/room/one.ts', 'src/user/user.ts']);
  expect(text).toContain('ONE');
});

it('reads imports of several lines, under other names too', async () => {
  const { modules, text } = await bundle(
    "import {\n  two as second,\n  other,\n} from '../room/index.js';\nexport const x = [second, other];\n",
  );
  expect(modules).toEqual(['src/room/deep/other.ts', 'src/room/one.ts', 'src/user/user.ts']);
  expect(text).toContain('TWO');
});

it('leaves imports of types alone', async () => {
  const { modules } = await bundle(
    "import type { Third } from '../room/index.js';\nexport const x: Third = { n: 1 };\n",
  );
  expect(modules).toEqual(['src/user/user.ts']);
});
