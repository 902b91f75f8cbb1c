import fc from 'fast-check';
import { expect, it } from 'vitest';
import { alternatives, createThread, newestLeaf, pathTo } from '../../src/chat/thread.js';
import type { Message } from '../../src/model/message.js';

const message = (id: string, parentId?: string, minute = 0): Message => ({
  id,
  conversationId: 'c',
  parentId,
  role: 'user',
  parts: [],
  createdAt: `2026-11-20T09:${String(minute).padStart(2, '0')}:00.000Z`,
});
const ids = (list: readonly Message[]) => list.map(({ id }) => id);

const branched = [
  message('a', undefined, 0),
  message('b', 'a', 1),
  message('c', 'b', 2),
  message('d', 'a', 3),
  message('e', 'd', 4),
];

it('pathTo follows the newest branch by default', () => {
  expect(ids(pathTo(createThread(branched)))).toEqual(['a', 'd', 'e']);
});

it('pathTo includes an answer with the same time as its question', () => {
  expect(ids(pathTo(createThread([message('z', undefined, 0), message('a', 'z', 0)])))).toEqual([
    'z',
    'a',
  ]);
});

it('pathTo follows the chosen branch', () => {
  expect(ids(pathTo(createThread(branched), 'c'))).toEqual(['a', 'b', 'c']);
});

it('a thread finds the siblings of a message and the leaf of its branch', () => {
  const thread = createThread(branched);
  expect(ids(alternatives(thread, branched[1]!))).toEqual(['b', 'd']);
  expect([newestLeaf(thread, 'a'), newestLeaf(thread, 'b')]).toEqual(['e', 'c']);
});

it('a thread treats a message with a missing parent as a root', () => {
  const thread = createThread([message('x', 'missing', 1), message('a', undefined, 0)]);
  expect(ids(alternatives(thread, thread.messages.get('x')!))).toEqual(['a', 'x']);
  expect(ids(pathTo(thread))).toEqual(['x']);
});

it('a thread ends even if parents form a cycle, in any message order', () => {
  const anyMessage = fc.record({
    id: fc.constantFrom('a', 'b', 'c', 'd'),
    parent: fc.constantFrom('a', 'b', 'c', 'd', undefined),
    minute: fc.nat(3),
  });
  fc.assert(
    fc.property(fc.uniqueArray(anyMessage, { selector: ({ id }) => id }), (given) => {
      const list = given.map(({ id, parent, minute }) => message(id, parent, minute));
      const [one, other] = [createThread(list), createThread([...list].reverse())];
      expect(ids(pathTo(one))).toEqual(ids(pathTo(other)));
      for (const { id } of list) expect(newestLeaf(one, id)).toBe(newestLeaf(other, id));
    }),
  );
});
