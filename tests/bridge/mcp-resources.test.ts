import { describe, expect, it } from 'vitest';
import { complete, listResources, readResource } from '../../src/bridge/mcp-resources.js';
import { createMemoryIdentities } from '../fakes/deterministic.js';
import { stateDraft } from '../fakes/events.js';
import { createTestVault, garden, stateNamed } from '../fakes/test-vault.js';
import { inFull } from '../tier.js';

const testInFull = it.runIf(inFull('pages of 2,100 states'));

const noText = () => Promise.resolve('');

async function vaultWith(names: readonly string[]) {
  const vault = createTestVault();
  for (const name of names) await vault.data('createState', stateNamed(name));
  return vault;
}

describe('the list of resources', () => {
  testInFull('contains each resource once across its pages', async () => {
    const names = Array.from({ length: 2100 }, (_, at) => `S${at}`);
    const vault = createTestVault();
    const drafts = await Promise.all(names.map((name) => stateDraft(name)));
    await vault.log.write(() => ({ drafts, answer: undefined }));
    const memory = await vault.log.memory();
    const pages: string[][] = [];
    let cursor: string | undefined;
    do {
      const { resources, nextCursor } = listResources(memory, cursor);
      pages.push(resources.map(({ name }) => name));
      cursor = nextCursor;
    } while (cursor !== undefined);
    expect(pages.map(({ length }) => length)).toEqual([1000, 1000, 101]);
    expect(pages.flat()).toEqual(['Default', ...names.reverse()]);
  });

  it('omits archived entries, which can still be read', async () => {
    const vault = await vaultWith(['Old', 'New']);
    await vault.data('archiveState', { name: 'Old' });
    await vault.data('createWorkspace', garden);
    await vault.data('archiveWorkspace', { name: 'Garden' });
    const memory = await vault.log.memory();
    expect(listResources(memory, undefined).resources.map(({ name }) => name)).toEqual([
      'Default',
      'New',
    ]);
    await expect(
      readResource(memory, 'savepoint://workspace/Default/state/Old', noText),
    ).resolves.toBeDefined();
    const text = await readResource(memory, 'savepoint://workspace/Default', noText);
    expect(JSON.stringify(text)).not.toContain('Old');
  });

  it('shows invisible characters of names and contents as markers', async () => {
    const vault = await vaultWith([]);
    const draft = await stateDraft('Pl\u200ban', 'st1', 'default', { description: 'gpj.\u202edm' });
    await vault.log.write(() => ({ drafts: [draft], answer: undefined }));
    const memory = await vault.log.memory();
    const uri = 'savepoint://workspace/Default/state/Pl%E2%9F%A8U%2B200B%E2%9F%A9an';
    expect(listResources(memory, undefined).resources.map(({ name }) => name)).toContain(
      'Pl⟨U+200B⟩an',
    );
    await expect(readResource(memory, uri, noText)).resolves.toMatchObject({ contents: [{ uri }] });
    const workspace = await readResource(memory, 'savepoint://workspace/Default', noText);
    expect(JSON.stringify(workspace)).toContain('Pl⟨U+200B⟩an: gpj.⟨U+202E⟩dm');
  });

  it('has distinct URIs for two states with the same name', async () => {
    const one = createTestVault();
    const two = createTestVault({
      files: one.files,
      identities: createMemoryIdentities(),
      seed: 2,
    });
    await Promise.all(
      [one, two].map((vault, at) =>
        vault.data('createState', stateNamed('Plan', { activeTask: `${at}` })),
      ),
    );
    const memory = await createTestVault({ files: one.files, seed: 3 }).log.memory();
    const uris = listResources(memory, undefined).resources.flatMap(({ uri }) =>
      uri.includes('/state/') ? [uri] : [],
    );
    expect(uris).toHaveLength(2);
    expect(uris.filter((uri) => uri.includes('%E2%9F%A8'))).toHaveLength(1);
    await expect(
      readResource(memory, 'savepoint://workspace/Default/state/Plan', noText),
    ).rejects.toThrow('is ambiguous');
    const marked = uris.find((uri) => uri.includes('%E2%9F%A8'))!;
    await expect(readResource(memory, marked, noText)).resolves.toMatchObject({
      contents: [{ uri: marked }],
    });
  });
});

describe('completion', () => {
  it('returns the first 100 names and the total', async () => {
    const memory = await (
      await vaultWith(Array.from({ length: 150 }, (_, at) => `S${at}`))
    ).log.memory();
    const { completion } = complete(
      memory,
      { ref: { type: 'ref/prompt', name: 'resume' }, argument: { name: 'state', value: 's' } },
      'default',
    );
    expect(completion).toMatchObject({ total: 150, hasMore: true });
    expect(completion.values).toHaveLength(100);
  });

  it('is empty for other arguments and unknown workspaces', async () => {
    const memory = await (await vaultWith(['Plan'])).log.memory();
    const ref = { type: 'ref/prompt', name: 'resume' } as const;
    const values = (name: string, workspace: string) =>
      complete(
        memory,
        { ref, argument: { name, value: '' }, context: { arguments: { workspace } } },
        'default',
      ).completion.values;
    expect([
      values('state', 'Default'),
      values('state', 'None'),
      values('name', 'Default'),
    ]).toEqual([['Plan'], [], []]);
  });
});
