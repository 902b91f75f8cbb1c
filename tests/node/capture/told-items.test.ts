import { readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { removeToldBefore, createToldItems } from '../../../src/node/capture/told-items.js';
import { createFolder, node } from '../folders.js';

it('what a session was told is removed some time after it was last told something', async () => {
  const folder = createFolder();
  const line = { key: 'k', text: 'A rule' };
  await createToldItems(node, folder, ['codex', 'old']).add(line);
  const [old = ''] = readdirSync(folder);
  utimesSync(join(folder, old), 1, 1);
  await createToldItems(node, folder, ['codex', 'new']).add(line);
  await removeToldBefore(node, folder, Date.now() - 60_000);
  expect(await createToldItems(node, folder, ['codex', 'old']).has(line)).toBe(false);
  expect(await createToldItems(node, folder, ['codex', 'new']).has(line)).toBe(true);
  await removeToldBefore(node, join(folder, 'none'), Date.now());
});
