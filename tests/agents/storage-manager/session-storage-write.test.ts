import { describe, expect, it } from 'vitest';
import { createTestVault } from '../../fakes/test-vault.js';
import { toolsOf, vaultWithGarden } from './storage-scopes.js';
import { writeSuite } from './write-suite.js';

const SESSIONS = [
  'plain',
  'Plain',
  'claude: 2026/11/20 "talk"',
  '../../workspaces/default',
  '../session',
  '/etc',
  'C:\\x',
  'con',
  'a\u0000b',
  '工作',
  'caf\u00e9',
  'cafe\u0301',
  '~',
  '...',
  'x'.repeat(200),
  'x'.repeat(100_000),
];

describe('sessionStorageWrite', () => {
  writeSuite('session');

  it('stores the files of each session in their own folder', async () => {
    const vault = createTestVault();
    for (const session of SESSIONS)
      await vault.data(
        'sessionStorageWrite',
        { path: 'a.md', content: session.slice(0, 300).replaceAll('\u0000', '0') },
        { session },
      );
    for (const session of SESSIONS) {
      const { content } = (await vault.data(
        'sessionStorageRead',
        { path: 'a.md' },
        { session },
      )) as { content: string };
      expect(content).toBe(session.slice(0, 300).replaceAll('\u0000', '0'));
    }
    const paths = vault.files.paths().filter((path) => path.includes('/files/'));
    expect(paths).toHaveLength(SESSIONS.length);
    for (const path of paths)
      expect(path).toMatch(/^Savepoint\/files\/sessions\/[^/]{1,120}\/a\.md$/u);
    expect(paths).toContain('Savepoint/files/sessions/plain/a.md');
  });

  it('uses the session in the context of the call', async () => {
    const vault = createTestVault();
    await vault.data('sessionStorageWrite', {
      path: 'a.md',
      content: 'x',
      context: { sessionId: 'other' },
    });
    expect(await vault.data('sessionStorageList')).toEqual([]);
    expect(
      await vault.data('sessionStorageRead', { path: 'a.md' }, { session: 'other' }),
    ).toMatchObject({ content: 'x' });
  });

  it('works in any workspace, even an archived one', async () => {
    const vault = await vaultWithGarden();
    const { write, read } = toolsOf('session', vault);
    await write({ path: 'a.md', content: 'x' });
    await vault.data('archiveWorkspace', { name: 'Garden' });
    await write({ path: 'a.md', content: 'y', mode: 'append' });
    expect((await read({ path: 'a.md', context: { workspaceId: 'default' } })).content).toBe('xy');
  });
});
