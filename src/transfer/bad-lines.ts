import type { BadLine } from './import.js';

const PROBLEM_TEXTS: Record<BadLine['kind'], string> = {
  damaged: 'damaged',
  edited: 'changed after it was written: its checksum does not match',
  foreign: 'not an event of this log',
  marker: 'a git conflict marker',
  pending: 'incomplete',
  tooLong: 'longer than any line of the log',
};

/** Formats a row per run of equal problems: `savepoint-x.jsonl, lines 12-14: damaged`. */
export function badLineRows(badLines: readonly BadLine[]): string[] {
  return lineRuns(badLines).map(
    ({ file, kind, lines }) => `${file}, ${lines}: ${PROBLEM_TEXTS[kind]}`,
  );
}

/** Groups consecutive lines with the same problem. `lines` is like `lines 12-14` or `entry 12`. */
export function lineRuns<K>(
  problems: readonly {
    readonly file: string;
    readonly line: number;
    readonly kind: K;
    readonly isEntry?: boolean;
  }[],
): { file: string; kind: K; lines: string }[] {
  const runs: { file: string; kind: K; from: number; to: number; isEntry: boolean }[] = [];
  for (const { file, line, kind, isEntry = false } of problems) {
    const last = runs.at(-1);
    if (last?.file === file && last.kind === kind && last.to + 1 === line) last.to = line;
    else runs.push({ file, kind, from: line, to: line, isEntry });
  }
  return runs.map(({ file, kind, from, to, isEntry }) => {
    const [one, several] = isEntry ? ['entry', 'entries'] : ['line', 'lines'];
    return { file, kind, lines: from === to ? `${one} ${from}` : `${several} ${from}-${to}` };
  });
}
