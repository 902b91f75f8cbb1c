import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/model/event.js';
import { createVault, ROOT } from '../helpers.js';
import { verify } from '../../../src/storage/verify.js';
import { bringIn, rememberedIn } from './importing.js';
import { fileOf } from './nexus-vault.js';

const MODIFIED = Date.UTC(2026, 2, 3);
const entity = (name: string, entityType: string, ...observations: string[]) => ({ type: 'entity', name, entityType, observations });
const relation = (from: string, relationType: string, to: string) => ({ type: 'relation', from, to, relationType });
const memoryFile = (...lines: (JsonObject | string)[]) =>
  fileOf('memory.jsonl', lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join(''), {
    modified: MODIFIED,
  });

const graph = [
  entity('Ada', 'person', 'Writes programs', 'Lives in\nLondon'),
  entity('Engine', 'machine'),
  relation('Ada', 'programs', 'Engine'),
  relation('Engine', 'is like', 'Engine'),
];

describe('the memory of server-memory', () => {
  it('becomes a state for each entity, with what is known of it and related to it', async () => {
    const vault = createVault();
    const report = await bringIn(vault.files, 'server-memory', [memoryFile(...graph)]);
    expect(report).toMatchObject({ read: 4, troubles: [], leftOut: [], kinds: { workspaces: { added: 1 }, states: { added: 2 } } });
    const { states, workspaces } = await rememberedIn(vault);
    expect(workspaces.get('Imported memory')).toMatchObject({ createdAt: new Date(MODIFIED).toISOString() });
    expect(states.get('Imported memory/Ada')).toMatchObject({
      ...{ description: 'person', tags: ['person'], activeFiles: [], nextSteps: [], createdAt: new Date(MODIFIED).toISOString() },
      conversationContext: 'Known:\n- Writes programs\n- Lives in\n  London\n\nRelated:\n- programs Engine',
    });
    expect(states.get('Imported memory/Engine')?.conversationContext).toBe('Related:\n- Ada programs this\n- is like Engine');
    expect(await verify(vault.files, ROOT)).toMatchObject({ isWhole: true });
  });

  it('comes once, though the file was changed at another time', async () => {
    const vault = createVault();
    await bringIn(vault.files, 'server-memory', [memoryFile(...graph)]);
    const later = { ...memoryFile(...graph), modified: MODIFIED + 5 };
    expect(await bringIn(vault.files, 'server-memory', [later])).toMatchObject({ files: [], kinds: { states: { added: 0, known: 2 } } });
  });

  it('stands beside itself where more is known', async () => {
    const vault = createVault();
    await bringIn(vault.files, 'server-memory', [memoryFile(...graph)]);
    const report = await bringIn(vault.files, 'server-memory', [
      memoryFile(entity('Ada', 'person', 'Writes programs', 'Met Charles'), ...graph.slice(1)),
    ]);
    expect(report.renamings).toEqual([{ from: 'Ada', to: 'Ada (server-memory)' }]);
    expect((await rememberedIn(vault)).states.get('Imported memory/Ada (server-memory)')?.conversationContext).toContain('Met Charles');
  });

  it('is read though lines are torn, doubled or strange, and these are told', async () => {
    const vault = createVault();
    const file = memoryFile(
      graph[0]!,
      graph[0]!,
      '{"type":"entity","name":"To{"type":"entity","name":"Whole","entityType":"x","observations":[]}',
      { type: 'entity', name: 'No type' },
      relation('Nobody', 'knows', 'None'),
    );
    const report = await bringIn(vault.files, 'server-memory', [file]);
    expect(report).toMatchObject({
      ...{ read: 5, duplicates: 1, leftOut: [{ why: 'orphans', count: 1 }], kinds: { states: { added: 2 } } },
      troubles: [
        { file: 'memory.jsonl', line: 3, kind: 'salvaged' },
        { file: 'memory.jsonl', line: 4, kind: 'foreign' },
      ],
    });
  });
});
