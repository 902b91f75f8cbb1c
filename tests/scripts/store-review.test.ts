// Tier full: it needs the packages of tools/check
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { installTools } from '../../scripts/install-tools.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const eslint = join(installTools('check'), 'eslint/bin/eslint.js');

/** Returns the rules that the review says a file with this code breaks, none if it is ignored. */
function review(path: string, code: string): string[] {
  const config = join(root, 'tools/check/store-review.config.mjs');
  const options = ['--config', config, '--no-inline-config', '--quiet', '--format=json'];
  const { stdout } = spawnSync(
    process.execPath,
    [eslint, ...options, '--stdin', '--stdin-filename', path],
    { cwd: root, encoding: 'utf8', input: code },
  );
  const results = JSON.parse(stdout) as { messages: { ruleId: string }[] }[];
  return results.flatMap(({ messages }) => messages.map(({ ruleId }) => ruleId));
}

it('finds an error that a comment disables', () => {
  const code = '// eslint-disable-next-line no-eval\neval("1");\n';
  expect(review('src/code.js', code)).toContain('no-eval');
});

it('leaves out what the scanner ignores', () => {
  expect(review('src/tests/code.js', 'eval("1");\n')).toEqual([]);
});
