import type { JsonObject, LogEvent } from '../../model/event.js';
import { isClockText } from './hybrid-clock.js';
import { textReader, type ReadText } from './texts.js';

/** How a line begins that this program has written for a state, as far as nothing in it is escaped. */
const HEAD =
  /^\{"v":1,"w":"([a-km-np-z2-9]{12})","n":([1-9]\d{0,14}),"p":"[^"\\]*","h":"([^"\\]*)","t":"state\.new","e":"([^"\\]*)","d":\{"ws":"([^"\\]*)","name":"([^"\\]*)",/;

/** Bytes in which a head stands, but for very long names: these lines are read the ordinary way. */
const HEAD_BYTES = 240;

const decoder = new TextDecoder();

/**
 * A state's creation whose data are read once somebody asks for them: states are most of a log and long, and at the start
 * nothing but their names is needed. A class, because getters on its prototype cost nothing while they are not used.
 */
class UnreadState implements LogEvent {
  readonly v = 1;
  readonly t = 'state.new';
  #whole: Pick<LogEvent, 'p' | 'd'> | undefined;

  constructor(
    readonly w: string,
    readonly n: number,
    readonly h: string,
    readonly e: string,
    readonly c: string,
    readonly ws: string,
    readonly name: string,
    private readonly segment: Uint8Array,
    private readonly from: number,
    private readonly to: number,
  ) {}

  get head(): { readonly ws: string; readonly name: string } {
    return this;
  }

  get p(): string {
    return this.read().p;
  }

  get d(): JsonObject {
    return this.read().d;
  }

  private read(): Pick<LogEvent, 'p' | 'd'> {
    this.#whole ??= readWhole(this.segment.subarray(this.from, this.to));
    return this.#whole;
  }
}

/** A line with a right CRC that is no JSON all the same was made by no Savepoint: it is taken for a state that says nothing. */
function readWhole(line: Uint8Array): Pick<LogEvent, 'p' | 'd'> {
  try {
    return JSON.parse(decoder.decode(line)) as LogEvent;
  } catch {
    return { p: '', d: {} };
  }
}

/** The writer and workspace read last: nearly always the next line's too, and one text serves for all. */
const last = { w: '', ws: '' };

/** The event of a line (from `start` up to `end`) whose CRC `c` fits, where it is a state's creation as this program writes them. */
export function readStateHead(
  bytes: Uint8Array,
  start: number,
  end: number,
  c: string,
  readText = textReader(bytes),
): LogEvent | undefined {
  const found = findHead(
    readText,
    start,
    wholeCharacters(bytes, Math.min(end, start + HEAD_BYTES)),
  );
  if (!found) return undefined;
  const [, w, n, h, e, ws, name] = found as unknown as [
    string,
    string,
    string,
    string,
    string,
    string,
    string,
  ];
  if (!isClockText(h)) return undefined;
  if (last.w !== w) last.w = w;
  if (last.ws !== ws) last.ws = ws;
  const own = h + e + name; // parts of the segment's text would keep the whole of it in memory
  const [toH, toE] = [h.length, h.length + e.length];
  return new UnreadState(
    last.w,
    Number(n),
    own.slice(0, toH),
    own.slice(toH, toE),
    c,
    last.ws,
    own.slice(toE),
    bytes,
    start,
    end,
  );
}

function findHead(readText: ReadText, start: number, end: number): RegExpExecArray | null {
  try {
    return HEAD.exec(readText(start, end));
  } catch {
    return null; // not UTF-8: so says who reads the whole of it
  }
}

/** Where the character ends that `end` is in. */
function wholeCharacters(bytes: Uint8Array, end: number): number {
  let at = end;
  while (at < bytes.length && (bytes[at]! & 0xc0) === 0x80) at++;
  return at;
}
