import { expect, it } from 'vitest';
import { AI_APPS, displayName, idsWith, partsOf, saverName } from '../../src/apps/index.js';
import { CAPTURED_CLIENTS } from '../fakes/transcripts.js';

const by = { client: 'claude-code', session: 's1', device: 'Laptop' };

it('an app has the same title under all of its names, which no other app has', () => {
  const names = AI_APPS.flatMap(({ id, title, clientNames = [] }) =>
    [id, ...clientNames].map((name) => {
      expect(displayName(name)).toBe(title);
      return name;
    }),
  );
  expect(names).toEqual([...new Set(names)]);
  expect(displayName('some-client')).toBe('some-client');
  expect(displayName()).toBe('');
});

it('saverName shows the title of a known client and the model', () => {
  expect(saverName({ ...by, model: 'm1' })).toBe('Claude Code (m1)');
  expect(saverName(by)).toBe('Claude Code');
});

it('every app with hooks has transcripts to test its parser with', () => {
  expect(idsWith('hooks')).toEqual(CAPTURED_CLIENTS);
});

it('partsOf returns what the apps have, in their order', () => {
  expect(partsOf('acp').map(({ command }) => command)).toEqual([
    'claude-agent-acp',
    'codex-acp',
    'gemini',
    'opencode',
    'goose',
  ]);
});
