import { describe, expect, it } from 'vitest';
import { detectPrograms } from '../../../src/transfer/foreign/detect.js';
import { createReadStats } from '../../../src/transfer/foreign/foreign-memory.js';
import {
  graphItemOf,
  readGraphItems,
  type GraphItem,
} from '../../../src/transfer/foreign/graph-items.js';
import { fileOf } from './nexus-vault.js';

const ada = { name: 'Ada', entityType: 'person', observations: ['likes tea'] };
const knows = { from: 'Ada', to: 'Ben', relationType: 'knows' };
const ADA: GraphItem = { entity: { name: 'Ada', type: 'person', observations: ['likes tea'] } };
const KNOWS: GraphItem = { relation: { from: 'Ada', to: 'Ben', type: 'knows' } };

describe('graphItemOf', () => {
  it.each([
    { type: 'entity', ...ada },
    ada,
    { ...ada, type: null, id: 5, weight: 2, createdAt: '2025-01-01', version: 1 },
    { name: 'Ada', entity_type: 'person', observations: ['likes tea'] },
    { name: 'Ada', type: 'person', observations: ['likes tea'] },
    { ...ada, observations: [{ content: 'likes tea', timestamp: 5 }] },
    { ...ada, observations: [{ text: 'likes tea', source: 'chat' }] },
  ])('reads the entity %j', (value) => {
    expect(graphItemOf(value)).toEqual(ADA);
  });

  it.each([
    [{ type: 'entity', name: 'Ada', observations: [] }, ''],
    [{ ...ada, entityType: null, observations: [] }, ''],
    [{ name: 'Ada', entityType: 'person' }, 'person'],
  ])('reads the entity %j without some fields', (value, type) => {
    expect(graphItemOf(value)).toEqual({ entity: { name: 'Ada', type, observations: [] } });
  });

  it.each([
    [{ ...ada, name: 5 }, { name: '5' }],
    [{ ...ada, entityType: 7 }, { type: '7' }],
    [
      { ...ada, entityType: {} },
      { type: '', oddValues: 1 },
    ],
    [{ ...ada, observations: 'likes tea' }, {}],
    [
      { ...ada, observations: [{ text: 'likes tea' }, 5, null, {}, true] },
      { observations: ['likes tea', '5', 'true'], oddValues: 2 },
    ],
    [
      { type: 'entity', name: 'Ada', observations: [null] },
      { type: '', observations: [], oddValues: 1 },
    ],
  ])('keeps what is readable in the entity %j', (value, entity) => {
    const { name, observations } = ada;
    expect(graphItemOf(value)).toEqual({
      entity: { name, type: 'person', observations, ...entity },
    });
  });

  it.each([
    { type: 'relation', ...knows },
    knows,
    { ...knows, id: 5, strength: 0.5 },
    { from_entity: 'Ada', to_entity: 'Ben', relation_type: 'knows' },
    { type: 'relation', from_entity: 'Ada', to_entity: 'Ben', relationType: 'knows' },
    { fromEntity: 'Ada', toEntity: 'Ben', relationType: 'knows' },
    { source: 'Ada', target: 'Ben', relation: 'knows' },
  ])('reads the relation %j', (value) => {
    expect(graphItemOf(value)).toEqual(KNOWS);
  });

  it.each([
    { ...ada, name: ['Ada'] },
    { name: 'Ada', type: 'person', observations: 'one' },
    { name: 'Ada', type: 'person', observations: [null] },
    { ...ada, type: 'relation' },
    { type: 'entity', name: 'No type' },
    { name: 'package', type: 'module', version: '1' },
    { ...knows, to: 5 },
    { ...knows, type: 'entity' },
    { from: 'a@x.org', to: 'b@x.org', subject: 'Hello' },
    { type: '_aim', source: 'mcp-knowledge-graph' },
  ])('reads nothing from %j', (value) => {
    expect(graphItemOf(value)).toBeUndefined();
  });
});

const graph = { entities: [ada], relations: [knows] };
const answer = {
  content: [{ type: 'text', text: JSON.stringify(graph, undefined, 2) }],
  structuredContent: graph,
};
const all = [ADA, KNOWS];

async function read(content: string | Uint8Array) {
  const stats = createReadStats();
  const items: GraphItem[] = [];
  const file = fileOf('graph.json', content);
  for await (const { item } of readGraphItems(file, stats)) items.push(item);
  const { read, recognized, troubles } = stats;
  return {
    programs: detectPrograms([file]),
    items,
    read,
    recognized,
    troubles: troubles.map(({ line, kind, isEntry }) => [isEntry ? 'entry' : 'line', line, kind]),
  };
}

function utf16(text: string): Uint8Array {
  const units = Uint16Array.from(`\ufeff${text}`, (each) => each.charCodeAt(0));
  return new Uint8Array(units.buffer);
}

describe('readGraphItems', () => {
  it.each<[string, string | Uint8Array, GraphItem[]]>([
    ['lines', `${JSON.stringify(ada)}\n${JSON.stringify(knows)}\n`, all],
    ['an answer on one line', JSON.stringify(graph), all],
    ['an answer over several lines', JSON.stringify(graph, undefined, 2), all],
    ['an answer with CRLF', JSON.stringify(graph, undefined, '\t').replaceAll('\n', '\r\n'), all],
    ['an answer in UTF-16', utf16(JSON.stringify(graph, undefined, 2)), all],
    ['relations first', JSON.stringify({ relations: [knows], entities: [ada] }), [KNOWS, ADA]],
    ['a list of lines', JSON.stringify([{ type: 'entity', ...ada }, knows]), all],
    ['lists of graphs', JSON.stringify([graph, graph]), [...all, ...all]],
    ['a graph per line', `${JSON.stringify(graph)}\n${JSON.stringify(graph)}`, [...all, ...all]],
    [
      'lines over several lines',
      [ada, knows].map((each) => JSON.stringify(each, undefined, 2)).join('\n'),
      all,
    ],
    ['the text of an answer', JSON.stringify({ content: answer.content }), all],
    ['an answer with its structure', JSON.stringify(answer), [...all, ...all]],
    [
      'a whole response',
      JSON.stringify({ jsonrpc: '2.0', id: 3, result: { content: answer.content } }),
      all,
    ],
    ['the contents of an answer', JSON.stringify(answer.content), all],
  ])('reads %s', async (_what, content, items) => {
    expect(await read(content)).toEqual({
      programs: ['server-memory'],
      items,
      read: items.length,
      recognized: items.length,
      troubles: [],
    });
  });

  it('reports the entries of a document that it cannot read', async () => {
    const text =
      '{"entities":[{"name":"A","observations":[]},{"name":5},{"name" "B"},{"a":[[[1]]]}],';
    expect(await read(text)).toMatchObject({
      programs: ['server-memory'],
      items: [{ entity: { name: 'A' } }],
      read: 5,
      recognized: 1,
      troubles: [
        ['entry', 2, 'foreign'],
        ['entry', 3, 'damaged'],
        ['entry', 4, 'foreign'],
        ['entry', 5, 'damaged'],
      ],
    });
  });

  it('reads a document of several chunks', async () => {
    const entities = Array.from({ length: 2000 }, (_, at) => ({
      ...ada,
      name: `Ada ${at} ${'x'.repeat(300)}`,
    }));
    const { items, troubles } = await read(JSON.stringify({ entities, relations: [knows] }));
    expect(items).toHaveLength(2001);
    expect(troubles).toEqual([]);
  });

  it('is not chosen for an empty graph or another document', async () => {
    for (const text of ['{}', '[]', '{\n  "name": "x"\n}', '[{"uuid":"a","chat_messages":[]}]'])
      expect((await read(text)).programs).toEqual([]);
    expect(await read('{"entities":[],"relations":[]}')).toMatchObject({ items: [], read: 0 });
  });
});
