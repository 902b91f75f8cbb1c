import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/model/event.js';
import { allWorkspaces } from '../../../src/model/lookup.js';
import { Refusal } from '../../../src/model/refusal.js';
import type { ForeignFile } from '../../../src/transfer/foreign/foreign-memory.js';
import { validName } from '../../../src/transfer/foreign/naming.js';
import { readLogLines } from '../../../src/storage/log-lines.js';
import { verify } from '../../../src/storage/integrity/verify.js';
import { START_TIME } from '../../fakes/deterministic.js';
import { createMemoryFiles } from '../../fakes/memory-files.js';
import { createVault, put, ROOT } from '../../storage/helpers.js';
import { bringIn, NOW, rememberedIn } from './importing.js';
import {
  CONTEXT,
  conversationBegun,
  conversationUpdated,
  fileOf,
  messageAdded,
  shardsOf,
  stateDeleted,
  stateSaved,
  stateUpdated,
  savedState,
  traceAdded,
  workspaceCreated,
  workspaceDeleted,
  workspaceUpdated,
  type NexusLine,
} from './nexus-vault.js';
import { createEagerScheduler } from '../../fakes/eager-scheduler.js';

const T = Date.UTC(2026, 4, 1);
const HOUR = 3_600_000;

const digestIn = async (files: Parameters<typeof verify>[0]) =>
  (await verify(files, ROOT, { now: START_TIME })).digest;

/**
 * A step in the use of Nexus. Item numbers are small, so that several steps affect the same item.
 */
const step = fc.record({
  kind: fc.constantFrom(
    'workspace',
    'state',
    'state',
    'state',
    'rename',
    'archive',
    'restore',
    'drop',
    'tag',
    'archiveState',
    'trace',
    'use',
  ),
  workspace: fc.nat(3),
  state: fc.nat(7),
  word: fc.string({ unit: 'grapheme', maxLength: 12 }),
});

interface Story {
  readonly lines: readonly NexusLine[];
  /** Expected values by mark, with the ids of the lines that define them. */
  readonly workspaces: Map<string, { name: string; isArchived: boolean; lines: string[] }>;
  readonly states: Map<
    string,
    { workspace: string; nextSteps: string[]; tags: string[]; isArchived: boolean; lines: string[] }
  >;
}

const mark = (kind: string, number: number) => `${kind}#${number};`;

function storyOf(
  steps: readonly { kind: string; workspace: number; state: number; word: string }[],
): Story {
  const lines: NexusLine[] = [];
  const story: Story = { lines, workspaces: new Map(), states: new Map() };
  const add = (item: { lines: string[] } | undefined, line: NexusLine) => {
    lines.push(line);
    item?.lines.push(line.id);
  };
  for (const [index, { kind, workspace: w, state: s, word }] of steps.entries()) {
    const at = T + index * HOUR;
    const [ws, st] = [mark('ws', w), mark('st', s)];
    let workspace = story.workspaces.get(ws);
    if (!workspace) {
      workspace = { name: `Plan ${w % 2}`, isArchived: false, lines: [] };
      story.workspaces.set(ws, workspace);
      add(
        workspace,
        workspaceCreated(`w${w}`, at, {
          name: workspace.name,
          contextJson: JSON.stringify({ purpose: ws }),
        }),
      );
    }
    const state = story.states.get(st);
    const home = `w${state ? state.workspace : w}`.replace(/^wws#(\d+);$/, 'w$1');
    if (kind === 'state' && !state) {
      const made = { workspace: ws, nextSteps: [word], tags: [word], isArchived: false, lines: [] };
      story.states.set(st, made);
      const context = { ...CONTEXT, conversationContext: st, nextSteps: [word] };
      add(made, stateSaved(`s${s}`, `w${w}`, at, context, { name: `Save ${s % 3}`, tags: [word] }));
    } else if (kind === 'rename') {
      const name = `Other ${word.trim()} ${w}`.slice(0, 40);
      workspace.name = validName(name);
      add(workspace, workspaceUpdated(`w${w}`, at, { name }));
    } else if (kind === 'archive' || kind === 'restore') {
      workspace.isArchived = kind === 'archive';
      add(workspace, workspaceUpdated(`w${w}`, at, { isArchived: workspace.isArchived }));
    } else if (kind === 'drop') {
      workspace.isArchived = true;
      add(workspace, workspaceDeleted(`w${w}`, at));
    } else if (kind === 'tag' && state) {
      state.tags = [word, 'more'];
      add(state, stateUpdated(`s${s}`, home, at, { tags: state.tags }));
    } else if (kind === 'archiveState' && state) {
      state.isArchived = true;
      add(state, stateDeleted(`s${s}`, home, at));
    } else if (kind === 'trace') add(undefined, traceAdded(`t${index}`, `w${w}`, at));
    else if (kind === 'use') add(undefined, workspaceUpdated(`w${w}`, at, { lastAccessed: at }));
  }
  return story;
}

const stories = fc.array(step, { minLength: 1, maxLength: 40 }).map(storyOf);

/** Expects every workspace and state with only intact lines to be imported. */
async function expectStory(
  story: Story,
  vault: ReturnType<typeof createVault>,
  isIntact: (id: string) => boolean,
): Promise<void> {
  const { workspaces, states } = await rememberedIn(vault);
  const byPurpose = new Map(
    [...workspaces].map(([name, workspace]) => [workspace.purpose, { ...workspace, name }]),
  );
  for (const [purpose, { name, isArchived, lines }] of story.workspaces) {
    if (!lines.every(isIntact)) continue;
    const found = byPurpose.get(purpose);
    expect(found).toMatchObject({ isArchived });
    expect(found?.name.replace(/ \(Nexus(?: \d+)?\)$/, '')).toBe(name);
  }
  const all = [...states.values()];
  for (const [context, { nextSteps, tags, isArchived, lines }] of story.states) {
    if (!lines.every(isIntact)) continue;
    const found = all.filter(({ conversationContext }) => conversationContext === context);
    expect(found).toHaveLength(1);
    expect(found[0]).toMatchObject({
      nextSteps,
      tags,
      isArchived,
      activeTask: CONTEXT.activeTask,
      activeFiles: CONTEXT.activeFiles,
    });
  }
}

describe('an import from Nexus', () => {
  it('adds the latest version of each workspace and state once, however the lines are split into shards', async () => {
    await fc.assert(
      fc.asyncProperty(
        stories,
        fc.integer({ min: 1, max: 9 }),
        fc.boolean(),
        async (story, linesInShard, isCopied) => {
          const vault = createVault();
          const shards = shardsOf(story.lines, linesInShard);
          const copies = isCopied
            ? shards.map((file) => ({ ...file, name: file.name.replace('.jsonl', ' (1).jsonl') }))
            : [];
          const sources = [...copies, ...shards];
          const report = await bringIn(vault.files, 'nexus', sources);
          expect(report).toMatchObject({
            troubles: [],
            duplicates: isCopied ? story.lines.length : 0,
          });
          expect(report.kinds).toMatchObject({
            workspaces: { added: story.workspaces.size, known: 0 },
            states: { added: story.states.size, known: 0 },
          });
          await expectStory(story, vault, () => true);
          expect(await verify(vault.files, ROOT, { now: START_TIME })).toMatchObject({
            isWhole: true,
          });

          const digest = await digestIn(vault.files);
          const again = await bringIn(vault.files, 'nexus', [...sources].reverse());
          expect(Object.values(again.kinds).map(({ added }) => added)).toEqual([
            0, 0, 0, 0, 0, 0, 0,
          ]);
          expect(again.files).toEqual([]);
          expect(await digestIn(vault.files)).toBe(digest);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('loses only damaged items, and reports each damaged line', async () => {
    const blots = fc.array(
      fc.record({
        at: fc.nat(),
        length: fc.integer({ min: 1, max: 200 }),
        byte: fc.constantFrom(0, 0xff),
      }),
      {
        minLength: 1,
        maxLength: 4,
      },
    );
    await fc.assert(
      fc.asyncProperty(stories, blots, async (story, wishes) => {
        const vault = createVault();
        const files = shardsOf(story.lines, 1000);
        const lost = new Set<string>();
        const blotted = files.map((file, index) =>
          blot(
            file,
            wishes.filter(({ at }) => at % files.length === index),
            lost,
            story,
          ),
        );
        const refusedOr = bringIn(
          vault.files,
          'nexus',
          blotted.map(({ file }) => file),
        ).catch((error: unknown) => error);
        const report = await refusedOr;
        if (report instanceof Refusal) {
          expect(report.message).toContain('nothing of Nexus');
          expect(story.lines.filter(({ id }) => !lost.has(id))).toEqual([]);
          return;
        }
        const { troubles } = report as Awaited<ReturnType<typeof bringIn>>;
        const named = new Set(troubles.map(({ file, line }) => `${file} ${line}`));
        for (const { file, rows } of blotted)
          for (const row of rows) expect(named).toContain(`${file.name} ${row}`);
        await expectStory(story, vault, (id) => !lost.has(id));
        expect(await verify(vault.files, ROOT, { now: START_TIME })).toMatchObject({
          isWhole: true,
        });

        // Importing the undamaged files adds what was lost.
        await bringIn(vault.files, 'nexus', files);
        await expectWhole(story, vault);
      }),
      { numRuns: 80 },
    );
  });

  it('loses only the lines that are missing from a truncated file', async () => {
    const story = storyOf([
      { kind: 'state', workspace: 0, state: 0, word: 'ä' },
      { kind: 'state', workspace: 0, state: 1, word: 'b' },
      { kind: 'state', workspace: 0, state: 2, word: 'c' },
    ]);
    const [file] = shardsOf(story.lines);
    for (let length = 260; length < file!.bytes.length; length += 37) {
      const vault = createVault();
      const cut = { ...file!, bytes: file!.bytes.subarray(0, length) };
      const text = new TextDecoder().decode(cut.bytes);
      const report = await bringIn(vault.files, 'nexus', [cut]);
      await expectStory(
        story,
        vault,
        (id) =>
          text.includes(`"id":"${id}","deviceId":"device-1","timestamp":1`) &&
          isWholeLine(text, id),
      );
      expect(report.troubles.length).toBe(
        text.endsWith('\n') || isJson(text.split('\n').at(-1)!) ? 0 : 1,
      );
    }
  });
});

function isWholeLine(text: string, id: string): boolean {
  const line = text.split('\n').find((each) => each.includes(`"id":"${id}"`)) ?? '';
  return line.endsWith('}') && isJson(line);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * Overwrites bytes of a file. Returns the affected line numbers, and adds the affected event ids to
 * `lost`.
 */
function blot(
  file: ForeignFile,
  blots: readonly { at: number; length: number; byte: number }[],
  lost: Set<string>,
  { lines }: Story,
): { file: ForeignFile; rows: Set<number> } {
  const before = file.bytes;
  const bytes = Uint8Array.from(before);
  const ranges = blots.map(({ at, length, byte }) => {
    const from = at % before.length;
    bytes.fill(byte, from, from + length);
    return [from, Math.min(from + length, before.length)] as const;
  });
  const text = new TextDecoder('latin1').decode(before);
  for (const { id } of lines) {
    const at = text.indexOf(`"id":"${id}"`);
    if (at < 0) continue;
    const [from, to] = [text.lastIndexOf('\n', at) + 1, text.indexOf('\n', at)];
    if (ranges.some(([start, end]) => start < to && end > from)) lost.add(id);
  }
  const rows = new Set(ranges.flatMap(([from, to]) => [rowOf(bytes, from), rowOf(bytes, to - 1)]));
  return { file: { ...file, bytes }, rows };
}

function rowOf(bytes: Uint8Array, at: number): number {
  return bytes.subarray(0, at).filter((byte) => byte === 0x0a).length + 1;
}

/** Expects the complete story. Damaged lines may have added more. */
async function expectWhole(story: Story, vault: ReturnType<typeof createVault>): Promise<void> {
  const { workspaces, states } = await rememberedIn(vault);
  const shown = [...workspaces].map(([name, { purpose, isArchived }]) => [
    purpose,
    name.replace(/ \(Nexus(?: \d+)?\)$/, ''),
    isArchived,
  ]);
  for (const [purpose, { name, isArchived }] of story.workspaces)
    expect(shown).toContainEqual([purpose, name, isArchived]);
  for (const [context, { nextSteps, tags, isArchived }] of story.states) {
    const found = [...states.values()].filter((state) => state.conversationContext === context);
    expect(found).toContainEqual(expect.objectContaining({ nextSteps, tags, isArchived }));
  }
}

/** A file of the MCP server "memory", without dates. */
const GRAPH = `${JSON.stringify({ type: 'entity', name: 'Ann', entityType: 'person', observations: ['Gardens'] })}\n`;

const lines = () => [
  workspaceCreated('w1', T, { name: 'Garden' }),
  stateSaved('s1', 'w1', T + HOUR, CONTEXT, { name: 'Plan' }),
  traceAdded('t1', 'w1', T + 2 * HOUR),
  conversationBegun('c1', T + 3 * HOUR, { workspaceId: 'w1' }),
  messageAdded('m1', 'c1', T + 4 * HOUR, { role: 'user', content: 'Hello', sequenceNumber: 0 }),
  messageAdded('m2', 'c1', T + 5 * HOUR, { role: 'assistant', content: 'Hi', sequenceNumber: 1 }),
  conversationUpdated('c1', T + 6 * HOUR, { title: 'Greeting' }),
  workspaceUpdated('w1', T + 7 * HOUR, { isArchived: true }),
];

describe('importForeign', () => {
  it('keeps the original times and the workspace of a conversation', async () => {
    const vault = createVault();
    await bringIn(vault.files, 'nexus', shardsOf(lines()));
    const { workspaces, states, conversations } = await rememberedIn(vault);
    expect(workspaces.get('Garden')).toMatchObject({
      createdAt: new Date(T).toISOString(),
      isArchived: true,
    });
    expect(states.get('Garden/Plan')).toMatchObject({
      createdAt: new Date(T + HOUR).toISOString(),
    });
    expect(conversations).toMatchObject([
      { title: 'Greeting', workspaceId: workspaces.get('Garden')!.id },
    ]);
    const log = vault.open();
    const [trace] = await log.readTraces(await log.traceEntries(workspaces.get('Garden')!.id));
    expect(trace).toMatchObject({
      sessionId: 'session-1',
      createdAt: new Date(T + 2 * HOUR).toISOString(),
    });
    const [latest, first] = await log.messages(conversations[0]!.id);
    expect([first?.createdAt, latest?.createdAt, latest?.parentId]).toEqual([
      new Date(T + 4 * HOUR).toISOString(),
      new Date(T + 5 * HOUR).toISOString(),
      first?.id,
    ]);
    await log.close();
  });

  it('writes nothing in a dry run, which reports the same', async () => {
    const files = createMemoryFiles();
    const dry = await bringIn(files, 'nexus', shardsOf(lines()), { isDryRun: true });
    expect(files.paths()).toEqual([]);
    const { files: written, ...wet } = await bringIn(files, 'nexus', shardsOf(lines()));
    expect({ ...dry, files: [] }).toEqual({ ...wet, files: [] });
    expect(dry.files).toHaveLength(written.length);
  });

  it('produces the same digest on two devices', async () => {
    const [one, two] = [createMemoryFiles(), createMemoryFiles()];
    const source = lines();
    await bringIn(one, 'nexus', shardsOf(source, 2));
    await bringIn(two, 'nexus', shardsOf(source, 3), { now: NOW + 99, day: '2026-12-24' });
    expect(await digestIn(one)).toBe(await digestIn(two));
  });

  it('creates no duplicates if two devices import different parts', async () => {
    const source = lines();
    const [one, two] = [createVault(), createVault()];
    await bringIn(one.files, 'nexus', shardsOf(source.slice(0, 6)));
    await bringIn(two.files, 'nexus', shardsOf(source));
    for (const path of one.files.paths().filter((each) => each.endsWith('.jsonl')))
      await two.files.append(path.replace('.jsonl', 'b.jsonl'), (await one.files.read(path))!, {
        expect: 'new',
        durable: false,
      });
    const { workspaces, states, conversations } = await rememberedIn(two);
    expect([...workspaces.keys()]).toEqual(['Default', 'Garden']);
    expect([...states.keys()]).toEqual(['Garden/Plan']);
    expect(conversations).toHaveLength(1);
    expect(await bringIn(two.files, 'nexus', shardsOf(source))).toMatchObject({ files: [] });
  });

  it('adds new items, and keeps later changes in the vault', async () => {
    const vault = createVault();
    const source = lines();
    await bringIn(vault.files, 'nexus', shardsOf(source));
    const { workspaces } = await rememberedIn(vault);
    vault.clock.set(NOW);
    const log = vault.open();
    await log.memory();
    await put(log, {
      t: 'set',
      e: workspaces.get('Garden')!.id,
      d: { '/purpose': 'Mine', '/isArchived': false },
    });
    await log.close();
    source.push(
      stateSaved('s2', 'w1', T + 9 * HOUR, CONTEXT, { name: 'Second' }),
      workspaceUpdated('w1', T + 10 * HOUR, { description: 'New' }),
    );
    const report = await bringIn(vault.files, 'nexus', shardsOf(source));
    expect(report.kinds).toMatchObject({
      workspaces: { added: 0 },
      states: { added: 1, known: 1 },
      changes: { added: 1 },
    });
    const after = await rememberedIn(vault);
    expect(after.workspaces.get('Garden')).toMatchObject({
      purpose: 'Mine',
      isArchived: false,
      description: 'New',
    });
    expect([...after.states.keys()].sort()).toEqual(['Garden/Plan', 'Garden/Second']);
  });

  it('adds a changed state next to its earlier version', async () => {
    const vault = createVault();
    const source = lines();
    await bringIn(vault.files, 'nexus', shardsOf(source));
    source.push(
      stateUpdated('s1', 'w1', T + 9 * HOUR, {
        stateJson: JSON.stringify(savedState('s1', 'w1', { ...CONTEXT, activeTask: 'Other' })),
      }),
    );
    const report = await bringIn(vault.files, 'nexus', shardsOf(source));
    expect(report.renamings).toEqual([{ from: 'Plan', to: 'Plan (Nexus)' }]);
    const { states } = await rememberedIn(vault);
    expect(states.get('Garden/Plan')?.activeTask).toBe('Go on');
    expect(states.get('Garden/Plan (Nexus)')?.activeTask).toBe('Other');
  });

  it('completes an interrupted import when run again', async () => {
    const source = Array.from({ length: 12 }, (_, month) => [
      stateSaved(`s${month}`, 'w1', Date.UTC(2025, month, 3), CONTEXT, { name: `Save ${month}` }),
      traceAdded(`t${month}`, 'w1', Date.UTC(2025, month, 4)),
    ]).flat();
    const whole = createMemoryFiles();
    await bringIn(whole, 'nexus', shardsOf(source));
    const digest = await digestIn(whole);
    for (const room of [1, 5, 9, 20]) {
      const files = createMemoryFiles();
      let written = 0;
      const failing = {
        ...files,
        append: async (...args: Parameters<typeof files.append>) => {
          if (++written > room) throw new Refusal('The disk is full.');
          return files.append(...args);
        },
      };
      await expect(bringIn(failing, 'nexus', shardsOf(source))).rejects.toThrow(
        'import again to continue',
      );
      expect(
        (await verify(files, ROOT, { now: START_TIME })).writers.flatMap(({ missing }) => missing),
      ).toEqual([]);
      await bringIn(files, 'nexus', shardsOf(source));
      expect(await digestIn(files)).toBe(digest);
    }
  });

  it('renames items whose name is taken or invalid', async () => {
    const vault = createVault();
    const log = vault.open();
    await log.memory();
    await put(log, {
      t: 'ws.new',
      e: 'mine',
      d: { name: 'garden ', description: '', rootFolder: '/', purpose: '' },
    });
    await log.close();
    const source = [
      workspaceCreated('w1', T, { name: 'Garden' }),
      workspaceCreated('w2', T + 1, { name: 'GARDEN' }),
      stateSaved('s1', 'w1', T + 2, CONTEXT, { name: 'Plan' }),
      stateSaved('s2', 'w1', T + 3, CONTEXT, { name: 'plan' }),
      stateSaved('s3', 'w2', T + 4, CONTEXT, { name: 'Plan' }),
      stateSaved('s4', 'w2', T + 5, CONTEXT, { name: `a\nb${'c'.repeat(300)}` }),
    ];
    const report = await bringIn(vault.files, 'nexus', shardsOf(source));
    const { workspaces, states } = await rememberedIn(vault);
    expect([...workspaces.keys()]).toEqual([
      'Default',
      'garden ',
      'GARDEN (Nexus 2)',
      'Garden (Nexus)',
    ]);
    const long = `a b${'c'.repeat(196)}…`;
    expect([...states.keys()].sort()).toEqual(
      [
        'GARDEN (Nexus 2)/Plan',
        `GARDEN (Nexus 2)/${long}`,
        'Garden (Nexus)/Plan',
        'Garden (Nexus)/plan (Nexus)',
      ].sort(),
    );
    expect(states.get(`GARDEN (Nexus 2)/${long}`)?.conversationContext).toContain(
      `Its name there: "a\\nbccc`,
    );
    expect(report.renamings).toHaveLength(4);
    expect((await bringIn(vault.files, 'nexus', shardsOf(source))).renamings).toEqual([]);
  });

  it('limits times to the range of the log clock', async () => {
    const vault = createVault();
    const source = [
      workspaceCreated('w1', Date.UTC(2199, 0, 1), { name: 'Future' }),
      workspaceUpdated('w1', Date.UTC(2199, 0, 2), { isArchived: true }),
      stateSaved('s1', 'w1', Date.UTC(1999, 0, 1), CONTEXT, { name: 'Past' }),
    ];
    await bringIn(vault.files, 'nexus', shardsOf(source));
    const { workspaces, states } = await rememberedIn(vault);
    expect(workspaces.get('Future')).toMatchObject({
      createdAt: new Date(NOW).toISOString(),
      isArchived: true,
    });
    expect(states.get('Future/Past')?.createdAt).toBe('2020-01-01T00:00:00.000Z');
    expect(
      await bringIn(vault.files, 'nexus', shardsOf(source), { now: NOW + HOUR }),
    ).toMatchObject({ files: [] });
  });

  it('skips and reports items that do not fit in a line', async () => {
    const vault = createVault();
    const long = { role: 'user', content: 'ü'.repeat(600_000), sequenceNumber: 1 };
    const source = [
      conversationBegun('c1', T),
      messageAdded('m1', 'c1', T + 1, { role: 'user', content: 'Before', sequenceNumber: 0 }),
      messageAdded('m2', 'c1', T + 2, long),
      messageAdded('m3', 'c1', T + 3, { role: 'assistant', content: 'After', sequenceNumber: 2 }),
      stateSaved('s1', 'w1', T + 4, { ...CONTEXT, conversationContext: '\u2028'.repeat(200_000) }),
    ];
    const report = await bringIn(vault.files, 'nexus', shardsOf(source));
    expect(report.troubles).toEqual([
      { file: 'workspaces/w1/shard-000001.jsonl', line: 1, kind: 'tooLong' },
      { file: 'conversations/c1/shard-000001.jsonl', line: 3, kind: 'tooLong' },
    ]);
    const log = vault.open();
    const { conversations } = await rememberedIn(vault);
    const [after, before] = await log.messages(conversations[0]!.id);
    expect(after?.parentId).toBe(before?.id);
    await log.close();
  });

  it('does not import retired traces again', async () => {
    const vault = createVault();
    const source = [
      workspaceCreated('w1', T),
      ...Array.from({ length: 5 }, (_, index) => traceAdded(`t${index}`, 'w1', T + index)),
    ];
    await bringIn(vault.files, 'nexus', shardsOf(source));
    const held = (await readLogLines(vault.files, ROOT)).lines.filter(
      ({ lane }) => lane === 'trace',
    );
    const [{ path, event }] = [held[0]!];
    const log = vault.open();
    await log.memory();
    await put(log, {
      t: 'log.retire',
      e: '',
      d: {
        lane: 'trace',
        file: path,
        w: event.w,
        from: 1,
        to: held.length,
        count: held.length,
        sha256: '',
        why: 'age',
      },
    });
    await log.close();
    await vault.files.remove(path);
    expect(await bringIn(vault.files, 'nexus', shardsOf(source))).toMatchObject({
      files: [],
      leftOut: [{ why: 'retired', count: 5 }],
      kinds: { traces: { added: 0, known: 0 } },
    });
  });

  it('generates the same ids in every release', async () => {
    const vault = createVault();
    const origin = [
      workspaceCreated('w1', T),
      stateSaved('s1', 'w1', T),
      traceAdded('t1', 'w1', T),
      conversationBegun('c1', T),
      ...['m1', 'm2'].map((key, at) =>
        messageAdded(key, 'c1', T, { role: 'user', content: key, sequenceNumber: at }),
      ),
    ];
    await bringIn(vault.files, 'nexus', shardsOf(origin));
    await bringIn(vault.files, 'server-memory', [fileOf('memory.jsonl', GRAPH)]);
    await bringIn(vault.files, 'basic-memory', [fileOf('a.md', '- [fact] It rains\n')]);
    const { lines: held } = await readLogLines(vault.files, ROOT);
    const ids = held.flatMap(({ event: { t, e } }) => (t.endsWith('.new') ? [`${t} ${e}`] : []));
    expect(ids.sort()).toEqual([
      'conv.new xsdzm96rgpwbagq9',
      'msg.new hp52w7t3ngqybrk9',
      'msg.new mz6zfgr3zvsz8amt',
      'state.new fgxt9q3vkmkkicva',
      'state.new j829d2wvggf432sn',
      'state.new zq3my5dbbgkazkbe',
      'trace.new 3rrc2tikw4x6ywta',
      'ws.new ig5cztb8vf9gxgq2',
      'ws.new ihmi367pm9ty3u87',
      'ws.new nvkpdwka83j88fuy',
    ]);
  });

  it('counts the items that end up archived', async () => {
    const flagged = (isArchived: boolean) => ({ settings: { isArchived } });
    const archived = [
      workspaceCreated('w1', T),
      workspaceUpdated('w1', T + 1, { isArchived: true }),
      stateSaved('s1', 'w1', T),
      stateDeleted('s1', 'w1', T + 1),
      conversationBegun('c1', T),
      conversationUpdated('c1', T + 1, flagged(true)),
      conversationUpdated('c1', T + 2, { title: 'New' }),
    ];
    const others = [
      workspaceCreated('w2', T),
      workspaceDeleted('w2', T + 1),
      workspaceUpdated('w2', T + 2, { isArchived: false }),
      workspaceCreated('w3', T),
      stateSaved('s2', 'w1', T, CONTEXT, { name: 'Open' }),
      conversationBegun('c2', T),
      conversationUpdated('c2', T + 1, flagged(true)),
      conversationUpdated('c2', T + 2, flagged(false)),
      conversationBegun('c3', T),
    ];
    expect(
      (await bringIn(createMemoryFiles(), 'nexus', shardsOf([...archived, ...others]))).archived,
    ).toBe(3);
  });

  it('lets the earliest item keep its name, then the lower key', async () => {
    const vault = createVault();
    const source = [
      workspaceCreated('w1', T, { name: 'Plan', created: T + 9 }),
      workspaceCreated('w2', T + 1, { name: 'Plan' }),
      workspaceCreated('w4', T + 2, { name: 'Other', created: T }),
      workspaceCreated('w3', T + 3, { name: 'Other', created: T }),
    ];
    await bringIn(
      vault.files,
      'nexus',
      shardsOf(
        source.map((line, at) => ({ ...line, text: line.text.replace('"/"', `"/${at + 1}"`) })),
      ),
    );
    const log = vault.open();
    const shown = allWorkspaces(await log.memory()).map(
      ({ displayName, item }) => `${displayName}: ${item.rootFolder}`,
    );
    expect(shown).toEqual(
      expect.arrayContaining(['Plan: 2', 'Plan (Nexus): 1', 'Other: 4', 'Other (Nexus): 3']),
    );
    await log.close();
  });

  it('keeps the order of changes with the same time', async () => {
    const vault = createVault();
    const source = [
      workspaceCreated('w1', T, { name: 'A' }),
      workspaceUpdated('w1', T + 1, { name: 'B' }),
      workspaceUpdated('w1', T + 1, { name: 'C' }),
      workspaceUpdated('w1', T + 3, { description: 'Last' }),
    ];
    await bringIn(vault.files, 'nexus', shardsOf(source));
    expect([...(await rememberedIn(vault)).workspaces.keys()]).toEqual(['C', 'Default']);
    const more = [...source, workspaceUpdated('w1', T + 2, { rootFolder: 'Notes' })];
    expect((await bringIn(vault.files, 'nexus', shardsOf(more))).kinds.changes).toEqual({
      added: 1,
      known: 3,
    });
  });

  it('adds a different change with the same time', async () => {
    const vault = createVault();
    const created = workspaceCreated('w1', T, { name: 'Garden' });
    const changesOf = async (data: JsonObject) =>
      (
        await bringIn(
          vault.files,
          'nexus',
          shardsOf([created, workspaceUpdated('w1', T + 1, data)]),
        )
      ).kinds.changes;
    expect(await changesOf({ description: 'One' })).toEqual({ added: 1, known: 0 });
    expect(await changesOf({ description: 'Two' })).toEqual({ added: 1, known: 0 });
    expect(await changesOf({ description: 'Two' })).toEqual({ added: 0, known: 1 });
    const { workspaces } = await rememberedIn(vault);
    const log = vault.open();
    await log.memory();
    await put(log, { t: 'set', e: workspaces.get('Garden')!.id, d: { '/description': 'Three' } });
    await log.close();
    expect(await changesOf({ description: 'Three' })).toEqual({ added: 1, known: 0 });
  });

  it('does not repeat a rename after the taken name becomes free', async () => {
    const vault = createVault();
    const log = vault.open();
    await log.memory();
    await put(log, {
      t: 'ws.new',
      e: 'mine',
      d: { name: 'Garden', description: '', rootFolder: '/', purpose: '' },
    });
    const source = [
      workspaceCreated('w1', T, { name: 'A' }),
      workspaceUpdated('w1', T + 1, { name: 'Garden' }),
    ];
    await bringIn(vault.files, 'nexus', shardsOf(source));
    await log.memory();
    await put(log, { t: 'set', e: 'mine', d: { '/name': 'Mine' } });
    await log.close();
    expect(await bringIn(vault.files, 'nexus', shardsOf(source))).toMatchObject({ files: [] });
    expect([...(await rememberedIn(vault)).workspaces.keys()]).toEqual([
      'Default',
      'Garden (Nexus)',
      'Mine',
    ]);
  });

  it('replaces a placeholder workspace once the real one is imported', async () => {
    const vault = createVault();
    const [created, ...states] = [
      workspaceCreated('w1', T, { name: 'Garden' }),
      stateSaved('s1', 'w1', T + 5),
      stateSaved('s2', 'w1', T + 3),
    ];
    const names = async () => [...(await rememberedIn(vault)).workspaces.keys()];
    await bringIn(vault.files, 'nexus', shardsOf(states.slice(0, 1)));
    const again = await bringIn(vault.files, 'nexus', shardsOf(states));
    expect(again.kinds.workspaces).toEqual({ added: 0, known: 1 });
    expect(await names()).toEqual(['Default', 'Nexus workspace w1']);
    await bringIn(vault.files, 'nexus', shardsOf([created, ...states]));
    expect(await names()).toEqual(['Default', 'Garden']);
    expect((await bringIn(vault.files, 'nexus', shardsOf(states))).files).toEqual([]);
    expect(await names()).toEqual(['Default', 'Garden']);
  });

  it('corrects a workspace that came from a damaged line', async () => {
    const vault = createVault();
    await bringIn(
      vault.files,
      'nexus',
      shardsOf([workspaceCreated('w1', T, { name: 'Gardon', description: 'All' })]),
    );
    const report = await bringIn(
      vault.files,
      'nexus',
      shardsOf([workspaceCreated('w1', T, { name: 'Garden', description: 'All' })]),
    );
    expect(report.kinds).toMatchObject({
      workspaces: { added: 0, known: 1 },
      changes: { added: 1, known: 0 },
    });
    expect([...(await rememberedIn(vault)).workspaces.keys()]).toEqual(['Default', 'Garden']);
  });

  it('adds no change that repeats the current values', async () => {
    const source = [
      conversationBegun('c1', T),
      conversationUpdated('c1', T + 1, { title: 'Chat c1', settings: { isArchived: false } }),
    ];
    const report = await bringIn(createMemoryFiles(), 'nexus', shardsOf(source));
    expect(report.kinds.changes).toEqual({ added: 0, known: 0 });
  });

  it.each([NOW - HOUR, NOW + HOUR])(
    'adds undated and future items only once, at %d',
    async (now) => {
      const files = createMemoryFiles();
      const source = [
        workspaceCreated('w1', Date.UTC(2199, 0, 1)),
        workspaceUpdated('w1', Date.UTC(2199, 0, 2), { name: 'Late' }),
        stateSaved('s1', 'w1', T),
        stateDeleted('s1', 'w1', Date.UTC(2199, 0, 1)),
        conversationBegun('c1', T),
        conversationUpdated('c1', Date.UTC(2199, 0, 1), { title: 'Late' }),
      ];
      await bringIn(files, 'nexus', shardsOf(source));
      await bringIn(files, 'server-memory', [fileOf('memory.jsonl', GRAPH)]);
      expect(await bringIn(files, 'nexus', shardsOf(source), { now })).toMatchObject({ files: [] });
      expect(
        await bringIn(files, 'server-memory', [fileOf('memory.jsonl', GRAPH)], { now }),
      ).toMatchObject({ files: [] });
    },
  );

  it('refuses sources without data from the chosen program', async () => {
    const import_ = bringIn(createMemoryFiles(), 'server-memory', [fileOf('x.jsonl', '{"a":1}\n')]);
    await expect(import_).rejects.toThrow(Refusal);
    await expect(import_).rejects.toThrow(
      '"x.jsonl" contains nothing of server-memory that can be imported. Choose the file "memory.jsonl"',
    );
    await expect(
      bringIn(
        createMemoryFiles(),
        'nexus',
        shardsOf(lines()).concat(fileOf('y.md', 'x')).slice(-1),
      ),
    ).rejects.toThrow('Nexus/data');
    await expect(
      bringIn(createMemoryFiles(), 'basic-memory', [fileOf('a.txt', ''), fileOf('b.txt', '')]),
    ).rejects.toThrow(
      'The 2 files contain nothing of Basic Memory that can be imported. Choose the folder with the notes of Basic Memory.',
    );
  });

  it('yields to the host', async () => {
    const { scheduler, turns } = createEagerScheduler();
    const source = [
      workspaceCreated('w1', T),
      ...Array.from({ length: 50 }, (_, index) => stateSaved(`s${index}`, 'w1', T + index)),
    ];
    await bringIn(createMemoryFiles(), 'nexus', shardsOf(source), { scheduler });
    expect(turns()).toBeGreaterThan(50);
  });
});
