import type { JsonObject, LogEvent } from '../model/event.js';
import { isClockText } from './clock.js';

/** How a line begins that this program has written for a state, as far as nothing in it is escaped. */
const HEAD =
  /\{"v":1,"w":"([a-km-np-z2-9]{12})","n":([1-9]\d{0,14}),"p":"[^"\\]{0,8}","h":"([^"\\]{29})","t":"state\.new","e":"([^"\\]{0,40})","d":\{"ws":"([^"\\]{0,40})","name":"([^"\\]{0,200})",/y;

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
    private readonly text: string,
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
    this.#whole ??= readWhole(this.text.slice(this.from, this.to));
    return this.#whole;
  }
}

/** A line with a right CRC that is no JSON all the same was made by no Savepoint: it is taken for a state that says nothing. */
function readWhole(line: string): Pick<LogEvent, 'p' | 'd'> {
  try {
    return JSON.parse(line) as LogEvent;
  } catch {
    return { p: '', d: {} };
  }
}

/** The event of a line (`text` from `from` up to `to`) whose CRC fits, where it is a state's creation as this program writes them. */
export function readStateHead(text: string, from: number, to: number): LogEvent | undefined {
  HEAD.lastIndex = from;
  const found = HEAD.exec(text);
  if (!found) return undefined;
  const [, w, n, h, e, ws, name] = found as unknown as [string, string, string, string, string, string, string];
  if (!isClockText(h)) return undefined;
  return new UnreadState(w, Number(n), h, e, text.slice(to - 10, to - 2), ws, name, text, from, to);
}
