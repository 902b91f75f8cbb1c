import fc from 'fast-check';
import { statSync, writeFileSync, readdirSync, readFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  planAgentsLines,
  withAgentsLines,
  withoutAgentsLines,
} from '../../../src/node/client-setup/agents-md.js';
import { applyConnection } from '../../../src/node/client-setup/apply.js';
import { createFolder, node } from '../folders.js';

describe('the lines in AGENTS.md', () => {
  it('are four, between two markers, after what is there', () => {
    const written = withAgentsLines('# App\n\nUse tabs.\n');
    expect(written.startsWith('# App\n\nUse tabs.\n\n<!-- savepoint: ')).toBe(true);
    expect(written.endsWith('<!-- /savepoint -->\n')).toBe(true);
    expect(written.split('\n').filter((line) => line !== '')).toHaveLength(8);
    expect(withAgentsLines(written)).toBe(written);
  });

  it('are replaced where they are if they have changed', () => {
    const written = withAgentsLines('a\n');
    const edited = `${written.replace(/- When you start.*\n/, '')}\nmore\n`;
    expect(withAgentsLines(edited)).toBe(`${written}\nmore\n`);
    expect(withoutAgentsLines(edited)).toBe('a\n\nmore\n');
  });

  it('leave every other byte as it was when they are removed', () => {
    const pieces = fc.array(fc.constantFrom('a', ' ', '\n', '\r\n', '\t', '<!-- x -->', '# b'));
    fc.assert(
      fc.property(
        pieces.map((each) => each.join('')),
        (text) => {
          expect(withoutAgentsLines(withAgentsLines(text))).toBe(text);
        },
      ),
    );
    expect(withoutAgentsLines(withAgentsLines(undefined))).toBeUndefined();
    expect(withoutAgentsLines('a')).toBe('a');
  });

  it('are written to a readable file without a backup, and removed with it', async () => {
    const folder = createFolder();
    const file = join(folder, 'AGENTS.md');
    const apply = async (isRemoval: boolean) => {
      const plan = await planAgentsLines(node, folder, isRemoval);
      await applyConnection(node, plan, new Date());
      return plan.change;
    };
    expect(await apply(false)).toBe('add');
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o644);
    expect(await apply(false)).toBe('none');
    expect(await apply(true)).toBe('remove');
    expect(existsSync(file)).toBe(false);
    writeFileSync(file, 'mine');
    await apply(false);
    await apply(true);
    expect(readFileSync(file, 'utf8')).toBe('mine');
    expect(readdirSync(folder)).toEqual(['AGENTS.md']);
  });
});
