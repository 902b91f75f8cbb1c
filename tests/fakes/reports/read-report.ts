import { readFileSync } from 'node:fs';

/** Reads a file like those with which other programs surprised importers. */
export function readReport(name: string): string {
  return readFileSync(new URL(name, import.meta.url), 'utf8');
}
