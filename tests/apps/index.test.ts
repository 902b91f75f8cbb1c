import { expect, it } from 'vitest';
import {
  AI_APPS,
  appsWith,
  displayName,
  idsWith,
  partsOf,
  saverName,
} from '../../src/apps/index.js';
import { APP_FACTS } from '../fakes/app-facts.js';
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

it('every app with a config has facts in tests/fakes/app-facts.ts, with its list', () => {
  const lists = appsWith('config').map(({ id, config }) => [id, config.list !== undefined]);
  const facts = Object.entries(APP_FACTS).map(([id, { list }]) => [id, list !== undefined]);
  expect(Object.fromEntries(facts)).toEqual(Object.fromEntries(lists));
});

it('every app with hooks has transcripts in tests/fakes/transcripts.ts', () => {
  expect(idsWith('hooks')).toEqual(CAPTURED_CLIENTS);
});

it('partsOf returns what the apps have, in their order', () => {
  expect(partsOf('acp')).toEqual(AI_APPS.flatMap(({ acp }) => acp ?? []));
  expect(partsOf('acp')).not.toEqual([]);
});
