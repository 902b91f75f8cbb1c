import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { createVaultNotes } from '../../../src/obsidian/host/vault-notes.js';
import { becomeRenderer } from '../../host/node-window.js';
import { startHost } from '../../host/obsidian/start.js';
import { createFolder } from '../../node/folders.js';

vi.mock('obsidian', () => import('../../host/obsidian/documented.js'));
becomeRenderer({ storageFile: join(createFolder(), 'storage.json'), require: null });

it('the notes of the app are read as UTF-16 if they are marked so', async () => {
  const { app } = await startHost({ 'Plain.md': 'Grüße aus dem Garten' });
  const { buffer } = Uint8Array.from(Buffer.from('\ufeffGrüße aus dem Haus', 'utf16le'));
  await app.vault.createBinary('Marked.md', buffer);
  const notes = createVaultNotes(app.vault as never);
  expect(await notes.read('Plain.md')).toBe('Grüße aus dem Garten');
  expect(await notes.read('Marked.md')).toBe('Grüße aus dem Haus');
  expect(await notes.read('Gone.md')).toBeUndefined();
});
