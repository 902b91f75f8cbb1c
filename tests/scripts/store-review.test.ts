// Tier full: it needs the packages of tools/check
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { installTools } from '../../scripts/install-tools.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const eslint = join(installTools('check'), 'eslint/bin/eslint.js');
/** Below src, since the review reads types through tsconfig.json. */
const folder = join(root, 'src/store-review-fixture');

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Writes a file into the source. Returns the rules that it breaks, none if it is ignored. */
function review(name: string, code: string): string[] {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, name);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, code);
  const config = join(root, 'tools/check/store-review.config.mjs');
  const { stdout } = spawnSync(
    process.execPath,
    [eslint, '--config', config, '--no-inline-config', '--quiet', '--format=json', file],
    { cwd: root, encoding: 'utf8' },
  );
  const results = JSON.parse(stdout) as { messages: { ruleId: string }[] }[];
  return results.flatMap(({ messages }) => messages.map(({ ruleId }) => ruleId));
}

it('finds an error that a comment disables', () => {
  const code = '// eslint-disable-next-line no-eval\neval("1");\n';
  expect(review('code.ts', code)).toContain('no-eval');
});

it('leaves out what the scanner ignores', () => {
  expect(review('tests/code.ts', 'eval("1");\n')).toEqual([]);
});
