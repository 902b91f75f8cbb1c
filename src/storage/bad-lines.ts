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
  const runs: { file: string; kind: BadLine['kind']; from: number; to: number }[] = [];
  for (const { file, line, kind } of badLines) {
    const last = runs.at(-1);
    if (last?.file === file && last.kind === kind && last.to + 1 === line) last.to = line;
    else runs.push({ file, kind, from: line, to: line });
  }
  return runs.map(({ file, kind, from, to }) => `${file}, ${from === to ? `line ${from}` : `lines ${from}-${to}`}: ${WORDS[kind]}`);
}
