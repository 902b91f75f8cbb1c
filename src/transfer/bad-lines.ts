import type { BadLine } from './import.js';

const WORDS: Record<BadLine['kind'], string> = {
  damaged: 'damaged',
  edited: 'changed since it was written: its checksum does not fit',
  foreign: 'no event of this log',
  marker: "one of git's conflict markers",
  pending: 'cut off in its middle',
};

/** `savepoint-x.jsonl, lines 12-14: damaged`: a row for each run of lines with the same trouble. */
export function badLineRows(badLines: readonly BadLine[]): string[] {
  return lineRuns(badLines).map(({ file, kind, lines }) => `${file}, ${lines}: ${WORDS[kind]}`);
}

/** Runs of lines with the same trouble, each with its numbers: `line 12`, `lines 12-14`. */
export function lineRuns<K>(
  troubles: readonly { readonly file: string; readonly line: number; readonly kind: K }[],
): { file: string; kind: K; lines: string }[] {
  const runs: { file: string; kind: K; from: number; to: number }[] = [];
  for (const { file, line, kind } of troubles) {
    const last = runs.at(-1);
    if (last?.file === file && last.kind === kind && last.to + 1 === line) last.to = line;
    else runs.push({ file, kind, from: line, to: line });
  }
  return runs.map(({ file, kind, from, to }) => ({
    file,
    kind,
    lines: from === to ? `line ${from}` : `lines ${from}-${to}`,
  }));
}
