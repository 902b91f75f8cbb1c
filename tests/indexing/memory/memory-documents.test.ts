import { describe, expect, it } from 'vitest';
import type { State } from '../../../src/model/state.js';
import type { Trace } from '../../../src/model/trace.js';
import { passageText } from '../../../src/search/documents/documents.js';
import { createIndex } from '../../../src/search/index.js';
import {
  documentToEmbed,
  memoryLabel,
  SESSION_LABEL,
  stateDocument,
  traceDocument,
} from '../../../src/indexing/memory/memory-documents.js';

const state: State = {
  id: 's1',
  workspaceId: 'w',
  sha: '',
  isArchived: false,
  createdAt: '2026-11-20T10:00:00.000Z',
  name: 'Beds drawn',
  conversationContext: 'Drew three by the wall',
  activeTask: 'Choose plants',
  activeFiles: ['Garden/Layout.md'],
  nextSteps: ['Ask Ana for seedlings'],
  description: 'A sketch',
  tags: ['spring'],
};
const trace: Trace = {
  workspaceId: 'w',
  sessionId: 'c',
  toolset: 'memoryManager',
  tool: 'createState',
  input: '{"name":"Beds"}',
  outcome: 'ok',
  isSuccess: true,
  goal: 'plan the year',
  createdAt: '2026-02-03T10:00:00.000Z',
};

describe('memory documents', () => {
  it('make a state searchable by every field and by its date', () => {
    const index = createIndex();
    index.put(stateDocument(state, state.name));
    for (const query of [
      'drawn',
      'wall',
      'plants',
      'layout',
      'seedlings',
      'sketch',
      'spring',
      '2026-11-20',
      '20 November',
    ]) {
      expect(index.search(query).map(({ key }) => key)).toEqual(['s1']);
    }
    expect(index.search('wall', { labels: [memoryLabel('state', 'w')] })).toHaveLength(1);
    expect(index.search('wall', { labels: [memoryLabel('state', 'other')] })).toHaveLength(0);
  });

  it('make a state searchable by its month', () => {
    const index = createIndex();
    index.put(
      stateDocument(
        { ...state, description: 'A sketch in pencil', createdAt: '2026-05-07T10:00:00.000Z' },
        state.name,
      ),
    );
    index.put(
      stateDocument({ ...state, id: 's0', createdAt: '2026-06-07T10:00:00.000Z' }, state.name),
    );
    expect(index.search('what was drawn in May').map(({ key }) => key)).toEqual(['s1', 's0']);
  });

  it('make a trace searchable by its call, then by its neighbors', () => {
    const index = createIndex();
    const next = { ...trace, tool: 'archiveState', input: '{"name":"Compost"}' };
    index.put(traceDocument('t1', trace, { before: [], after: [next] }));
    index.put(traceDocument('t2', next, { before: [trace], after: [] }));
    expect(index.search('beds').map(({ key }) => key)).toEqual(['t1', 't2']);
    expect(index.search('compost').map(({ key }) => key)).toEqual(['t2', 't1']);
    for (const query of ['createState', 'ok', 'year', 'February 2026'])
      expect(index.search(query).length).toBeGreaterThan(0);
    expect(index.search('beds', { labels: [memoryLabel('trace', 'w')] })).toHaveLength(2);
  });

  it('make a trace searchable by distant neighbors, without embedding them', () => {
    const index = createIndex();
    const [near, distant] = ['Compost', 'Seedlings'].map((name) => ({
      ...trace,
      tool: 'loadState',
      input: `{"name":"${name}"}`,
    })) as [Trace, Trace];
    const document = traceDocument('t1', trace, { before: [near, distant], after: [] });
    index.put(document);
    const found = (query: string) => index.search(query).map(({ key }) => key);
    expect([found('compost'), found('seedlings')]).toEqual([['t1'], ['t1']]);
    const texts = [document, documentToEmbed(document)].map(({ passages }) =>
      passageText(passages[0]!),
    );
    expect(texts.map((text) => [text.includes('Compost'), text.includes('Seedlings')])).toEqual([
      [true, true],
      [true, false],
    ]);
  });

  it('label a trace with its session', () => {
    const index = createIndex();
    index.put(traceDocument('t1', trace));
    index.put(traceDocument('t2', { ...trace, sessionId: 'other' }));
    index.put(traceDocument('t3', { ...trace, sessionId: '' }));
    expect(index.search('beds', { labels: [`${SESSION_LABEL}c`] }).map(({ key }) => key)).toEqual([
      't1',
    ]);
    expect(traceDocument('t3', { ...trace, sessionId: '' }).labels).toEqual([
      memoryLabel('trace', 'w'),
    ]);
  });

  it('have a hash that depends on neighbors and the name', () => {
    expect(traceDocument('t', trace).hash).not.toEqual(
      traceDocument('t', trace, { before: [trace], after: [] }).hash,
    );
    expect(stateDocument(state, 'a').hash).not.toEqual(stateDocument(state, 'b').hash);
    expect(stateDocument(state, 'a').hash).toEqual(stateDocument(state, 'a').hash);
  });

  it('embed neither who saved a state nor when', () => {
    const savedBy = { client: 'codex-cli', session: 's', model: 'gpt-7', device: 'Laptop' };
    const document = stateDocument({ ...state, savedBy }, 'Beds');
    const [text, embedded] = [document, documentToEmbed(document)].map(({ passages }) =>
      passageText(passages[0]!),
    );
    for (const word of ['codex-cli', 'gpt-7', 'Laptop', 'November'])
      expect([text?.includes(word), embedded?.includes(word)]).toEqual([true, false]);
  });

  it('split a long memory into passages that all have its short texts', () => {
    const words = Array.from({ length: 250 }, (_, at) => `word${at}`);
    const { passages } = stateDocument({ ...state, conversationContext: words.join(' ') }, 'Beds');
    const texts = passages.map(passageText);
    expect(passages).toHaveLength(3);
    for (const text of texts) expect(text).toMatch(/^Beds\. spring\. Choose plants\./);
    expect(texts.flatMap((text) => text.match(/word\d+/g) ?? [])).toEqual(words);
  });

  it('keep a long memory whole that has only short texts', () => {
    const words = (name: string) => Array.from({ length: 25 }, (_, at) => `${name}${at}`).join(' ');
    const short = {
      conversationContext: words('context'),
      activeTask: words('task'),
      nextSteps: [words('step')],
      description: words('description'),
    };
    const { passages } = stateDocument({ ...state, ...short }, words('name'));
    expect(passages).toHaveLength(1);
    for (const name of ['context24', 'task24', 'step24', 'description24', 'name24'])
      expect(passageText(passages[0]!)).toContain(name);
  });

  it('split a long memory in a script without spaces', () => {
    const conversationContext = '雨水と庭の計画'.repeat(60);
    const { passages } = stateDocument({ ...state, conversationContext }, 'Beds');
    expect(passages.length).toBeGreaterThan(1);
    const found = passages.flatMap((passage) => passage.filter(({ name }) => name === 'text'));
    expect(found.map(({ text }) => text).join('')).toBe(conversationContext);
  });

  it('take only the first words of a neighbour', () => {
    const input = Array.from({ length: 90 }, (_, at) => `word${at}`).join(' ');
    const neighbours = { before: [{ ...trace, tool: 'search', input }], after: [] };
    const text = traceDocument('k', trace, neighbours).passages.map(passageText).join(' ');
    expect(text).toContain('word20');
    expect(text).not.toContain('word60');
  });
});
