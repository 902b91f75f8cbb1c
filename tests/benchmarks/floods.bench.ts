import { execFile } from 'node:child_process';
import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { LogEvent } from '../../src/model/event.js';
import { nextTimestamp } from '../../src/storage/format/hybrid-clock.js';
import { segmentPath } from '../../src/storage/format/lanes.js';
import { CHAIN_START } from '../../src/storage/format/line-hash.js';
import { encodeLine, type EncodedLine } from '../../src/storage/format/line.js';
import { parseSegment } from '../../src/storage/format/segment.js';
import { encodeStub } from '../../src/storage/format/stub.js';
import { inFolder, median, perForm, type Figure } from './lib.js';
import { fillWithStates } from './vault.js';

export const question =
  'Does a flood of forged lines slow down commands more than as many ordinary ones?';
export const measures = ['src'];

const STATES = perForm(100, 20);
const ROUNDS = perForm(5, 1);
const MAX_SEGMENT_BYTES = 900_000;
const MAX_OUTPUT_LINES = 60;
const ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789';
const PROGRAM = fileURLToPath(new URL('../../main.js', import.meta.url));

const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  verify: ['verify'],
  doctor: ['doctor'],
  listStates: ['call', 'listStates', '--json', '{}'],
  search: ['search', 'refresh tokens', '--memory'],
  brief: ['brief'],
};

/** Writes lines as somebody who can write into the vault. `victim`: lines that are there. */
type Flood = (forger: Forger, count: number, victim: readonly LogEvent[]) => void;

const FLOODS: Readonly<Record<string, { readonly lines: number; readonly write: Flood }>> = {
  'removals with wrong hashes': {
    lines: perForm(3000, 100),
    write: (forger, count, victim) => {
      for (let at = 0; at < count; at++) forger.forget(victim[at % victim.length]!, textOf(at, 32));
    },
  },
  'stubs of one line, each with its removal': {
    lines: perForm(3000, 100),
    write(forger, count, [first]) {
      for (let at = 0; at < count / 2; at++) {
        forger.lines.push(encodeStub(first!, textOf(at, 32)));
        forger.forget(first!, textOf(at, 32));
      }
    },
  },
  'removals of own lines': {
    lines: perForm(16_000, 200),
    write(forger, count) {
      const junk = Array.from({ length: count / 2 }, (_, at) => forger.record(at));
      for (const { event, hash } of junk) forger.forget(event, hash);
    },
  },
  'invented writers': {
    lines: perForm(20_000, 200),
    write(forger, count) {
      for (let at = 0; at < count; at++) {
        forger.startAs(textOf(at, 12));
        forger.record(at);
      }
    },
  },
};

export function answer(): Promise<Figure[]> {
  return inFolder(async (folder) => {
    const base = path.join(folder, 'base');
    await fs.mkdir(path.join(base, 'vault/.obsidian'), { recursive: true });
    await fs.mkdir(path.join(base, 'state'), { mode: 0o700 });
    await fillWithStates(path.join(base, 'vault'), path.join(base, 'state'), STATES);
    const figures: Figure[] = [];
    for (const [what, { lines, write }] of Object.entries(FLOODS)) {
      const ordinary = await flooded(base, path.join(folder, 'ordinary'), lines, (forger) => {
        for (let at = 0; at < lines; at++) forger.record(at);
      });
      const flood = await flooded(base, path.join(folder, 'flood'), lines, write);
      const { ratio, output } = await compare(ordinary, flood);
      const count = lines.toLocaleString('en');
      figures.push(
        { what: `${count} ${what}: slowest command, times ordinary lines`, value: ratio, limit: 3 },
        { what: `${count} ${what}: lines of output`, value: output, limit: MAX_OUTPUT_LINES },
      );
      for (const each of [ordinary, flood]) await fs.rm(each, { recursive: true });
    }
    return figures;
  });
}

/** Returns a name of letters and digits, or a hash, that depends on a number. */
function textOf(at: number, length: number): string {
  const digits = length > 12 ? '0123456789abcdef' : ALPHABET;
  let text = '';
  for (let rest = at + 1; text.length < length; rest = Math.floor(rest / digits.length) + 7 * at)
    text += digits[rest % digits.length]!;
  return text;
}

class Forger {
  readonly lines: EncodedLine[] = [];
  #writer = 'partnerpartn';
  #n = 0;
  #hash = CHAIN_START;
  #time = '';

  startAs(writer: string): void {
    [this.#writer, this.#n, this.#hash] = [writer, 0, CHAIN_START];
  }

  record(at: number): EncodedLine {
    const d = { ws: 'default', kind: 'question', title: `Junk ${at}`, body: '', tags: [] };
    return this.#add('record.new', textOf(at, 12), d);
  }

  forget({ w, n, c }: LogEvent, hash: string): void {
    this.#add('log.forget', '', {
      device: 'partner',
      ranges: [{ w, from: n, to: n, crcs: c, hash }],
    });
  }

  #add(t: string, e: string, d: LogEvent['d']): EncodedLine {
    this.#time = nextTimestamp(this.#time, Date.now() - 24 * 60 * 60 * 1000);
    const stamp = { w: this.#writer, n: ++this.#n, p: this.#hash, h: this.#time };
    const line = encodeLine({ v: 1, ...stamp, t, e, d });
    this.#hash = line.hash;
    this.lines.push(line);
    return line;
  }
}

/** Copies a device with its vault, and adds lines to the vault. Returns the folder of both. */
async function flooded(base: string, to: string, count: number, write: Flood): Promise<string> {
  await fs.cp(base, to, { recursive: true });
  const vault = path.join(to, 'vault');
  const forger = new Forger();
  write(forger, count, await statesIn(vault));
  let [number, size, lines] = [0, 0, [] as Uint8Array[]];
  const flush = async () => {
    const file = segmentPath('Savepoint', 'core', '20261120', 'partnerpartn', ++number);
    await fs.mkdir(path.join(vault, path.dirname(file)), { recursive: true });
    await fs.writeFile(path.join(vault, file), Buffer.concat(lines));
    [size, lines] = [0, []];
  };
  for (const { bytes } of forger.lines) {
    if (size + bytes.length > MAX_SEGMENT_BYTES) await flush();
    lines.push(bytes);
    size += bytes.length;
  }
  await flush();
  return to;
}

async function statesIn(vault: string): Promise<LogEvent[]> {
  const core = path.join(vault, 'Savepoint/core');
  const files = (await fs.readdir(core, { recursive: true })).filter((name) =>
    name.endsWith('.jsonl'),
  );
  const events = await Promise.all(
    files.map(async (name) => parseSegment(await fs.readFile(path.join(core, name))).lines),
  );
  return events
    .flatMap((found) => found.map(({ event }) => event))
    .filter(({ t }) => t === 'state.new');
}

/** Returns the highest ratio of medians among the commands, and the longest output. */
async function compare(ordinary: string, flood: string) {
  const ratios: number[] = [];
  let output = 0;
  for (const command of Object.values(COMMANDS)) {
    const times = { ordinary: [] as number[], flood: [] as number[] };
    for (let round = 0; round < ROUNDS; round++) {
      times.ordinary.push((await runIn(ordinary, command)).ms);
      const { ms, lines } = await runIn(flood, command);
      times.flood.push(ms);
      output = Math.max(output, lines);
    }
    ratios.push(median(times.flood) / median(times.ordinary));
  }
  return { ratio: Math.max(...ratios), output };
}

function runIn(folder: string, command: readonly string[]): Promise<{ ms: number; lines: number }> {
  const env = { ...process.env, SAVEPOINT_STATE: path.join(folder, 'state') };
  const args = [PROGRAM, ...command, '--vault', path.join(folder, 'vault')];
  const start = performance.now();
  return new Promise((resolve) => {
    // `verify` and `doctor` end with 1, since they report it
    execFile(process.execPath, args, { env }, (_, stdout, stderr) => {
      const lines = `${stdout}${stderr}`.split('\n').length - 1;
      resolve({ ms: performance.now() - start, lines });
    });
  });
}
