import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Tests of the program run what a person would run: the built file. With SAVEPOINT_BUILT=1 that is the one that is there. */
export default function build(): void {
  if (process.env['SAVEPOINT_BUILT'] === '1') return;
  execFileSync(process.execPath, ['esbuild.config.mjs'], {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    stdio: 'inherit',
  });
}
