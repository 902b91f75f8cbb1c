import * as fs from 'node:fs';
import { expect, it } from 'vitest';
import { runToEnd } from '../../../src/platform/run-sliced.js';
import { embedQuerySteps } from '../../../src/search/vectors/embed.js';
import { createEmbedder } from '../../../src/search/vectors/embedder.js';
import { openEmbeddingTable } from '../../../src/search/vectors/embedding-table.js';
import type { EmbedderSource } from '../../../src/search/vectors/embedder-source.js';

const embedder = createEmbedder(openEmbeddingTable(fs.readFileSync('assets/meaning.txt', 'utf8')));
const source: EmbedderSource = {
  id: 'table',
  dimensions: embedder.dimensions,
  isOpen: () => true,
  restore: () => Promise.resolve(),
  *openSteps() {
    yield;
    return embedder;
  },
};
const SEARCHED = {
  isMostlyEnglish: true,
  hasWord: () => true,
  wantedIn: (query: string) => query,
};
const hasMeaning = (query: string) =>
  runToEnd(embedQuerySteps(source, query, SEARCHED)) !== undefined;

it.each([
  '2.1.4',
  '192.168.1.10 port',
  'foo.bar()',
  'Get-ChildItem',
  'readTextFile',
  'error 0x80070005',
  'std::vector list',
  'rsync -avz',
])('%s has no meaning to search by', (query) => {
  expect(hasMeaning(query)).toBe(false);
});

it.each([
  'vehicle expenses',
  'long-term plans',
  'what did we decide on 7 May?',
  'why does foo.bar() fail',
])('%s has one', (query) => {
  expect(hasMeaning(query)).toBe(true);
});
