import fc from 'fast-check';
import type { Draft, JsonObject, LogEvent } from '../../src/model/event.js';
import { canonicalMemory } from '../fakes/canonical.js';
import { clockText, contentOf, joinLines, lineOf, WRITER_A, WRITER_B } from '../fakes/events.js';
import { START_TIME } from '../fakes/deterministic.js';
import { createMemoryFiles, type MemoryFiles } from '../fakes/memory-files.js';
import { needPath, recordData } from '../../src/model/records/record.js';
import { stateData } from '../../src/model/state.js';
import type { LaneName } from '../../src/storage/format/lanes.js';
import { CHAIN_START } from '../../src/storage/format/line-hash.js';
import { memoryOf, readLogLines } from '../../src/storage/log-lines.js';
import { verify } from '../../src/storage/integrity/verify.js';
import { ROOT } from './helpers.js';

const SAVER = { client: 'test', session: 's', device: 'one' };

/** A generated line, and its lane. */
export interface RandomLine {
  readonly lane: LaneName;
  readonly event: LogEvent;
  readonly bytes: Uint8Array;
  readonly hash: string;
}

const WRITERS: readonly (readonly [string, LaneName])[] = [
  [WRITER_A, 'core'],
  [WRITER_B, 'core'],
  ['cccccccccccc', 'trace'],
  ['dddddddddddd', 'chat'],
];

const KINDS = [
  'ws',
  'state',
  'record',
  'need',
  'pin',
  'archive',
  'rename',
  'list',
  'unknown',
  'later',
  'vault',
  'seg',
  'seal',
  'mark',
  'retire',
  'broken',
] as const;

const oneEvent = fc.record({
  writer: fc.nat({ max: WRITERS.length - 1 }),
  kind: fc.constantFrom(...KINDS),
  entity: fc.constantFrom('one', 'two', 'three', 'default'),
  name: fc.constantFrom('A', 'a ', 'B', '../x', '工', '\u2028', '__proto__', '<b>'),
  minute: fc.nat({ max: 9 }),
  isFork: fc.boolean(),
});

/**
 * Logs of a few writers in every lane, each with events of its lane: workspaces and states,
 * archived, renamed and in conflict, and unknown events. No line is repeated.
 */
export const randomLogs: fc.Arbitrary<RandomLine[]> = fc
  .array(oneEvent, { maxLength: 40 })
  .map((seeds) => {
    const counts = new Map<string, number>();
    const hashes = new Map<string, string>();
    const lines = seeds.map(({ writer, kind, entity, name, minute, isFork }): RandomLine => {
      const [w, lane] = WRITERS[writer]!;
      const n = Math.max(1, (counts.get(w) ?? 0) + (isFork && kind !== 'seal' ? 0 : 1));
      counts.set(w, n);
      const line = lineOf({
        w,
        n,
        p: hashes.get(`${w} ${n - 1}`) ?? CHAIN_START,
        h: clockText(minute),
        v: kind === 'later' ? 2 : 1,
        ...((LANE_OF_KIND[kind] ?? lane) === lane
          ? draftOf(kind, entity, name, w, n)
          : otherDraft(lane, entity, name)),
      });
      hashes.set(`${w} ${n}`, line.hash);
      return { lane, ...line };
    });
    return [...new Map(lines.map((line) => [line.hash, line])).values()];
  });

/** The lane of kinds that belong to one, in whatever folder they are. */
const LANE_OF_KIND: Partial<Record<(typeof KINDS)[number], LaneName>> = {
  ws: 'core',
  state: 'core',
  record: 'core',
  need: 'core',
  pin: 'core',
  archive: 'core',
  rename: 'core',
  list: 'core',
  broken: 'core',
};

/** Returns an event of a lane other than the core. */
function otherDraft(lane: LaneName, e: string, name: string): Draft {
  return lane === 'trace'
    ? { t: 'trace.new', e, d: { ws: 'default', tool: name } }
    : { t: 'msg.new', e, d: { conv: 'one', text: name } };
}

function draftOf(
  kind: (typeof KINDS)[number],
  e: string,
  name: string,
  w: string,
  n: number,
): Draft {
  const data: Record<typeof kind, [string, JsonObject]> = {
    ws: [
      'ws.new',
      { name, description: 'About', rootFolder: 'Notes', purpose: 'To test', keyFiles: ['a.md'] },
    ],
    state: ['state.new', stateData('one', contentOf(name), '0')],
    record: ['record.new', recordData('one', { kind: 'task', title: name }, { by: SAVER })],
    need: ['set', { [needPath('two')]: n % 2 === 0, '/status': 'done', '/supersededBy': 'one' }],
    pin: ['pin.new', { ws: 'one', tool: 'logTrace', input: name }],
    archive: ['set', { '/isArchived': true }],
    rename: ['set', { '/name': name }],
    list: ['set', { '/keyFiles/b~1c.md': n, '/preferences/tone': name }],
    unknown: ['thing.new', { name }],
    later: ['state.new', { other: ['shape', name] }],
    vault: ['log.vault', { id: e.padEnd(16, 'x').replaceAll('o', 'p').replaceAll('l', 'm') }],
    seg: ['log.seg', { fmt: 1, app: 'x', device: name }],
    seal: ['log.seal', { count: n }],
    mark: ['log.mark', { seen: { core: { [w]: [n + 1, '0'.repeat(32)] } } }],
    retire: [
      'log.retire',
      {
        lane: 'trace',
        file: 'x',
        w: 'cccccccccccc',
        from: n,
        to: n + 1,
        count: 2,
        sha256: '0',
        why: 'old',
      },
    ],
    broken: ['ws.new', { name: 5 }],
  };
  const [t, d] = data[kind];
  return { t, e: t.startsWith('log.') ? '' : e, d };
}

/** Returns a vault with these lines, distributed over `cuts` files per lane. */
export function vaultWith(lines: readonly RandomLine[], cuts = 3): MemoryFiles {
  const files = createMemoryFiles();
  for (const lane of ['core', 'chat', 'trace']) {
    for (let cut = 0; cut < cuts; cut++) {
      const dealt = lines.filter((line, index) => line.lane === lane && index % cuts === cut);
      if (dealt.length > 0) files.put(`${ROOT}/${lane}/2026-11/f${cut}.jsonl`, joinLines(dealt));
    }
  }
  return files;
}

/** Returns everything that two vaults with the same lines must have in common. */
export async function summaryOf(files: MemoryFiles): Promise<unknown> {
  const { digest, events, writers, isWhole } = await verify(files, ROOT, { now: START_TIME });
  return {
    digest,
    events,
    writers: writers.map(({ missingNear: _, ...writer }) => writer), // it names a file
    isWhole,
    memory: canonicalMemory(memoryOf((await readLogLines(files, ROOT)).lines)),
  };
}
