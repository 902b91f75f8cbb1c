import { createHash } from 'node:crypto';
import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import type { Draft } from '../../src/model/event.js';
import { dayOf, segmentPath } from '../../src/storage/format/lanes.js';
import { CHAIN_START } from '../../src/storage/format/line-hash.js';
import { encodeLine, type EncodedLine } from '../../src/storage/format/line.js';
import { inFolder, median, perForm, stateParams, timeOf, type Figure } from './lib.js';
import { openVault, TOOLKIT } from './vault.js';

export const question = 'Does the cost of a call depend on the number of segment files?';
export const measures = TOOLKIT;

const DAYS = perForm(200, 10);
const DAY_MS = 24 * 60 * 60 * 1000;
/** Writers per day. */
const FEW = 1;
const MANY = perForm(100, 10);
/** One of this number of segments was never sealed, because its process was killed. */
const UNSEALED_EVERY = 20;
const WRITES_AT_ONCE = 64;
const WARM_UP_MS = perForm(5000, 500);
const ROUNDS = perForm(400, 5);
/** Pause before each call of an agent that calls rarely. */
const RARE_CALL_MS = 1200;
const RARE_ROUNDS = perForm(25, 2);
const NAME = 'The state to load';

interface Vault {
  readonly load: () => Promise<number>;
  readonly close: () => Promise<void>;
}

export function answer(): Promise<Figure[]> {
  return inFolder(async (folder) => {
    const few = await openWith(FEW, path.join(folder, 'few'));
    const many = await openWith(MANY, path.join(folder, 'many'));
    const often = await compare(few, many, ROUNDS, 0);
    const rarely = await compare(few, many, RARE_ROUNDS, RARE_CALL_MS);
    await few.close();
    await many.close();
    const counts = [FEW, MANY].map((writers) => (DAYS * writers).toLocaleString('en'));
    return [
      { what: `loadState among ${counts[0]} segments, median`, value: often.few, unit: ' ms' },
      { what: `loadState among ${counts[1]} segments, median`, value: often.many, unit: ' ms' },
      {
        what: `loadState among ${counts[1]} segments, times that among ${counts[0]}`,
        value: often.many / often.few,
        limit: 2,
        isHighlighted: true,
      },
      {
        what: `with a pause of ${RARE_CALL_MS} ms, among ${counts[0]}`,
        value: rarely.few,
        unit: ' ms',
      },
      {
        what: `with a pause of ${RARE_CALL_MS} ms, among ${counts[1]}`,
        value: rarely.many,
        unit: ' ms',
      },
      { what: 'ratio', value: rarely.many / rarely.few },
    ];
  });
}

async function openWith(writers: number, folder: string): Promise<Vault> {
  const vault = path.join(folder, 'vault');
  await writeSegments(vault, writers);
  const { call, close } = openVault(vault, path.join(folder, 'state'));
  await call('createState', stateParams(NAME));
  const load = () => timeOf(() => call('loadState', { name: NAME }));
  for (let spent = 0; spent < WARM_UP_MS; spent += 100 + (await load())) await sleep(100);
  return { load, close };
}

/** Returns the median of each; their calls alternate. */
async function compare(few: Vault, many: Vault, rounds: number, pauseMs: number) {
  const times = { few: [] as number[], many: [] as number[] };
  for (let round = 0; round < rounds; round++) {
    await sleep(pauseMs);
    times.few.push(await few.load());
    times.many.push(await many.load());
  }
  return { few: median(times.few), many: median(times.many) };
}

async function writeSegments(vault: string, writers: number): Promise<void> {
  const today = Date.now();
  const segments = Array.from({ length: DAYS * writers }, (_, at) => {
    const time = today - (DAYS - 1 - Math.floor(at / writers)) * DAY_MS;
    const writer = createHash('sha256')
      .update(`${at}`)
      .digest('hex')
      .slice(0, 12)
      .replace(/[01]/g, '2');
    return {
      at,
      time,
      writer,
      file: path.join(vault, segmentPath('Savepoint', 'core', dayOf(time), writer, 1)),
    };
  });
  for (const folder of new Set(segments.map(({ file }) => path.dirname(file))))
    await fs.mkdir(folder, { recursive: true });
  for (let from = 0; from < segments.length; from += WRITES_AT_ONCE)
    await Promise.all(
      segments.slice(from, from + WRITES_AT_ONCE).map(async ({ at, time, writer, file }) => {
        await fs.writeFile(file, segmentOf(at, time, writer));
        await fs.utimes(file, time / 1000, time / 1000);
      }),
    );
}

/** Returns the bytes of a segment with one state. */
function segmentOf(at: number, time: number, writer: string): Buffer {
  const lines: EncodedLine[] = [];
  const add = ({ t, e, d }: Draft) => {
    const n = lines.length + 1;
    const h = `${new Date(time + n).toISOString()}.0000`;
    lines.push(
      encodeLine({ v: 1, w: writer, n, p: lines.at(-1)?.hash ?? CHAIN_START, h, t, e, d }),
    );
  };
  const { name, ...content } = stateParams(`State ${at}`);
  const entity = `${writer}${writer}`.slice(0, 16);
  add({ t: 'log.seg', e: '', d: { fmt: 1, app: 'bench', device: `device ${at % 5}` } });
  add({ t: 'state.new', e: entity, d: { ws: 'default', name, ...content, sha: '' } as Draft['d'] });
  const bytes = Buffer.concat(lines.map((line) => line.bytes));
  if (at % UNSEALED_EVERY === 0) return bytes;
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  add({ t: 'log.seal', e: '', d: { count: lines.length, sha256 } });
  return Buffer.concat([bytes, lines.at(-1)!.bytes]);
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
