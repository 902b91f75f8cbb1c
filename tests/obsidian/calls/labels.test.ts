import { expect, onTestFinished, test } from 'vitest';
import { labelOf } from '../../../src/obsidian/calls/labels.js';
import { chooseLanguage, text } from '../../../src/obsidian/i18n/index.js';
import { inputSchema } from '../../../src/toolkit/schema.js';
import { allTools } from '../../../src/toolkit/toolkit.js';
import { createTestVault } from '../../fakes/test-vault.js';

const { toolkit } = createTestVault();
const writing = allTools(toolkit)
  .map(({ tool }) => tool)
  .filter(({ access }) => access !== 'read');
const params = writing.flatMap((tool) => Object.keys(inputSchema(tool)['properties'] ?? {}));

test('a parameter has the label of its field in a form, else its words', () => {
  expect(labelOf('conversationContext')).toBe(text.commands.saveState.labels.conversationContext);
  expect(labelOf('isArchived')).toBe('Is archived');
  expect(labelOf('constructor')).toBe('Constructor');
});

test('what a person approves has German labels', () => {
  const english = new Map(params.map((name) => [name, labelOf(name)]));
  chooseLanguage('de');
  onTestFinished(() => chooseLanguage('en'));
  const alike = params.filter((name) => labelOf(name) === english.get(name));
  const sameInGerman = ['name', 'phase', 'status', 'tags', 'workflows'];
  expect([...new Set(alike)].toSorted()).toEqual(sameInGerman);
  const titles = writing.filter(({ name, title }) => text.calls.label(name, title) === title);
  expect(titles.map(({ name }) => name)).toEqual([]);
});
