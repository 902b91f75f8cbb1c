import { compareText } from '../../model/event.js';
import type { Agreement } from './device-agreement.js';
import type { VerifyProblem, VerifyReport } from './verify.js';

/** One kind of thing that `verify` has found, for people: where, and what to do about it. */
export interface Finding {
  readonly kind: FindingKind;
  /** Events that are missing, retired or forked; else lines, states or files. */
  readonly count: number;
  /** A row for each writer or file. */
  readonly places: readonly Place[];
  /** What this is. */
  readonly means: string;
  /** What to do next. */
  readonly advice: string;
}

export interface Place {
  /** A writer, with its device, or a file. */
  readonly name: string;
  readonly count: number;
  /** Of a writer the numbers of its missing events, of a file where the first one stands. */
  readonly detail: string;
}

export type FindingKind = VerifyProblem['kind'] | 'missing' | 'fork' | 'retired';

/** What each kind means and asks for; the gravest first. */
export const FINDING_WORDS: Record<
  FindingKind,
  { readonly means: string; readonly advice: string }
> = {
  missing: {
    means: 'events that were written and are not here',
    advice:
      'Let every device sync, then verify again; a copy of the missing file in the data folder mends it, under any name, and so does importing an export.',
  },
  content: {
    means: 'states that are not what was saved, for their hash does not fit',
    advice:
      'Trust them in nothing important, and look who can write to this vault; the next state saved under a new name is sound.',
  },
  seal: {
    means:
      'finished runs of lines that are not what their writer closed, though each line looks right',
    advice:
      'Somebody has written lines anew: look who can write to this vault, and compare with a backup or another device.',
  },
  stray: {
    means: 'states of a workspace that is not here, so that no list shows them',
    advice:
      'They are safe, and show again once the line that created their workspace is back: let every device sync, or import an export.',
  },
  edited: {
    means: 'lines that were changed by hand or by a program, and have no effect',
    advice:
      'Put the file back as it was, from another device or a backup; what the line said before then counts again.',
  },
  damaged: {
    means: 'lines that are torn or broken, and have no effect',
    advice:
      'If nothing is missing, all that they held is here in another copy, and there is nothing to do; else fetch the file from another device or a backup.',
  },
  waiting: {
    means: 'files that cannot be read now, or are not downloaded yet',
    advice:
      'Let the sync service download them, or give this program the right to read them, then verify again.',
  },
  newer: {
    means: 'lines that a newer Savepoint has written, and that this one does not understand',
    advice: 'They are safe, and count again once Savepoint is updated on this device.',
  },
  fork: {
    means:
      'events that bear a number which another event has too, as after a vault was copied or put back',
    advice:
      'All of them count, so there is nothing to do; if it goes on, see that no two computers use one state folder.',
  },
  marker: {
    means: 'lines that git has left after a conflict, and have no effect',
    advice:
      'Nothing is lost by them; resolve the conflict in git by keeping the lines of both sides.',
  },
  foreign: {
    means: 'lines that are no events of this log, and have no effect',
    advice:
      'Nothing depends on them; if a file is not from Savepoint, take it out of the data folder.',
  },
  pending: {
    means: 'last lines that are not whole yet',
    advice:
      'Another device may still be writing or syncing: verify again later; a line that stays so was never acknowledged, or is reported missing.',
  },
  retired: { means: 'events that were taken out on purpose', advice: 'There is nothing to do.' },
};

/** What was found, by kind, the gravest first; a file or a writer is one row, however much there is in it. */
export function findingsOf({
  writers,
  problems,
}: Pick<VerifyReport, 'writers' | 'problems'>): Finding[] {
  const places = new Map<FindingKind, Map<string, Place>>();
  const add = (kind: FindingKind, name: string, count: number, detail: string) => {
    const ofKind = places.get(kind) ?? new Map<string, Place>();
    const place = ofKind.get(name);
    places.set(
      kind,
      ofKind.set(name, {
        name,
        count: (place?.count ?? 0) + count,
        detail: place?.detail ?? detail,
      }),
    );
  };
  for (const { writer, device, missing, forks, retired } of writers) {
    const name = device === '' ? writer : `${writer} (${device})`;
    const gone = missing.reduce((sum, [from, to]) => sum + to - from + 1, 0);
    if (gone > 0) add('missing', name, gone, rangesText(missing));
    if (forks > 0) add('fork', name, forks, '');
    if (retired > 0) add('retired', name, retired, '');
  }
  for (const { kind, path, from } of problems)
    add(kind, path, 1, kind === 'waiting' ? '' : `at byte ${from}`);
  return Object.entries(FINDING_WORDS).flatMap(([key, words]) => {
    const kind = key as FindingKind;
    const rows = [...(places.get(kind)?.values() ?? [])].sort((a, b) =>
      compareText(a.name, b.name),
    );
    return rows.length > 0
      ? [{ kind, count: rows.reduce((sum, { count }) => sum + count, 0), places: rows, ...words }]
      : [];
  });
}

/** What a device told last, in words that follow its name. */
export function agreementText({ state, here, there }: Agreement): string {
  switch (state) {
    case 'agrees':
      return `agrees: it held the same ${there} events of others as are here`;
    case 'lags':
      return `lags: it held ${there} of the ${here} events of others that are here from before then`;
    case 'ahead':
      return `has more: it held ${there} events of others, and only ${here} from before then are here; let both sync, then verify again`;
    case 'differs':
      return `differs: it held ${there} events of others, as many as are here, but not the same; let both sync, then verify again`;
  }
}

const SHOWN_RANGES = 20;

/** `4, 7-9`; where there are very many, the first of them. */
export function rangesText(ranges: readonly (readonly [number, number])[]): string {
  const shown = ranges
    .slice(0, SHOWN_RANGES)
    .map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`));
  return [
    ...shown,
    ...(ranges.length > SHOWN_RANGES ? [`and ${ranges.length - SHOWN_RANGES} more`] : []),
  ].join(', ');
}
