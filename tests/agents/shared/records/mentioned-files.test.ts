import { describe, expect, it } from 'vitest';
import { filesOfRecord } from '../../../../src/agents/shared/records/mentioned-files.js';
import type { ProjectRecord } from '../../../../src/model/records/record.js';

function filesIn(body: string): string[] {
  return [...filesOfRecord({ title: '', body, files: {} } as unknown as ProjectRecord)];
}

describe('the files that a record mentions', () => {
  it.each([
    ['Use [[Garden/Beds#Roses|roses]] and [[Pond]].', ['garden/beds', 'pond']],
    ['See src/a.ts, /src/b/c.test.ts. and Plan.md', ['src/a.ts', 'src/b/c.test.ts', 'plan']],
    ['https://example.org/guide.html', ['example.org/guide.html']],
    ['v1.2.Notes.md, x.mdx, e.g. this/that', ['notes']],
    ['[[open and src//lib/x.js', ['lib/x.js']],
    ['Résumé/Lebenslauf_1.md-old', ['résumé/lebenslauf_1']],
    ['[[a\nb]]', []],
  ])('are found in %j', (body, files) => {
    expect(filesIn(body)).toEqual(files);
  });
});
