import { expect, it } from 'vitest';
import { fitSections } from '../../src/brief/fit-sections.js';

it('makes no more lines than fit, but the first that does not', () => {
  const made: string[] = [];
  const linesOf = (name: string) =>
    Array.from({ length: 100 }, (_, at) => () => {
      made.push(`${name} ${at}`);
      return `> ${name} ${at}`;
    });
  const sections = ['one', 'two'].map((heading) => ({
    heading,
    lines: linesOf(heading),
    total: 100,
    minimum: 2,
  }));
  for (let budget = 10; budget < 200; budget++) {
    made.length = 0;
    const text = fitSections('Title', sections, budget);
    const shown = text.split('\n').filter((line) => line.startsWith('> '));
    expect(shown.every((line) => made.includes(line.slice(2)))).toBe(true);
    expect(new Set(made).size, `${budget}`).toBe(made.length);
    expect(made.length).toBeLessThanOrEqual(shown.length + sections.length);
  }
});
