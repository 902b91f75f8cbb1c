// Tier full: further imports in the settings
import { expect, test } from 'vitest';
import { garden } from '../../fakes/test-vault.js';
import {
  conversationBegun,
  messageAdded,
  shardsOf,
  stateDeleted,
  stateSaved,
  workspaceCreated,
} from '../../transfer/foreign/nexus-vault.js';
import { expectNoViolations } from '../axe.js';
import type { FileSet } from '../obsidian/index.js';
import { open } from '../shared-browser.js';
import { closeSuggestions, openSettings, press, row, vaultAfter } from './settings-window.js';

const T = Date.UTC(2026, 4, 1);

/** Returns the files of Nexus in a vault, with a damaged line. */
function nexusFolder(): FileSet {
  const shards = shardsOf([
    workspaceCreated('w1', T, { name: 'Garden' }),
    stateSaved('s1', 'w1', T + 1, undefined, { name: 'Sown' }),
    stateSaved('s2', 'w1', T + 2, undefined, { name: 'Reaped' }),
    stateDeleted('s2', 'w1', T + 3),
    conversationBegun('c1', T + 4, { workspaceId: 'w1' }),
    messageAdded('m1', 'c1', T + 5, { role: 'user', content: 'Hello', sequenceNumber: 0 }),
  ]);
  const decoder = new TextDecoder();
  const files = Object.fromEntries(
    shards.map(({ name, bytes }) => [`Nexus/data/${name}`, decoder.decode(bytes)]),
  );
  return {
    ...files,
    'Nexus/data/workspaces/w9/shard-000001.jsonl': '{"type":"state_saved","works\n',
  };
}

const NOTE =
  '---\ntitle: Signing in\npermalink: signing-in\n---\n\n- [decision] Tokens are short\n';

async function openImport(files: FileSet) {
  const host = await open({
    files: { ...(await vaultAfter((vault) => vault.data('createWorkspace', garden))), ...files },
  });
  const { page } = host;
  await openSettings(host);
  await press(page, row(page, 'Storage'));
  const begin = () => press(page, row(page, 'Import').getByRole('button'));
  const look = async (folder: string) => {
    await page.getByLabel('Folder in this vault').fill(folder);
    await closeSuggestions(page);
    await press(page, page.getByRole('button', { name: 'Preview' }));
  };
  await begin();
  return { host, page, begin, look };
}

test('the settings import from Nexus after a preview, and only once', async () => {
  const { host, page, begin, look } = await openImport(nexusFolder());
  const inVault = async () =>
    Object.fromEntries(
      Object.entries(await host.snapshot()).filter(([path]) => !path.startsWith('.obsidian/')),
    );
  const before = await inVault();
  await look('Nexus/data');
  await page.getByText('Preview: nothing is written yet.').waitFor();
  for (const fact of [
    'Nexus: 7 lines read.',
    'Workspaces: 1 new, 0 already here',
    'States: 2 new, 0 already here',
    'Nexus/data/workspaces/w9/shard-000001.jsonl, line 1: damaged; skipped',
    'Garden → Garden (Nexus)',
  ])
    await page.getByText(fact).waitFor();
  await expectNoViolations(page);
  expect(await inVault()).toEqual(before);

  await press(page, page.getByRole('button', { name: 'Import 6 entries' }));
  await page.locator('.notice', { hasText: 'Imported 6 entries.' }).waitFor();
  const after = await inVault();
  expect(Object.keys(after).filter((path) => path.includes('-imported-'))).toHaveLength(2);
  expect(
    Object.fromEntries(Object.entries(after).filter(([path]) => path.startsWith('Nexus/'))),
  ).toEqual(
    Object.fromEntries(Object.entries(before).filter(([path]) => path.startsWith('Nexus/'))),
  );

  await begin();
  await look('Nexus/data');
  await page.getByText('Everything is already in this memory.').waitFor();
  await page.getByText('States: 0 new, 2 already here').waitFor();
});

test('the settings detect Basic Memory notes by their contents', async () => {
  const { page, look } = await openImport({
    'Memory/signing.md': NOTE,
    'Memory/old/plain.md': 'Just words',
  });
  await look('Memory');
  await page.getByText('Basic Memory: 2 notes read.').waitFor();
  await page.getByText('1 note not written by Basic Memory').waitFor();
  await page.getByRole('button', { name: 'Import 3 entries' }).waitFor();
});

test('the settings ask for the program if the files belong to several', async () => {
  const { page, look } = await openImport({
    'Mixed/signing.md': NOTE,
    'Mixed/memory.jsonl':
      '{"type":"entity","name":"Ada","entityType":"person","observations":["Writes programs"]}\n',
    'Mixed/streams/shard-000001.jsonl': `${workspaceCreated('w1', T).text}\n`,
  });
  await look('Mixed');
  await page.getByText('These files contain the memory of several programs.').waitFor();
  expect(await page.getByLabel('Program').locator('option').allTextContents()).toEqual([
    'Choose…',
    'Nexus',
    'MCP server "memory"',
    'Basic Memory',
  ]);
  await expectNoViolations(page);
  await page.getByLabel('Program').selectOption('server-memory');
  await page.getByText('MCP server "memory": 1 line read.').waitFor();
  await page.getByRole('button', { name: 'Import 2 entries' }).waitFor();
});
