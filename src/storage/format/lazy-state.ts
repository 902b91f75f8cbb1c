import type { JsonObject, LogEvent } from '../../model/event.js';
import { hasDoubledKeys } from './doubled-keys.js';
import { isTimestamp } from './hybrid-clock.js';
import { textReader, type ReadText } from './text-reader.js';

/** The beginning of a state's line as this program writes it, if nothing in it is escaped. */
const HEAD =
  /^\{"v":1,"w":"([a-km-np-z2-9]{12})","n":([1-9]\d{0,14}),"p":"[0-9a-f]{32}","h":"([^"\\]*)","t":"state\.new","e":"([^"\\]{0,64})","d":\{"ws":"([^"\\]*)","name":"([^"\\]*)",(?:"continues":"([\w-]{1,64})",)?"(?!continues")\w+":/;

/** Only lines with very long names have a longer head; they are parsed as a whole. */
const MAX_HEAD_BYTES = 330;

const decoder = new TextDecoder();

/**
 * A state's creation whose data are parsed on first access: states make up most of a log, but a
 * start needs only their names. A class, because unused getters on its prototype cost nothing.
 */
class LazyState implements LogEvent {
  readonly v = 1;
  readonly t = 'state.new';
  #whole: Pick<LogEvent, 'p' | 'd'> | undefined;
  readonly #segment: Uint8Array;
  readonly #from: number;
  readonly #to: number;

  constructor(
    readonly w: string,
    readonly n: number,
    readonly h: string,
    readonly e: string,
    readonly c: string,
    readonly ws: string,
    readonly name: string,
    readonly continues: string | undefined,
    segment: Uint8Array,
    from: number,
    to: number,
  ) {
    this.#segment = segment;
    this.#from = from;
    this.#to = to;
  }

  get head(): NonNullable<LogEvent['head']> {
    return this;
  }

  get p(): string {
    return this.#read().p;
  }

  get d(): JsonObject {
    return this.#read().d;
  }

  #read(): Pick<LogEvent, 'p' | 'd'> {
    this.#whole ??= readWhole(this.#segment.subarray(this.#from, this.#to));
    return this.#whole;
  }
}

/** Lines that no version writes (not JSON, or a key twice) count as states without data. */
function readWhole(line: Uint8Array): Pick<LogEvent, 'p' | 'd'> {
  try {
    const text = decoder.decode(line);
    const event = JSON.parse(text) as LogEvent;
    return hasDoubledKeys(text) ? { p: event.p, d: {} } : event;
  } catch {
    return { p: '', d: {} };
  }
}

/** Writer and workspace of the last line, whose strings the next line nearly always shares. */
const last = { w: '', ws: '' };

/** Returns the event of a `state.new` line in this program's form. `c`: its CRC, which matches. */
export function readLazyState(
  bytes: Uint8Array,
  start: number,
  end: number,
  c: string,
  readText = textReader(bytes),
): LogEvent | undefined {
  const found = findHead(
    readText,
    start,
    characterEnd(bytes, Math.min(end, start + MAX_HEAD_BYTES)),
  );
  if (!found) return undefined;
  const [, w = '', n, h = '', e = '', ws = '', name = '', continues = ''] = found;
  if (!isTimestamp(h)) return undefined;
  if (last.w !== w) last.w = w;
  if (last.ws !== ws) last.ws = ws;
  // a copy: slices of the segment's text would keep all of it in memory
  const own = h + e + name + continues;
  const [toH, toE] = [h.length, h.length + e.length];
  const toName = toE + name.length;
  return new LazyState(
    last.w,
    Number(n),
    own.slice(0, toH),
    own.slice(toH, toE),
    c,
    last.ws,
    own.slice(toE, toName),
    continues === '' ? undefined : own.slice(toName),
    bytes,
    start,
    end,
  );
}

function findHead(readText: ReadText, start: number, end: number): RegExpExecArray | null {
  try {
    return HEAD.exec(readText(start, end));
  } catch {
    return null; // not UTF-8: parsing the whole line reports it
  }
}

/** End of the character that contains the byte before `end`. */
function characterEnd(bytes: Uint8Array, end: number): number {
  let at = end;
  while (at < bytes.length && (bytes[at]! & 0xc0) === 0x80) at++;
  return at;
}
