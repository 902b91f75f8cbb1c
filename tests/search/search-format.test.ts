import { describe, expect, it } from 'vitest';
import { hashText } from '../../src/platform/bytes/hash.js';
import { runToEnd } from '../../src/platform/run-sliced.js';
import type { SearchDocument } from '../../src/search/documents/documents.js';
import { noteDocument } from '../fakes/note-document.js';
import { createIndex, type SearchIndex } from '../../src/search/index.js';
import { createVectorIndex, type VectorIndex } from '../../src/search/vectors/vector-index.js';
import { createDice, type Dice } from '../simulation/dice.js';
import { inFull, SEED } from '../tier.js';
import { readIndex, readVectors, type Segment } from './independent-index-reader.js';

const STOP_WORDS = [
  ['the', 'of', 'and'],
  ['der', 'und', 'aber'],
];
const FREQUENCIES = [0.3, 1, 2, 3, 4, 6, 10, 20];
const KEYS = ['Note', 'note', 'é', '~', '\uff5e', '😀'];

const GARDEN = `---
aliases: [The Beds]
tags: [spring/early]
---
# Sowing
${'seedlings '.repeat(130)}
## Ärger
Snails. #quick
`;
const NOTES: Readonly<Record<string, string>> = {
  'Folder/Garden plan.md': GARDEN,
  'empty.md': '',
  'Only fields.md': '---\nstatus: done\n---\n',
  'Ä/花😀.md': `花😀${'花园里种了玫瑰'.repeat(150)}\n# é\n${'wörd '.repeat(600)}\n\n`,
  'Code.md': `# A\r\n\`\`\`sh\r\n# no heading\r\n${'run --it\r\n'.repeat(200)}\`\`\`\r\n## B\r\nb`,
};

/** Texts of one passage, with the terms that docs/search-format.md promises. */
const TERMS: Readonly<Record<string, Postings>> = {
  'Children wrote of the CAFÉ': {
    child: [[0, 1, [0]]],
    write: [[0, 1, [1]]],
    of: [[0, 1]],
    the: [[0, 1]],
    cafe: [[0, 1, [4]]],
  },
  // One of these words is a stop word, and one has the same stem.
  'do the doings': { do: [[0, 2, [2]]], the: [[0, 1]] },
  'Die Häuser und der Garten sind nicht größer': {
    die: [[0, 1]],
    haus: [[0, 1, [1]]],
    und: [[0, 1]],
    der: [[0, 1]],
    gart: [[0, 1, [4]]],
    sind: [[0, 1]],
    nicht: [[0, 1, [6]]],
    gross: [[0, 1, [7]]],
  },
  'les forêts préférées pour vous': {
    le: [[0, 1]],
    foret: [[0, 1, [1]]],
    prefer: [[0, 1, [2]]],
    prefere: [[0, 1, [2]]],
    pour: [[0, 1]],
    vous: [[0, 1]],
  },
  '花园里 花, 種 html5': {
    '^花': [[0, 1, [0]]],
    花园: [[0, 1, [0]]],
    园里: [[0, 1, [1]]],
    里: [[0, 1, [2]]],
    花: [[0, 1, [3]]],
    種: [[0, 1, [4]]],
    html5: [[0, 1, [5]]],
  },
  'const file_path = readFile(x3.y4)': {
    const: [[0, 1, [0]]],
    file: [[0, 1, [1, 3]]],
    file_path: [[0, 1, [1]]],
    path: [[0, 1, [2]]],
    read: [[0, 0, [3]]],
    readfil: [[0, 1, [3]]],
    x3: [[0, 1, [4]]],
    y4: [[0, 1, [5]]],
  },
};

/** Per term, its postings: the passage of the document, the frequency code and the positions. */
type Postings = Record<string, [passage: number, code: number, positions?: readonly number[]][]>;

describe('a persisted index', () => {
  it('has the documents and words that were put in', () => {
    const { index, live, blobs } = indexOf(randomDocuments(SEED, 520));
    const segments = flushed(index, blobs);
    expectContent(segments, live);
    expect(formsOf(segments)).toEqual(['blocks', 'dense', 'plain']);
  });

  it('has the remaining documents after changes, removals and merges', () => {
    const { index, live, blobs } = indexOf(randomDocuments(SEED, 150));
    flushed(index, blobs);
    for (let round = 1; round <= 3; round++) {
      change(index, live, SEED + round);
      const segments = flushed(index, blobs);
      expectContent(segments, live);
      expect(segments.flatMap(({ documents }) => documents).length).toBeGreaterThan(live.size);
    }
    runToEnd(index.mergeSteps());
    const segments = flushed(index, blobs);
    expect(segments.length).toBeLessThan(4);
    expectContent(segments, live);
  });

  it('has bounds of blocks whose last passage has the largest impact', () => {
    const own = Array.from({ length: 200 }, (_, index) =>
      plainDocument(`${1000 + index}`, `a1 ${'b1 '.repeat(200 - index)}`),
    );
    const others = Array.from({ length: 900 }, (_, index) =>
      plainDocument(`${2000 + index}`, 'c1'),
    );
    const formOf = (documents: readonly SearchDocument[]) => {
      const { index, blobs } = indexOf(documents);
      return flushed(index, blobs)[0]!.terms.get('a1')?.form;
    };
    expect([formOf(own), formOf([...own, ...others])]).toEqual(['dense', 'blocks']);
  });

  it('has thousands of passages', () => {
    if (!inFull('an index with thousands of passages')) return;
    const { index, live, blobs } = indexOf(randomDocuments(SEED, 3000));
    runToEnd(index.mergeSteps());
    change(index, live, SEED);
    expectContent(flushed(index, blobs), live);
    runToEnd(index.mergeSteps());
    const segments = flushed(index, blobs);
    expectContent(segments, live);
    expect(formsOf(segments)).toEqual(['blocks', 'dense', 'plain']);
    expect(Math.max(...segments.map(passageCount))).toBeGreaterThan(2000);
  });

  it('has the terms of words in any language', () => {
    for (const [text, terms] of Object.entries(TERMS)) {
      const { index, blobs } = indexOf([plainDocument('a', text)]);
      const [postings] = postingsOf(flushed(index, blobs)[0]!);
      expect(postings).toEqual(terms);
    }
  });

  it('has positions of any size', () => {
    for (const gap of [124, 125, 126, 127, 252, 253, 254, 255, 256, 16_510, 20_000]) {
      const others = Array.from({ length: gap }, () => 'b1');
      const once = [...others, 'a1'];
      for (const [words, weight] of [
        [once, 1],
        [once, 2],
        [['a1', ...once], 1],
      ] as const) {
        const { index, blobs } = indexOf([plainDocument('a', words.join(' '), weight)]);
        const [postings] = postingsOf(flushed(index, blobs)[0]!);
        const positions = words.flatMap((word, at) => (word === 'a1' ? [at] : []));
        expect(postings!['a1']).toEqual([[0, positions.length * weight, positions]]);
      }
    }
  });

  it('has fingerprints that show which texts are nearly the same', () => {
    const words = Array.from({ length: 60 }, (_, index) => `w${index}`);
    const texts = [
      words,
      words.with(7, 'other1'),
      words.toReversed(),
      words.slice(0, 40),
      words.slice(0, 39),
    ];
    const documents = texts.map((own, index) => plainDocument(`${index}`, own.join(' ')));
    const { index, blobs } = indexOf(documents);
    const [segment] = flushed(index, blobs);
    const [text, changed, reversed, enough, short] = segment!.documents.map(
      ({ passages }) => passages[0]!.fingerprint,
    );
    expect(differingBits(text!, changed!)).toBeLessThanOrEqual(8);
    expect(differingBits(text!, reversed!)).toBeGreaterThan(8);
    expect(enough).not.toEqual([0, 0]);
    expect(short).toEqual([0, 0]);
  });
});

describe('a persisted note', () => {
  it.each(Object.entries(NOTES))('has the places of its passages: %s', (path, text) => {
    const document = noteDocument(path, text, 5);
    const { index, blobs } = indexOf([document, noteDocument('Other.md', '# A\nB', 6)]);
    const [segment] = flushed(index, blobs);
    const stored = segment!.documents.find(({ key }) => key === path)!;
    const { before, after, passages } = stored.places!;
    let [start, startByte] = [before.units, before.bytes];
    const bytes = Buffer.from(text);
    expect(before.lineBreaks).toBe(lineBreaks(text.slice(0, start)));
    expect(passages.length).toBe(document.passages.length);
    for (const [number, { units, bytes: size, ...passage }] of passages.entries()) {
      const textOf = (name: string) =>
        document.passages[number]!.find((each) => each.name === name)?.text;
      const own = text.slice(start, (start += units));
      expect(own).toBe(textOf('text') ?? '');
      expect(bytes.toString('utf8', startByte, (startByte += size))).toBe(own);
      expect(passage).toEqual({
        lineBreaks: lineBreaks(own),
        headings: textOf('heading')?.split('\n') ?? [],
      });
    }
    expect(after).toEqual({
      units: text.length - start,
      bytes: bytes.length - startByte,
      lineBreaks: lineBreaks(text.slice(start)),
    });
  });

  it('has its names, aliases, tags, headings and labels', () => {
    const { index, blobs } = indexOf([noteDocument('Folder/Garden plan.md', GARDEN, 5)]);
    const [segment] = flushed(index, blobs);
    const [{ names, places }] = segment!.documents as [Segment['documents'][number]];
    const hashOf = (text: string) => hashText(text)[0];
    expect(names).toEqual([
      { hash: hashOf('garden plan'), terms: [hashOf('garden'), hashOf('plan')] },
      { hash: hashOf('the beds'), terms: [hashOf('bed')] },
      { hash: hashOf('sowing'), terms: [] },
      { hash: hashOf('ärger'), terms: [] },
    ]);
    expect(places).toMatchObject({
      aliases: ['The Beds'],
      tags: ['spring/early', 'quick'],
      headings: ['Sowing', 'Ärger'],
    });
    expect([...segment!.terms.keys()].filter((term) => term.startsWith('\u0001'))).toEqual(
      [
        'property:aliases',
        'property:aliases=the beds',
        'property:tags',
        'property:tags=spring/early',
        'tag:quick',
        'tag:spring',
        'tag:spring/early',
      ]
        .map((label) => `\u0001${storedLabel(label)}`)
        .sort(),
    );
  });
});

describe('persisted vectors', () => {
  it('are those that were put in, also after removals and merges', () => {
    const dice = createDice(SEED);
    const vectors = createVectorIndex(8);
    const blobs = new Map<string, Uint8Array>();
    const live = new Map<string, readonly Int8Array[]>();
    for (let round = 0; round < 12; round++) {
      for (let count = 0; count < 20; count++) {
        const key = `${dice.pick(KEYS)}/${dice.below(100)}.md`;
        const own = Array.from({ length: dice.below(4) }, () => new Int8Array(dice.bytes(8)));
        if (dice.chance(0.2)) own.push(...own.map((vector) => vector.map((value) => -value)));
        vectors.put(key, own);
        live.set(key, own);
      }
      for (const key of [...live.keys()].filter(() => dice.chance(0.1))) {
        vectors.remove(key);
        live.delete(key);
      }
      expectVectors(vectors, live, blobs);
    }
    expect(blobs.size).toBeLessThan(12);
  });
});

function expectVectors(
  index: VectorIndex,
  live: ReadonlyMap<string, readonly Int8Array[]>,
  blobs: Map<string, Uint8Array>,
): void {
  const { manifest, blobs: written, obsolete } = index.flush();
  for (const { name, bytes } of written) blobs.set(name, bytes);
  for (const name of obsolete) blobs.delete(name);
  expect([...blobs.keys()].sort()).toEqual(manifest.chunks.map(({ name }) => name).sort());
  const found = manifest.chunks.flatMap(({ name, deleted }) =>
    readVectors(blobs.get(name)!).filter((_, number) => !deleted.includes(number)),
  );
  expect(found.map(({ key }) => key).sort()).toEqual([...live.keys()].sort());
  for (const { key, scale, vectors } of found) {
    expect(vectors).toEqual(live.get(key)!.map((vector) => [...vector]));
    expect(scale).toBeCloseTo(scaleOf(live.get(key)!), 4);
  }
}

function scaleOf(vectors: readonly Int8Array[]): number {
  if (vectors.length < 2) return 1;
  const sum = Array.from({ length: 8 }, (_, column) =>
    vectors.reduce((total, vector) => total + vector[column]!, 0),
  );
  const length = Math.hypot(...sum);
  return length === 0 ? 0 : 127 / length;
}

function differingBits(one: readonly number[], other: readonly number[]): number {
  const bits = one.map((half, index) => ((half ^ other[index]!) >>> 0).toString(2));
  return bits.join('').replaceAll('0', '').length;
}

function lineBreaks(text: string): number {
  return text.split('\n').length - 1;
}

function passageCount({ documents }: Segment): number {
  return documents.reduce((sum, { passages }) => sum + passages.length, 0);
}

function plainDocument(key: string, text: string, weight = 1): SearchDocument {
  const passages = [[{ name: 'text', text, weight }]];
  return { key, hash: hashText(text), time: 0, labels: [], passages };
}

function indexOf(documents: readonly SearchDocument[]) {
  const index = createIndex();
  const live = new Map(documents.map((document) => [document.key, document]));
  for (const document of documents) index.put(document);
  return { index, live, blobs: new Map<string, Uint8Array>() };
}

/** Removes a third of the documents and replaces another third; `live` is updated. */
function change(index: SearchIndex, live: Map<string, SearchDocument>, seed: number): void {
  const dice = createDice(seed);
  for (const key of [...live.keys()]) {
    const kind = dice.below(3);
    if (kind === 0) {
      index.remove(key);
      live.delete(key);
    } else if (kind === 1) {
      const document = randomDocument(key, dice);
      index.put(document);
      live.set(key, document);
    }
  }
}

function flushed(index: SearchIndex, blobs: Map<string, Uint8Array>): readonly Segment[] {
  const { manifest, blobs: written, obsolete } = index.flush();
  for (const { name, bytes } of written) blobs.set(name, bytes);
  for (const name of obsolete) blobs.delete(name);
  return readIndex(JSON.parse(JSON.stringify(manifest)) as typeof manifest, blobs);
}

function formsOf(segments: readonly Segment[]): string[] {
  return [
    ...new Set(segments.flatMap(({ terms }) => [...terms.values()].map(({ form }) => form))),
  ].sort();
}

/** Returns documents whose words no stemmer changes, so that their terms are known. */
function randomDocuments(seed: number, count: number): SearchDocument[] {
  const dice = createDice(seed);
  return Array.from({ length: count }, (_, index) =>
    randomDocument(`${dice.pick(KEYS)}/${index}.md`, dice),
  );
}

function randomDocument(key: string, dice: Dice): SearchDocument {
  const stopWords = dice.pick(STOP_WORDS);
  const word = () => `${dice.chance(0.5) ? 'w' : 'W'}${dice.below(dice.pick([30, 3000]))}`;
  const anyWord = () => {
    if (dice.chance(0.2)) return dice.pick(stopWords);
    if (dice.chance(0.1)) return 'again1';
    // A stop word of the other language is an ordinary word here.
    return dice.chance(0.03) ? dice.pick(dice.pick(STOP_WORDS)) : word();
  };
  const words = (count: number) => Array.from({ length: count }, anyWord);
  const nameWord = () => (dice.chance(0.4) ? dice.pick(stopWords) : word());
  const text = (most: number) => ({
    name: dice.pick(['text', 'heading']),
    weight: dice.pick([0.3, 1, 1, 1, 2, 2.04]),
    text: words(dice.below(most)).join(dice.pick([' ', ', ', '\n\n- '])),
  });
  const passage = (index: number) => [
    { name: 'title', text: index === 0 ? `${stopWords.join(' ')} `.repeat(4) : '', weight: 1 },
    text(dice.pick([5, 50])),
    ...(dice.chance(0.15) ? [{ name: 'text', text: 'sixth1', weight: 1 }] : []),
    ...(dice.chance(0.05) ? [text(400)] : []),
  ];
  const label = () => `${dice.pick(['tag', 'property'])}:${'ä'.repeat(dice.below(30))}${word()}`;
  return {
    key,
    hash: [dice.below(2 ** 32), dice.below(2 ** 32)],
    time: dice.below(2 ** 42) + dice.pick([0, 0.5]),
    labels: [
      ...Array.from({ length: dice.below(4) }, label),
      ...(dice.chance(0.6) ? ['tag:most'] : []),
    ],
    names: Array.from({ length: dice.below(3) }, () =>
      Array.from({ length: 1 + dice.below(3) }, nameWord).join(' '),
    ),
    passages: Array.from({ length: 1 + dice.below(4) }, (_, index) => passage(index)),
  };
}

/** Compares the live documents with those that were put in. */
function expectContent(
  segments: readonly Segment[],
  live: ReadonlyMap<string, SearchDocument>,
): void {
  const stored = segments.flatMap((segment) => {
    const postings = postingsOf(segment);
    return segment.documents.map((document, number) => ({ document, postings: postings[number] }));
  });
  const found = stored.filter(({ document }) => !document.isDeleted);
  expect(found.map(({ document }) => document.key).sort()).toEqual([...live.keys()].sort());
  for (const { document, postings } of found) {
    const { key, hashes, time, language, passages, names, places } = document;
    const lengths = passages.map(({ length }) => length);
    const expected = expectedOf(live.get(key)!);
    expect({ hashes, time, language, lengths, names, places, postings }).toEqual(expected);
  }
}

/** Returns the postings of each document. */
function postingsOf({ documents, terms }: Segment): readonly Postings[] {
  const all = documents.map((): Postings => ({}));
  const documentOf = documents.flatMap(({ passages }, number) => passages.map(() => number));
  for (const [term, { postings }] of terms) {
    for (const { passage, code, positions } of postings) {
      const number = documentOf[passage]!;
      const relative = passage - documents[number]!.firstPassage;
      (all[number]![term] ??= []).push(positions ? [relative, code, positions] : [relative, code]);
    }
  }
  return all;
}

function expectedOf({ hash, time, labels, names = [], passages }: SearchDocument) {
  const postings: Postings = {};
  const isGerman = passages[0]![0]!.text.startsWith('der');
  const isStopWord = (word: string) => STOP_WORDS[Number(isGerman)]!.includes(word);
  for (const label of labels) postings[`\u0001${storedLabel(label)}`] = [[0, 1]];
  const lengths = passages.map((texts, passage) => {
    const occurrences = new Map<string, { positions: number[]; tenths: number }>();
    let position = 0;
    let length = 0;
    for (const { text, weight } of texts) {
      const tenths = Math.round(10 * weight);
      for (const word of wordsOf(text)) {
        const at = position++;
        if (isStopWord(word)) postings[word] ??= [[passage, codeOf(tenths)]];
        else {
          const known = occurrences.get(word) ?? { positions: [], tenths: 0 };
          known.positions.push(at);
          known.tenths += tenths;
          occurrences.set(word, known);
          length += tenths;
        }
      }
      position += 8;
    }
    for (const [word, { positions, tenths }] of occurrences)
      (postings[word] ??= []).push([passage, codeOf(tenths), positions]);
    return Math.round(length / 10);
  });
  const expectedNames = names.map((name) => {
    const words = wordsOf(name);
    const content = words.filter((word) => !isStopWord(word));
    const terms = [...new Set(content.length > 0 ? content : words)];
    return { hash: hashText(name.toLowerCase())[0], terms: terms.map((term) => hashText(term)[0]) };
  });
  const headings = passages.flatMap((texts) =>
    texts.flatMap(({ name, text }) => (name === 'heading' ? text.split('\n') : [])),
  );
  for (const heading of new Set(headings))
    expectedNames.push({ hash: hashText(heading.toLowerCase())[0], terms: [] });
  const language = Number(isGerman);
  return {
    hashes: hash,
    time,
    language,
    lengths,
    names: expectedNames,
    places: undefined,
    postings,
  };
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/\w+/g) ?? [];
}

function codeOf(tenths: number): number {
  const distances = FREQUENCIES.map((frequency) => Math.abs(10 * frequency - tenths));
  return distances.lastIndexOf(Math.min(...distances));
}

function storedLabel(label: string): string {
  if (label.length <= 24) return label;
  const [first, second] = hashText(label).map(BigInt) as [bigint, bigint];
  return `${label.split(':')[0]}:~${((first << 20n) | (second & 0xfffffn)).toString(36)}`;
}
