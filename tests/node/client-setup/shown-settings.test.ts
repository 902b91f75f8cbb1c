import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { stringify } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import { findApp } from '../../../src/apps/index.js';
import { applyConnection } from '../../../src/node/client-setup/apply.js';
import type { ClientConfig } from '../../../src/node/client-setup/clients.js';
import { changeText, planText } from '../../../src/node/client-setup/connect-texts.js';
import { planHookRemoval, planHooks } from '../../../src/node/client-setup/hooks/hook-plan.js';
import { planConnection, planRemoval } from '../../../src/node/client-setup/plan.js';
import { createFolder, node } from '../folders.js';
import { perTier } from '../../tier.js';

/** Values that appear nowhere else. */
const secret = fc.nat({ max: 0xffffff }).map((number) => `quiet word ${number.toString(16)} zq`);
const server = fc.record(
  {
    command: secret,
    args: fc.array(secret, { maxLength: 3 }),
    env: fc.dictionary(fc.constantFrom('KEY', 'LANG_NAME', 'a b'), secret),
    headers: fc.dictionary(fc.constantFrom('Authorization', 'x'), secret),
    url: secret,
  },
  { requiredKeys: [] },
);
const servers = fc.dictionary(fc.constantFrom('notes', 'b', 'x-y'), server, { maxKeys: 3 });

/** Writes settings in one of the forms that people and programs leave behind. */
function write(section: string, all: object, form: string, format: string): string {
  if (format === 'toml') return stringify({ model: 'x', [section]: all });
  const name = JSON.stringify(section);
  switch (form) {
    case 'mark':
      return `\u{FEFF}${JSON.stringify({ [section]: all }, null, 2)}`;
    case 'twice':
      return `{"k":1,${name}:${JSON.stringify(all)},\n${name}:{"last":{"command":"c"}}}`;
    case 'null':
      return `{"env":${JSON.stringify(all)},${name}:null}`;
    default:
      return JSON.stringify({ a: [all], [section]: all }, null, form === 'flat' ? 0 : 2);
  }
}

it.each(['claude-code', 'codex', 'opencode'])('shows no key in an own entry of %s', async (id) => {
  const app = findApp('config', id)!;
  const folder = createFolder();
  const config: ClientConfig = { app, folder, file: join(folder, 'settings') };
  const options = { vault: '/v', surface: undefined, isReadOnly: false, node: '/n', program: '/p' };
  const { after = '' } = await planConnection(node, config, options);
  const own = { env: { KEY: 'a quiet word' }, token: 'a quiet word', headers: ['a quiet word'] };
  const text =
    app.config.format === 'toml'
      ? `${after}${stringify(own)}`
      : after.replace('"savepoint": {', `"savepoint": {${JSON.stringify(own).slice(1, -1)},`);
  writeFileSync(config.file, text);
  const plans = [
    await planConnection(node, config, { ...options, surface: 'compact' }),
    await planRemoval(node, config, '/v'),
  ];
  expect(plans.map(({ change }) => change)).toEqual(['update', 'remove']);
  for (const plan of plans) {
    const shown = planText(plan, false);
    expect(shown).not.toContain('quiet');
    expect(shown).toContain('--vault');
  }
});

describe.each(['claude-desktop', 'claude-code', 'cursor', 'gemini', 'codex'])('%s', (id) => {
  it('shows no value of other servers, and gets every byte back', async () => {
    const app = findApp('config', id)!;
    const { section, format } = app.config;
    const form = fc.constantFrom('mark', 'twice', 'null', 'flat', 'lines');
    await fc.assert(
      fc.asyncProperty(servers, form, fc.boolean(), async (all, how, isChanged) => {
        const folder = createFolder();
        const file = join(folder, 'settings.json');
        const config: ClientConfig = { app, folder, file };
        const hookFile = app.hooks && join(folder, app.hooks.file);
        const before = write(section, all, how, format);
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, before);
        if (hookFile && hookFile !== file)
          writeFileSync(hookFile, JSON.stringify({ a: all, hooks: null }));
        const hooksBefore = hookFile && readFileSync(hookFile, 'utf8');
        let shown = '';
        const connect = async (isReadOnly: boolean) => {
          const options = { vault: join(folder, 'v'), surface: undefined, isReadOnly };
          const plan = await planConnection(node, config, {
            ...options,
            node: '/n',
            program: '/p.js',
          });
          shown += planText(plan, true);
          await applyConnection(node, plan, new Date());
        };
        await connect(false);
        if (isChanged) await connect(true);
        if (hookFile) {
          const plan = await planHooks(node, config, ['/n', '/p.js'], 'linux', false);
          shown += changeText('hooks', plan, true);
          await applyConnection(node, plan, new Date());
          const removal = await planHookRemoval(node, config);
          shown += changeText('hooks', removal!, true);
          await applyConnection(node, removal!, new Date());
        }
        const removal = await planRemoval(node, config, join(folder, 'v'));
        shown += planText(removal, true);
        await applyConnection(node, removal, new Date());
        expect(shown).toContain('/p.js');
        expect(shown).not.toContain('quiet word');
        if (hookFile)
          expect(readFileSync(hookFile, 'utf8')).toBe(hookFile === file ? before : hooksBefore);
        expect(readFileSync(file, 'utf8')).toBe(before);
      }),
      { numRuns: perTier(40, 40, 1000) },
    );
  });
});
