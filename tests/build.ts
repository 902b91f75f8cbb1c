import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Tests of the program run what a person would run: the built file. */
export default function build(): void {
  execFileSync(process.execPath, ['esbuild.config.mjs'], { cwd: fileURLToPath(new URL('..', import.meta.url)), stdio: 'inherit' });
}
