import type { Draft, Json } from '../../../src/model/event.js';
import { CHAIN_START } from '../../../src/storage/format/line-hash.js';
import type { EncodedLine } from '../../../src/storage/format/line.js';
import { forgetDrafts, type HashedLine } from '../../../src/storage/forget/forget-event.js';
import { joinLines, lineOf, WRITER_B } from '../../fakes/events.js';
import type { MemoryFiles } from '../../fakes/memory-files.js';
import { ROOT } from '../helpers.js';

/** Path of the file of somebody who may write into the vault whatever they like. */
export const PARTNER_FILE = `${ROOT}/core/2026-11/partner.jsonl`;

/** The lines that such a person writes, which are linked and numbered as those of a writer. */
export class Partner {
  readonly lines: EncodedLine[] = [];
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  write(draft: Draft): EncodedLine {
    const [n, p] = [this.lines.length + 1, this.lines.at(-1)?.hash ?? CHAIN_START];
    const h = `${new Date(this.#now()).toISOString()}.0000`;
    const line = lineOf({ ...draft, w: WRITER_B, n, p, h });
    this.lines.push(line);
    return line;
  }

  /** Asks to remove lines, as a program of theirs would; `more` is added to the event's data. */
  forget(lines: readonly HashedLine[], more: Readonly<Record<string, Json>> = {}): EncodedLine {
    const [{ t, e, d }] = forgetDrafts(lines, 'partner') as [Draft];
    return this.write({ t, e, d: { ...d, ...more } });
  }

  get bytes(): Uint8Array {
    return joinLines(this.lines);
  }

  putInto(files: MemoryFiles, path = PARTNER_FILE): void {
    files.put(path, this.bytes);
  }
}
