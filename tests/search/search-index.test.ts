import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hashText } from '../../src/platform/bytes/hash.js';
import { runToEnd } from '../../src/platform/run-sliced.js';
import type { SearchDocument } from '../../src/search/documents/documents.js';
import { createIndex, openIndex, type SearchIndex } from '../../src/search/index.js';

function documentOf(key: string, text: string, more: Partial<SearchDocument> = {}): SearchDocument {
  const passages = text.split('|').map((part) => [
    { name: 'title', text: key, weight: 2 },
    { name: 'text', text: part, weight: 1 },
  ]);
  return { key, hash: hashText(text, [more.time ?? 0, 0]), time: 0, labels: [], passages, ...more };
}

function indexOf(texts: Readonly<Record<string, string>>): SearchIndex {
  const index = createIndex();
  for (const [key, text] of Object.entries(texts)) index.put(documentOf(key, text));
  return index;
}

const keysOf = (index: SearchIndex, query: string, options = {}) =>
  index.search(query, options).map(({ key }) => key);

function reopen(index: SearchIndex, blobsByName: Map<string, Uint8Array>): SearchIndex {
  const { manifest, blobs, obsolete } = index.flush();
  for (const { name, bytes } of blobs) blobsByName.set(name, bytes);
  for (const name of obsolete) blobsByName.delete(name);
  const opened = openIndex(JSON.parse(JSON.stringify(manifest)) as typeof manifest, blobsByName);
  if (!('index' in opened)) throw new Error(`${opened.damaged} ${opened.problem}`);
  return opened.index;
}

function mergeAll(index: SearchIndex): void {
  runToEnd(index.mergeSteps());
}

describe('an index', () => {
  it('knows which words occur, in any form, and in which language most documents are', () => {
    const index = indexOf({ a: 'The roses by the wall were cut', b: 'Melanie and the roses' });
    expect(['rose', 'roses', 'melanie', 'tulip'].map((word) => index.hasWord(word, 0))).toEqual([
      true,
      true,
      true,
      false,
    ]);
    expect([index.isMostlyIn(0), index.isMostlyIn(1)]).toEqual([true, false]);
    index.remove('a');
    index.put(documentOf('a', 'Das ist der Garten, und die Rosen sind nicht mehr da'));
    index.put(documentOf('c', 'Die Rosen und der Garten, wie sie waren'));
    expect([index.isMostlyIn(0), index.isMostlyIn(1)]).toEqual([false, true]);
    expect(createIndex().isMostlyIn(0)).toBe(true);
  });

  it('finds a document that was just added', () => {
    const index = indexOf({ a: 'roses by the wall' });
    index.put(documentOf('b', 'tulips by the door'));
    expect(keysOf(index, 'tulip')).toEqual(['b']);
  });

  it('finds a changed document by its new words only', () => {
    const index = indexOf({ a: 'roses', b: 'tulips' });
    index.search('roses');
    index.put(documentOf('a', 'lilies'));
    expect(keysOf(index, 'roses')).toEqual([]);
    expect(keysOf(index, 'lilies')).toEqual(['a']);
    expect(index.size()).toBe(2);
  });

  it('ignores a document with the same hash', () => {
    const index = indexOf({ a: 'roses' });
    expect(index.put(documentOf('a', 'roses'))).toBe(false);
    expect(index.hashOf('a')).toEqual(hashText('roses'));
    expect(index.hashOf('b')).toBeUndefined();
  });

  it('does not find a removed document', () => {
    const index = indexOf({ a: 'roses', b: 'roses too' });
    index.search('roses');
    expect(index.remove('a')).toBe(true);
    expect(index.remove('a')).toBe(false);
    expect(keysOf(index, 'roses')).toEqual(['b']);
    expect(index.keys()).toEqual(['b']);
  });

  it('ranks rarer words, titles and shorter texts first', () => {
    expect(
      keysOf(indexOf({ a: 'common', b: 'rare', c: 'common', d: 'common' }), 'common rare')[0],
    ).toBe('b');
    expect(keysOf(indexOf({ a: 'about roses', roses: 'about it' }), 'roses')[0]).toBe('roses');
    expect(
      keysOf(indexOf({ a: 'roses and many other words nearby', b: 'roses here' }), 'roses')[0],
    ).toBe('b');
  });

  it('returns the best passage and a score relative to the best hit', () => {
    const hits = indexOf({
      a: 'tulips|roses by the wall|oaks',
      b: 'roses and a lot of other things that grow',
    }).search('roses');
    expect(hits[0]).toMatchObject({
      key: 'a',
      passage: 1,
      score: 1,
      isKeywordMatch: true,
      isSemanticMatch: false,
    });
    expect(hits[1]!.score).toBeLessThan(1);
  });

  it('ranks adjacent words above distant ones', () => {
    const apart = 'auth was slow and then after a day the module came';
    const together = 'it was slow and then after a day the auth module came';
    expect(keysOf(indexOf({ a: apart, b: `${together}` }), 'auth module')[0]).toBe('b');
  });

  it('matches stems, and ignores accents and case', () => {
    const index = indexOf({ a: 'The connections were CAFÉ-like, naïve' });
    for (const query of ['connection', 'connecting', 'cafe', 'Café', 'NAIVE'])
      expect(keysOf(index, query)).toEqual(['a']);
  });

  it('ignores stop words unless there are no other words', () => {
    const index = indexOf({ a: 'what is it and where', b: 'the roses' });
    expect(keysOf(index, 'what about roses')).toEqual(['b']);
    expect(keysOf(index, 'what is it')).toEqual(['a']);
  });

  it('corrects only words that do not occur', () => {
    const index = indexOf({ a: 'authentication module', b: 'a form of art', c: 'a from of it' });
    expect(keysOf(index, 'authentcation')).toEqual(['a']);
    expect(keysOf(index, 'form')).toEqual(['b']);
  });

  describe('completes words', () => {
    const index = indexOf({
      a: 'authentication token of the wall',
      b: 'authorize the garden',
      c: 'connections to a wall',
      d: 'wallpaper',
    });

    it('that are cut short, the last and any other', () => {
      expect(keysOf(index, 'auth').sort()).toEqual(['a', 'b']);
      expect(keysOf(index, 'authent wall')[0]).toBe('a');
      expect(keysOf(index, 'connectio')).toEqual(['c']);
      expect(keysOf(index, 'to', { isTyping: true })).toContain('a');
    });

    it('and ranks the whole word first', () => {
      const found = keysOf(index, 'wall');
      expect(found).toHaveLength(3);
      expect(found.at(-1)).toBe('d');
    });

    it('but not one that ends with punctuation, or that is the last of many', () => {
      expect(keysOf(index, 'wall?').sort()).toEqual(['a', 'c']);
      expect(keysOf(index, 'one two three four five six wall').sort()).toEqual(['a', 'c']);
    });

    it('rather than correct them', () => {
      const near = indexOf({ a: 'planning the garden', b: 'plant' });
      expect(keysOf(near, 'plann garden')[0]).toBe('a');
    });
  });

  it('supports phrases, unwanted words and alternatives', () => {
    const index = indexOf({ a: 'the red rose here', b: 'a rose so red', c: 'red wine' });
    expect(keysOf(index, '"red rose"')).toEqual(['a']);
    expect(keysOf(index, 'red -rose')).toEqual(['c']);
    expect(keysOf(index, 'red -"red rose"').sort()).toEqual(['b', 'c']);
    expect(keysOf(index, '"red rose" OR wine').sort()).toEqual(['a', 'c']);
  });

  it('falls back to words if a phrase does not occur', () => {
    expect(keysOf(indexOf({ a: 'a rose so red' }), '"red rose"')).toEqual(['a']);
  });

  it('filters by label, path, file name, folder and date', () => {
    const index = createIndex();
    index.put(
      documentOf('Garden/Beds.md', 'rose', {
        labels: ['tag:plants', 'property:status', 'property:status=done'],
        time: 100,
      }),
    );
    index.put(documentOf('Garden Shed/Tools.md', 'rose', { time: 200 }));
    expect(keysOf(index, 'rose tag:#plants')).toEqual(['Garden/Beds.md']);
    expect(keysOf(index, 'rose -tag:plants')).toEqual(['Garden Shed/Tools.md']);
    expect(keysOf(index, '[status:done]')).toEqual(['Garden/Beds.md']);
    expect(keysOf(index, '[status] rose')).toEqual(['Garden/Beds.md']);
    expect(keysOf(index, '[status:open] rose')).toEqual([]);
    expect(keysOf(index, 'rose path:shed')).toEqual(['Garden Shed/Tools.md']);
    expect(keysOf(index, 'rose file:"beds"')).toEqual(['Garden/Beds.md']);
    expect(keysOf(index, 'rose file:garden')).toEqual([]);
    expect(keysOf(index, 'rose', { keyPrefix: 'Garden/' })).toEqual(['Garden/Beds.md']);
    expect(keysOf(index, 'rose', { labels: ['tag:plants'] })).toEqual(['Garden/Beds.md']);
    expect(keysOf(index, 'rose', { from: 150 })).toEqual(['Garden Shed/Tools.md']);
    expect(keysOf(index, 'rose', { to: 150 })).toEqual(['Garden/Beds.md']);
  });

  it('orders equal hits by time if asked for, otherwise by key', () => {
    const index = createIndex();
    index.put(documentOf('n1', 'rose', { time: 1 }));
    index.put(documentOf('n2', 'rose', { time: 2 }));
    expect(keysOf(index, 'rose', { newestFirst: true })).toEqual(['n2', 'n1']);
    expect(keysOf(index, 'rose')).toEqual(['n1', 'n2']);
  });

  it('returns at most the requested number of hits', () => {
    const index = indexOf(
      Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`n${at}`, 'rose'])),
    );
    expect(index.search('rose')).toHaveLength(20);
    expect(index.search('rose', { limit: 3 })).toHaveLength(3);
  });

  describe('with deduplication', () => {
    const long = Array.from(
      { length: 60 },
      (_, at) => `${['rose', 'tulip', 'oak', 'wall', 'bed'][at % 5]!}${at}`,
    ).join(' ');
    const other = Array.from(
      { length: 60 },
      (_, at) => `${['shed', 'door', 'path', 'roof'][at % 4]!}${at} rose0`,
    ).join(' ');
    const deduplicated = (index: SearchIndex, query: string, options = {}) =>
      index
        .search(query, { isDeduplicated: true, ...options })
        .map(({ key, duplicateKeys: also }) => [key, ...also]);

    it('lists near-duplicates with the best hit', () => {
      const index = indexOf({
        n1: long,
        n2: long.replace('oak2 ', 'elm2 '),
        n3: other,
        n4: long.toUpperCase(),
      });
      expect(deduplicated(index, 'rose0 tulip1')).toEqual([['n1', 'n2', 'n4'], ['n3']]);
      expect(
        index.search('rose0 tulip1').map(({ key, duplicateKeys: also }) => [key, ...also]),
      ).toEqual([['n1'], ['n2'], ['n4'], ['n3']]);
    });

    it('keeps short texts, and texts with the same words in another order', () => {
      expect(deduplicated(indexOf({ a: 'a rose', b: 'a rose' }), 'rose')).toEqual([['a'], ['b']]);
      const turned = long.split(' ').reverse().join(' ');
      expect(deduplicated(indexOf({ a: long, b: turned }), 'rose0')).toEqual([['a'], ['b']]);
    });

    it('ranks more documents if most are duplicates', () => {
      const index = indexOf(
        Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`n${at}`, long])),
      );
      index.put(documentOf('other', other));
      const hits = index.search('tulip1 rose0', { isDeduplicated: true, limit: 2 });
      expect(hits.map(({ key }) => key)).toEqual(['n0', 'other']);
      expect(hits[0]!.duplicateKeys).toHaveLength(299);
    });

    it('returns every document for a query with only conditions', () => {
      const index = createIndex();
      for (const key of ['a', 'b']) index.put(documentOf(key, long, { labels: ['tag:plants'] }));
      expect(deduplicated(index, 'tag:plants')).toEqual([['a'], ['b']]);
      expect(deduplicated(index, 'tag:plants rose0')).toEqual([['a', 'b']]);
    });

    it('deduplicates hits found only by semantic scores', () => {
      const index = indexOf({ a: long, b: long });
      const nearest = ['a', 'b'].map((key) => ({ key, passage: 0 }));
      expect(
        deduplicated(index, '', { semanticScores: { similarity: () => 0.5, nearest } }),
      ).toEqual([['a', 'b']]);
    });
  });

  it('fuses keyword and semantic hits', () => {
    const index = indexOf({ a: 'rose rose', b: 'a rose and more', c: 'a flower', d: 'an oak' });
    const values: Record<string, number> = { b: 0.9, c: 0.5 };
    const semanticScores = {
      similarity: (key: string) => values[key] ?? 0,
      nearest: [
        { key: 'c', passage: 0 },
        { key: 'deleted', passage: 0 },
      ],
    };
    const hits = index.search('rose', { semanticScores });
    expect(hits.map(({ key }) => key)).toEqual(['b', 'a', 'c']);
    expect(hits[2]).toMatchObject({ isKeywordMatch: false, isSemanticMatch: true });
    expect(index.search('rose -flower', { semanticScores }).map(({ key }) => key)).toEqual([
      'b',
      'a',
    ]);
  });

  describe('never ranks by a weak or missing meaning', () => {
    const scoresOf = (values: Record<string, number>) => ({
      similarity: (key: string) => values[key],
      nearest: Object.keys(values).map((key) => ({ key, passage: 0 })),
    });
    const index = indexOf({
      a: 'red rose in a pot of clay',
      b: 'a rose by the old wall behind the shed',
      c: 'an oak and a wall',
    });
    const orderWith = (query: string, values: Record<string, number>) =>
      keysOf(index, query, { semanticScores: scoresOf(values) });

    it('judges a note without vectors by its keywords', () => {
      expect(orderWith('red rose wall', { b: 0.3, c: 0.5 })[0]).toBe('a');
    });

    it('does not stretch a weak similarity to the best', () => {
      const roses = indexOf({
        a: 'rose, rose and rose',
        b: 'many other words about an old garden wall, and a rose behind the shed',
      });
      const semanticScores = scoresOf({ a: 0, b: 0.05 });
      expect(keysOf(roses, 'roses', { semanticScores })[0]).toBe('a');
    });

    it('counts meaning little if a note contains the query as it is', () => {
      const others = Array.from({ length: 40 }, (_, at) => [`${at}`, 'an oak by a wall'] as const);
      const pots = indexOf({
        ...Object.fromEntries(others),
        a: 'a red rose in a pot of clay',
        b: 'a pot for some rose, which may be red, and another one of clay for an oak',
      });
      const semanticScores = scoresOf({ a: 0.2, b: 0.5 });
      expect(keysOf(pots, 'red rose in a pot of clay', { semanticScores })[0]).toBe('a');
    });
  });

  it('returns the same hits if the search is interrupted', () => {
    const index = indexOf({ a: 'rose', b: 'rose and oak' });
    const paused = index.searchSteps('rose oak');
    paused.next();
    index.search('oak');
    let step = paused.next();
    while (!step.done) step = paused.next();
    expect(step.value).toEqual(index.search('rose oak'));
  });

  it.each([
    '',
    ' ',
    '"',
    '-',
    '(((',
    '""',
    '-""',
    'tag:',
    'path:',
    '[',
    '[]',
    '[:]',
    'OR',
    'OR OR',
    '- -',
    '\0',
    '\ud800',
    'x'.repeat(10_000),
    'word '.repeat(2_000),
    '"'.repeat(10_000),
  ])('accepts the query %j', (query) => {
    expect(Array.isArray(indexOf({ a: 'word', b: 'xx' }).search(query))).toBe(true);
    expect(Array.isArray(indexOf({}).search(query, { isTyping: true }))).toBe(true);
  });

  it.each([
    ['Chinese', '我们在花园里种了三种玫瑰', '玫瑰'],
    ['Japanese', '東京都の庭にバラを植えました', 'バラ'],
    ['a single Chinese character', '我们在花园里种花', '园'],
    ['Korean', '서울에서 장미를 심었다', '장미'],
    ['Thai', 'เราปลูกกุหลาบในสวน', 'กุหลาบ'],
    ['Khmer', 'យើងបានដាំផ្កាកុលាប', 'កុលាប'],
    ['Arabic', 'زرعنا الورود في الحديقة قبل أن يأتي الشتاء', 'حديقة'],
    ['Hindi', 'हमने बगीचे में गुलाब के पौधे लगाए और यह अच्छा है', 'पौधा'],
    ['Turkish', 'Bahçede ve evde kitapları okuduk, bu çok güzel bir gün', 'kitap'],
    ['Turkish without its marks', 'Işık çok güzel ve bu bir gün için', 'isik'],
    ['German', 'Die Häuser und die Gärten sind nicht in der Stadt', 'haus'],
    [
      'a German compound, by its part',
      'Die Haftpflichtversicherung ist nicht für das Haus',
      'Versicherung',
    ],
    [
      'a part of a German compound, by the compound',
      'Die Versicherung gegen die Haftpflicht ist nicht für das Haus',
      'Haftpflichtversicherung',
    ],
    ['French', 'Les vérités et les systèmes ne sont pas dans la maison', 'verite'],
    ['Spanish', 'Las acciones y la información que no están en la casa', 'accion'],
    ['Russian', 'Мы посадили розы и читали книгами в саду', 'книга'],
    ['Greek', 'Τα βιβλία και οι κήποι είναι στην πόλη', 'βιβλιο'],
    ['a letter written in two parts', 'cafe\u0301 noir', 'café'],
    ['full-width letters', 'ＲＯＳＥ', 'rose'],
    ['soft hyphens', 'pho\u00adto\u00adgraph', 'photograph'],
  ])('finds a word in %s', (_language, text, query) => {
    const index = indexOf({ other: 'nothing of that kind', wanted: text });
    expect(keysOf(index, query)[0]).toBe('wanted');
  });

  it('reports a missing, truncated or damaged blob and another version', () => {
    const index = indexOf({ a: 'roses', b: 'tulips' });
    const { manifest, blobs } = index.flush();
    const { name, bytes } = blobs[0]!;
    const problemWith = (blob: Uint8Array | undefined) =>
      openIndex(manifest, new Map(blob ? [[name, blob]] : []));
    expect(problemWith(undefined)).toEqual({ damaged: name, problem: 'is missing' });
    expect(problemWith(bytes.slice(0, bytes.length - 8))).toEqual({
      damaged: name,
      problem: 'is cut off',
    });
    expect(problemWith(bytes.slice(0, 3))).toEqual({ damaged: name, problem: 'is cut off' });
    expect(openIndex({ ...manifest, format: 0 }, new Map())).toEqual({
      damaged: 'manifest',
      problem: 'has another format version',
    });
    fc.assert(
      fc.property(fc.nat(bytes.length * 8 - 1), (bit) => {
        const broken = bytes.slice();
        broken[bit >> 3]! ^= 1 << (bit & 7);
        return 'damaged' in problemWith(broken);
      }),
    );
  });

  it('matches an index built from scratch after any changes', () => {
    const word = fc.constantFrom(
      'rose',
      'roses',
      'tulip',
      'oak',
      'wall',
      'the',
      'and',
      'garden',
      'größe',
      '花园',
      'module',
      'auth',
    );
    const text = fc
      .array(word, { maxLength: 30 })
      .map((words) => words.join(' ').replace(/oak oak/g, '|'));
    const key = fc.constantFrom('a', 'b/c', 'b/d', 'é', '花', 'f', 'g');
    const step = fc.oneof(
      { weight: 6, arbitrary: fc.record({ kind: fc.constant('put' as const), key, text }) },
      { weight: 2, arbitrary: fc.record({ kind: fc.constant('remove' as const), key }) },
      {
        weight: 2,
        arbitrary: fc.record({ kind: fc.constant('put in steps' as const), key, text }),
      },
      {
        weight: 2,
        arbitrary: fc.record({
          kind: fc.constantFrom('search' as const, 'merge' as const, 'reopen' as const),
        }),
      },
      {
        weight: 2,
        arbitrary: fc.record({ kind: fc.constant('merge in steps' as const), count: fc.nat(12) }),
      },
    );
    const inGroup = (own: string, ownText: string) =>
      documentOf(own, ownText, { labels: [`group:${own.slice(0, 1)}`] });
    const queries = [
      'rose',
      'rose wall',
      'the',
      '"rose wall"',
      'garden -oak',
      'tulp',
      '花',
      'grosse auth',
      'path:b rose',
    ];
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        let index = createIndex();
        const blobsByName = new Map<string, Uint8Array>();
        const live = new Map<string, string>();
        let merge: Generator<undefined> | undefined;
        let put: { steps: Generator<undefined>; key: string; text: string } | undefined;
        const endPut = () => {
          if (put) runToEnd(put.steps);
          if (put) live.set(put.key, put.text);
          put = undefined;
        };
        for (const one of steps) {
          if (one.kind === 'put') {
            index.put(inGroup(one.key, one.text));
            live.set(one.key, one.text);
          } else if (one.kind === 'put in steps') {
            endPut();
            put = {
              steps: index.putSteps(inGroup(one.key, one.text)),
              key: one.key,
              text: one.text,
            };
            if (put.steps.next().done) endPut();
          } else if (one.kind === 'remove') {
            expect(index.remove(one.key)).toBe(live.delete(one.key));
          } else if (one.kind === 'search') index.search('rose');
          else if (one.kind === 'merge') {
            if (merge) runToEnd(merge);
            merge = undefined;
            mergeAll(index);
          } else if (one.kind === 'merge in steps') {
            merge ??= index.mergeSteps();
            for (let left = one.count; left > 0; left--) if (merge?.next().done) merge = undefined;
          } else {
            endPut();
            merge = undefined;
            index = reopen(index, blobsByName);
          }
        }
        endPut();
        const scratch = createIndex();
        for (const [own, ownText] of live) scratch.put(inGroup(own, ownText));
        expect(index.size()).toBe(live.size);
        expect(index.keys().sort()).toEqual([...live.keys()].sort());
        for (const query of queries) {
          expect(index.search(query)).toEqual(scratch.search(query));
          expect(index.search(query, { isTyping: true })).toEqual(
            scratch.search(query, { isTyping: true }),
          );
          expect(index.search(query, { isDeduplicated: true })).toEqual(
            scratch.search(query, { isDeduplicated: true }),
          );
          expect(index.search(query, { labels: ['group:b'] })).toEqual(
            scratch.search(query, { labels: ['group:b'] }),
          );
          expect(index.search(query, { groupedBy: 'group:' })).toEqual(
            scratch.search(query, { groupedBy: 'group:' }),
          );
        }
      }),
      { numRuns: 150 },
    );
  });

  it('skips only documents that cannot be among the best hits', () => {
    const words = ['common', 'usual', 'frequent', 'rare'];
    const far = ' x'.repeat(20); // keeps the words too far apart for proximity
    const index = createIndex();
    for (let at = 0; at < 9_000; at++) {
      const own = words.flatMap((word, nth) =>
        (at * 31 + nth * nth * 7) % 97 < 80 - nth * 25
          ? [`${word} `.repeat(1 + ((at * 13) % (nth + 3)))]
          : [],
      );
      index.put(documentOf(`n${at}`, own.join(far) + ' y'.repeat((at * 17) % 60)));
    }
    mergeAll(index);
    for (const query of [
      'common usual',
      'common usual frequent',
      'rare common usual frequent',
      'usual usual rare',
    ]) {
      const all = index.search(query, { limit: 9_000 });
      expect(index.search(query, { limit: 100 })).toEqual(all.slice(0, 100));
    }
  });

  it('finds the previous version until the last step of a change', () => {
    const index = indexOf({ a: 'roses' });
    const steps = index.putSteps(
      documentOf('a', `${'tulips '.repeat(9_000)}|${'oaks '.repeat(9_000)}`),
    );
    expect(steps.next().done).toBe(false);
    expect(keysOf(index, 'roses')).toEqual(['a']);
    runToEnd(steps);
    expect(keysOf(index, 'roses')).toEqual([]);
    expect(keysOf(index, 'oaks')).toEqual(['a']);
  });

  it('distinguishes long labels by their ends', () => {
    const label = (end: string) =>
      `property:${'a long name '.repeat(6)}=${'and a long value '.repeat(4)}${end}`;
    const index = createIndex();
    for (const end of ['one', 'two']) index.put(documentOf(end, 'roses', { labels: [label(end)] }));
    expect(keysOf(index, 'roses', { labels: [label('two')] })).toEqual(['two']);
    expect(keysOf(index, 'roses', { labels: [label('three')] })).toEqual([]);
  });

  it('finds the same hits in many segments as in one', () => {
    const words = 'rose tulip oak wall garden module auth red blue door path tree'.split(' ');
    const textOf = (at: number) =>
      Array.from(
        { length: 5 + (at % 40) },
        (_, place) => words[(at * 7 + place * place * (1 + (at % 5))) % words.length],
      ).join(' ');
    const many = createIndex();
    const one = createIndex();
    for (let at = 0; at < 600; at++) {
      many.put(documentOf(`n${at}`, textOf(at)));
      if (at % 20 === 0) many.search('rose');
      if (at % 3 === 0) many.remove(`n${at - 2}`);
    }
    for (const key of many.keys()) one.put(documentOf(key, textOf(Number(key.slice(1)))));
    const queries = [
      'rose',
      'rose tulip',
      'oak wall garden',
      'module auth red blue door',
      '"rose tulip"',
      'path -tree',
    ];
    const expected = queries.map((query) => one.search(query));
    expect(queries.map((query) => many.search(query))).toEqual(expected);
    mergeAll(many);
    expect(queries.map((query) => many.search(query))).toEqual(expected);
  });

  it('ignores deleted documents in word weights', () => {
    const documents = Array.from({ length: 1000 }, (_, at) => {
      const words = [
        'rose',
        at % 2 === 0 && 'tulip',
        at % 7 === 0 && 'oak',
        at % 100 === 0 && 'elm',
        at % 3 === 0 && 'wall',
      ];
      return documentOf(`n${at}`, words.filter(Boolean).join(' '), {
        labels: [at % 5 === 0 ? 'kind:five' : 'kind:other'],
      });
    });
    const deleted = new Set(['n0', 'n35', 'n98', 'n700', 'n999']);
    const index = createIndex();
    const fresh = createIndex();
    for (const document of documents) index.put(document);
    for (const document of documents) if (!deleted.has(document.key)) fresh.put(document);
    const comparisons = ['rose', 'tulip wall', 'oak', 'elm rose', 'oak elm'].flatMap((query) => [
      () => [index.search(query), fresh.search(query)],
      () => [
        index.search(query, { labels: ['kind:five'] }),
        fresh.search(query, { labels: ['kind:five'] }),
      ],
    ]);
    for (const compare of comparisons) compare();
    for (const key of deleted) {
      index.remove(key);
      for (const compare of comparisons) compare();
    }
    for (const compare of comparisons) {
      const [found, expected] = compare();
      expect(found).toEqual(expected);
    }
  });

  it('keeps changes made during a merge', () => {
    const index = createIndex();
    for (let at = 0; at < 9; at++) {
      index.put(documentOf(`n${at}`, `rose ${at}`));
      index.search('rose');
    }
    const steps = index.mergeSteps();
    steps.next();
    index.remove('n3');
    index.put(documentOf('n4', 'tulip'));
    while (!steps.next().done);
    expect(keysOf(index, 'rose').sort()).toEqual(['n0', 'n1', 'n2', 'n5', 'n6', 'n7', 'n8']);
    expect(keysOf(index, 'tulip')).toEqual(['n4']);
  });
});

describe('a name in several words', () => {
  const index = indexOf({
    'Active Directory Security': 'Who may sign in',
    reading: 'Call readTextFile once, then read on',
    other: 'A directory with a text about security',
    'Party 🎉': 'Cake 🎂🎈 for all',
  });

  it.each([
    ['activeDirectorySecurity', 'Active Directory Security'],
    ['activedirectorysecurity', 'Active Directory Security'],
    ['readTextFile', 'reading'],
    ['file', 'reading'],
    ['🎉', 'Party 🎉'],
    ['🎈', 'Party 🎉'],
    ['🎂', 'Party 🎉'],
  ])('is found by %s', (query, key) => {
    expect(keysOf(index, query)[0]).toBe(key);
  });

  it('counts less by a part than by a word', () => {
    expect(keysOf(index, 'text')).toEqual(['other', 'reading']);
  });
});

describe('an identifier', () => {
  const filler = Object.fromEntries(
    Array.from({ length: 30 }, (_, at) => [
      `note ${at}`,
      'a union is a type, and its members vary',
    ]),
  );
  const index = indexOf({
    ...filler,
    parts: 'A union is what the type of a union is, is it a union?',
    exact: 'The trait that checks this has the name is_union and one parameter only',
    'plus plus': 'We write C++ here',
    plain: 'We write C here, and C only',
    verify: 'Commit with --no-verify once',
    vector: 'Use std::vector for a list',
    dollar: 'The folder is in $union, which is set once, at the start of each script',
  });

  it.each([
    ['is_union', 'exact'],
    ['IS_UNION', 'exact'],
    ['write c++', 'plus plus'],
    ['--no-verify', 'verify'],
    ['std::vector', 'vector'],
    ['$union', 'dollar'],
  ])('%s is found as a whole', (query, key) => {
    expect(keysOf(index, query)[0]).toBe(key);
  });

  it('is found by its parts', () => {
    expect(keysOf(index, 'union trait')).toContain('exact');
    expect(keysOf(index, 'vector')).toEqual(['vector']);
    expect(keysOf(index, 'is_unions')).toContain('parts');
  });

  it('is found after a merge and a restart', () => {
    const blobs = new Map<string, Uint8Array>();
    const reopened = reopen(index, blobs);
    mergeAll(reopened);
    expect(keysOf(reopened, 'is_union')[0]).toBe('exact');
  });
});
