import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const SECRET = 'the "door" opens with Xq7-umbrella-violin';

/** The secret as it may be in a file: as it is, escaped in JSON, and at each offset in base64. */
const FORMS = [
  SECRET,
  JSON.stringify(SECRET).slice(1, -1),
  JSON.stringify(JSON.stringify(SECRET).slice(1, -1)).slice(1, -1),
  ...[0, 1, 2].map((offset) =>
    Buffer.from(`${'x'.repeat(offset)}${SECRET}`)
      .toString('base64')
      .slice(4, -4),
  ),
  'umbrella-violin',
];

/** Asks nothing about the files it lists, since a program at work may remove them meanwhile. */
export function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
}

/** Returns the files in the folders that contain any form of the secret. */
export function filesWithSecret(...folders: readonly string[]): string[] {
  return folders.flatMap(filesBelow).filter((path) => {
    const bytes = readFileSync(path);
    return FORMS.some((form) => bytes.includes(form));
  });
}
