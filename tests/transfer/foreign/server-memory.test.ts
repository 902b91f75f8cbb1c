import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/model/event.js';
import { START_TIME } from '../../fakes/deterministic.js';
import { readLogLines } from '../../../src/storage/log-lines.js';
import { createMemoryForgetStore, createVault, ROOT } from '../../storage/helpers.js';
import { verify } from '../../../src/storage/integrity/verify.js';
import { createReadStats } from '../../../src/transfer/foreign/foreign-memory.js';
import { NO_TASK } from '../../../src/transfer/foreign/knowledge.js';
import { readServerMemory } from '../../../src/transfer/foreign/server-memory.js';
import { bringIn, rememberedIn } from './importing.js';
import { fileOf } from './nexus-vault.js';
import { readReport } from '../../fakes/reports/read-report.js';
import { detectPrograms } from '../../../src/transfer/foreign/detect.js';

const MODIFIED = Date.UTC(2026, 2, 3);
const entity = (name: string, entityType: string, ...observations: string[]) => ({
  type: 'entity',
  name,
  entityType,
  observations,
});
const relation = (from: string, relationType: string, to: string) => ({
  type: 'relation',
  from,
  to,
  relationType,
});
const memoryFile = (...lines: (JsonObject | string)[]) =>
  fileOf(
    'memory.jsonl',
    lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join(''),
    {
      modified: MODIFIED,
    },
  );

const graph = [
  entity('Ada', 'person', 'Writes programs', 'Lives in\nLondon'),
  entity('Engine', 'machine'),
  relation('Ada', 'programs', 'Engine'),
  relation('Engine', 'is like', 'Engine'),
];

describe('server-memory entities', () => {
  it('are not imported again after they were forgotten', async () => {
    const vault = createVault();
    await bringIn(vault.files, 'server-memory', [memoryFile(...graph)]);
    const log = vault.open({ forgetStore: createMemoryForgetStore() });
    await log.memory();
    const { lines } = await readLogLines(vault.files, ROOT);
    const ada = lines.filter(({ event }) => event.d['name'] === 'Ada');
    await log.forgetting.forget(ada, true);
    const removedIds = await log.forgetting.removedIds();
    await log.close();

    const options = { removedIds };
    const again = await bringIn(vault.files, 'server-memory', [memoryFile(...graph)], options);
    expect(again).toMatchObject({
      kinds: { states: { added: 0, known: 1 } },
      leftOut: [{ why: 'forgotten', count: 1 }],
      files: [],
    });
    expect([...(await rememberedIn(vault)).states.keys()]).toEqual(['Imported memory/Engine']);
  });

  it('become states with their observations and relations', async () => {
    const vault = createVault();
    const report = await bringIn(vault.files, 'server-memory', [memoryFile(...graph)]);
    expect(report).toMatchObject({
      read: 4,
      troubles: [],
      leftOut: [],
      kinds: { workspaces: { added: 1 }, states: { added: 2 } },
    });
    const { states, workspaces } = await rememberedIn(vault);
    expect(workspaces.get('Imported memory')).toMatchObject({
      createdAt: new Date(MODIFIED).toISOString(),
    });
    expect(states.get('Imported memory/Ada')).toMatchObject({
      description: 'person',
      tags: ['person'],
      activeFiles: [],
      nextSteps: [],
      createdAt: new Date(MODIFIED).toISOString(),
      conversationContext:
        'Known:\n- Writes programs\n- Lives in\n  London\n\nRelated:\n- programs Engine',
    });
    expect(states.get('Imported memory/Engine')?.conversationContext).toBe(
      'Related:\n- Ada programs this\n- is like Engine',
    );
    expect(await verify(vault.files, ROOT, { now: START_TIME })).toMatchObject({ isWhole: true });
  });

  it('are imported once, even if the file has a new modification time', async () => {
    const vault = createVault();
    await bringIn(vault.files, 'server-memory', [memoryFile(...graph)]);
    const later = { ...memoryFile(...graph), modified: MODIFIED + 5 };
    expect(await bringIn(vault.files, 'server-memory', [later])).toMatchObject({
      files: [],
      kinds: { states: { added: 0, known: 2 } },
    });
  });

  it('are imported again with new observations', async () => {
    const vault = createVault();
    await bringIn(vault.files, 'server-memory', [memoryFile(...graph)]);
    const report = await bringIn(vault.files, 'server-memory', [
      memoryFile(entity('Ada', 'person', 'Writes programs', 'Met Charles'), ...graph.slice(1)),
    ]);
    expect(report.renamings).toEqual([{ from: 'Ada', to: 'Ada (server-memory)' }]);
    expect(
      (await rememberedIn(vault)).states.get('Imported memory/Ada (server-memory)')
        ?.conversationContext,
    ).toContain('Met Charles');
  });

  it('names the fields with what looks like a secret, and keeps it as it was written', async () => {
    const vault = createVault();
    const file = memoryFile(entity('Shop', 'project', 'The password is Kx7!fPq92z'));
    const report = await bringIn(vault.files, 'server-memory', [file]);
    expect(report.secrets).toEqual([{ name: 'Shop', fields: ['conversationContext'] }]);
    expect(JSON.stringify([...(await rememberedIn(vault)).states])).toContain('Kx7!fPq92z');
  });

  it('are one state if several lines and files have their name', async () => {
    const vault = createVault();
    const lines = [
      entity('Shop', 'project', 'first'),
      entity('Shop', 'project', 'second', 'first'),
      entity('Shop', 'project', 'second'),
      relation('Shop', 'owned by', 'Anna'),
    ];
    const more = [
      entity('Shop', 'idea', 'third'),
      relation('Shop', 'owned by', 'Anna'),
      relation('Shop', 'sells', 'Tea'),
    ];
    const files = [memoryFile(...lines), { ...memoryFile(...more), name: 'other.jsonl' }];
    const report = await bringIn(vault.files, 'server-memory', files);
    expect(report).toMatchObject({ read: 7, duplicates: 2, renamings: [], secrets: [] });
    expect([...(await rememberedIn(vault)).states]).toMatchObject([
      [
        'Imported memory/Shop',
        {
          description: 'project, idea',
          tags: ['project', 'idea'],
          conversationContext:
            'Known:\n- first\n- second\n- third\n\nRelated:\n- owned by Anna\n- sells Tea',
        },
      ],
    ]);
    expect(await bringIn(vault.files, 'server-memory', files)).toMatchObject({ files: [] });
  });

  it('are read despite damaged lines, which are reported', async () => {
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
      read: 5,
      duplicates: 1,
      leftOut: [{ why: 'orphans', count: 1 }],
      kinds: { states: { added: 2 } },
      troubles: [
        { file: 'memory.jsonl', line: 3, kind: 'salvaged' },
        { file: 'memory.jsonl', line: 4, kind: 'foreign' },
      ],
    });
  });
});

it('counts what is no text, and the relations of an entity that is too long', async () => {
  const vault = createVault();
  const { troubles, leftOut } = await bringIn(vault.files, 'server-memory', [
    memoryFile(
      entity('Big', 'x', 'y'.repeat(3_000_000)),
      { ...entity('Odd', 'x'), observations: [null, 'fine'] },
      relation('Big', 'has', 'Odd'),
      relation('Big', 'has', 'Nobody'),
      relation('Big', 'is', 'Big'),
    ),
  ]);
  expect(troubles).toMatchObject([{ line: 1, kind: 'tooLong' }]);
  expect(leftOut).toEqual([
    { why: 'oddValues', count: 1 },
    { why: 'orphans', count: 2 },
  ]);
});

describe('readServerMemory', () => {
  const read = async (...files: ReturnType<typeof memoryFile>[]) => {
    const account = createReadStats();
    return { account, ...(await readServerMemory(files, account)) };
  };

  it('dates the workspace by its oldest file', async () => {
    const [later, undated] = [
      memoryFile(entity('Ada', 'person', 'Writes')),
      { ...memoryFile(entity('Bob', '')), modified: undefined },
    ];
    const { states, workspaces } = await read(
      later,
      { ...memoryFile(entity('Eve', '')), modified: MODIFIED - 5 },
      undated,
    );
    const bare = { conversationContext: '', activeTask: NO_TASK, activeFiles: [], nextSteps: [] };
    expect(states.map(({ key, at, content }) => ({ key, at, content }))).toStrictEqual([
      {
        key: 'Ada',
        at: MODIFIED,
        content: {
          ...bare,
          name: 'Ada',
          conversationContext: 'Known:\n- Writes',
          description: 'person',
          tags: ['person'],
        },
      },
      { key: 'Eve', at: MODIFIED - 5, content: { ...bare, name: 'Eve' } },
      { key: 'Bob', at: undefined, content: { ...bare, name: 'Bob' } },
    ]);
    expect(workspaces).toEqual([
      {
        key: 'memory',
        at: MODIFIED - 5,
        location: { file: 'memory.jsonl', line: 1 },
        changes: [],
        isGuessed: true,
        fields: {
          name: 'Imported memory',
          description: 'What the MCP server "memory" remembered',
          rootFolder: '/',
          purpose: 'Keep what was remembered before Savepoint: a state for each entity',
        },
      },
    ]);
    expect((await read(memoryFile(relation('Ada', 'knows', 'Bob')))).workspaces).toEqual([]);
  });

  it('omits a relation only if both of its entities are missing', async () => {
    const { account } = await read(
      memoryFile(graph[0]!, relation('Ada', 'knows', 'Nobody'), relation('Nobody', 'knows', 'Ada')),
    );
    expect([...account.leftOut]).toEqual([]);
  });
});

describe('files of other servers', () => {
  const line = (value: object) => `${JSON.stringify(value)}\n`;
  const anna = { type: 'entity', name: 'Anna', entityType: 'person', observations: ['likes tea'] };
  async function bring(text: string) {
    const file = fileOf('memory.jsonl', text);
    expect(detectPrograms([file])).toEqual(['server-memory']);
    const vault = createVault();
    const report = await bringIn(vault.files, 'server-memory', [file]);
    return { report, states: [...(await rememberedIn(vault)).states] };
  }

  it.each([
    ['no-type.jsonl', 'Anna', 'Known:\n- likes tea\n\nRelated:\n- knows Ben'],
    ['from-entity.jsonl', 'Work', 'Known:\n- o\n\nRelated:\n- done by Me'],
    [
      'same-name.jsonl',
      'Tea shop',
      'Known:\n- first\n- second\n- third\n\nRelated:\n- owned by Anna',
    ],
    ['read-graph-one-line.json', 'Anna', 'Known:\n- likes tea\n\nRelated:\n- knows Ben'],
  ])('are read from %s', async (name, title, context) => {
    const { states } = await bring(readReport(`server-memory/${name}`));
    expect(states).toMatchObject([[`Imported memory/${title}`, { conversationContext: context }]]);
  });

  it.each([300_000, 2_000_000])('are recognized by a first line of %d bytes', async (length) => {
    const { report } = await bring(
      line({ ...anna, observations: ['x'.repeat(length)] }) + line(anna),
    );
    expect(report.origin).toBe('server-memory');
  });

  it('are recognized by the beginning of a first line that is not read whole', () => {
    const text = line({ ...anna, observations: ['x'.repeat(2_000_000)] }).slice(0, 1_000_000);
    expect(detectPrograms([fileOf('memory.jsonl', text)])).toEqual(['server-memory']);
  });

  it('may begin with a line that marks them, which is no damage', async () => {
    const { report, states } = await bring(line({ type: '_aim', source: 'x' }) + line(anna));
    expect([report.troubles, states.length]).toEqual([[], 1]);
  });

  it('report a line of another program', async () => {
    const { report } = await bring(line(anna) + line({ memory: 'Likes tea' }));
    expect(report.troubles).toMatchObject([{ line: 2, kind: 'foreign' }]);
  });
});
