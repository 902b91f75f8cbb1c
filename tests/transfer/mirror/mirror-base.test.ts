import { describe, expect, it } from 'vitest';
import {
  isUntouchedBase,
  mirrorBase,
  mirrorBasePath,
} from '../../../src/transfer/mirror/mirror-base.js';
import { parseYaml } from '../../host/obsidian/yaml.js';

describe('the base of the notes', () => {
  it('shows open questions and decisions by workspace', async () => {
    expect(mirrorBasePath('Savepoint/notes')).toBe('Savepoint/notes/Savepoint.base');
    const base = parseYaml(await mirrorBase('Savepoint/notes')) as {
      filters: { and: string[] };
      views: { name: string; filters: { and: string[] }; groupBy: { property: string } }[];
    };
    expect(base.filters.and).toEqual(['file.inFolder("Savepoint/notes")', 'archived == false']);
    const filtersOf = (name: string) => base.views.find((view) => view.name === name)?.filters.and;
    expect(filtersOf('Open questions')).toEqual(['kind == "question"', 'status == "open"']);
    expect(filtersOf('Decisions')).toEqual(['kind == "decision"', 'status == "open"']);
    for (const { groupBy } of base.views) expect(groupBy.property).toBe('note.workspace');
  });

  it('quotes a folder with special characters', async () => {
    const base = parseYaml(await mirrorBase(`Mara's "log"/notes`)) as {
      filters: { and: string[] };
    };
    expect(base.filters.and[0]).toBe(String.raw`file.inFolder("Mara's \"log\"/notes")`);
  });

  it('is untouched until someone changes it', async () => {
    const text = await mirrorBase('Savepoint/notes');
    expect(await isUntouchedBase(text)).toBe(true);
    expect(await isUntouchedBase(text.replaceAll('\n', '\r\n'))).toBe(true);
    expect(await isUntouchedBase(text.replace('Decisions', 'My decisions'))).toBe(false);
    expect(await isUntouchedBase(text.slice(text.indexOf('\n') + 1))).toBe(false);
  });
});
