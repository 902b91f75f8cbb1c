import { expect, it } from 'vitest';
import { readLink } from '../../../src/obsidian/links/read-link.js';

it('an unknown action is a problem that names it, without invisible characters', () => {
  expect(readLink('de\u202Elete', {})).toEqual({ problem: { kind: 'action', given: 'delete' } });
  expect(readLink('', {})).toEqual({ problem: { kind: 'action', given: '' } });
});

it('a parameter that is too long is a problem that names it', () => {
  expect(readLink('save', { name: 'x'.repeat(1001) })).toEqual({
    problem: { kind: 'tooLong', field: 'name', limit: 1000 },
  });
});

it('names are one line without invisible characters', () => {
  expect(readLink('resume', { state: ' Be\u200Bds\n', workspace: 'true\u0000' })).toMatchObject({
    request: { action: 'resume', state: 'Beds', workspace: 'true' },
  });
});

it('absent and empty parameters are undefined', () => {
  expect(readLink('resume', { state: ' ' })).toMatchObject({
    request: { state: undefined, workspace: undefined },
  });
});

it('steps and files are lines, and tags are separated by commas', () => {
  const read = readLink('save', {
    name: 'Beds',
    task: 'Plant',
    context: 'We drew\nthe beds.\u202E',
    next: 'Order\r\n\r\nPlant',
    files: 'a, b.md\nc.md',
    tags: 'garden, spring',
    description: 'South',
    other: 'ignored',
  });
  expect(read).toEqual({
    request: {
      action: 'save',
      workspace: undefined,
      state: undefined,
      content: {
        name: 'Beds',
        activeTask: 'Plant',
        conversationContext: 'We drew\nthe beds.',
        nextSteps: 'Order\nPlant',
        description: 'South',
        activeFiles: ['a, b.md', 'c.md'],
        tags: ['garden', 'spring'],
      },
    },
  });
});
