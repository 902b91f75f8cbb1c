/**
 * Embeds many texts with MiniLM in cached chunks, so an interrupted run resumes and a second one is
 * quick.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createModel, createWeights } from './onnx.mjs';

export const WIDTH = 384;
const CHUNK = 4096;
/** Maximum pieces per text, including the two that delimit it; MiniLM itself accepts 256. */
const LONGEST = 128;
const BATCH_PIECES = 1024;
const OPEN = 101;
const CLOSE = 102;
const SCALE = 32767;

/**
 * Returns the texts' unit vectors, row by row, as 16-bit fractions.
 * @param {{ort: object, weightsFile: string, wordPieces: (text: string) => number[], cache: string,
 * threads: number, tell: (line: string) => void}} tools
 */
export async function embed(texts, { ort, weightsFile, wordPieces, cache, threads, tell }) {
  const weights = readFileSync(weightsFile);
  const model = createHash('sha256').update(weights).digest('hex');
  mkdirSync(cache, { recursive: true });
  const vectors = new Int16Array(texts.length * WIDTH);
  let session;
  for (let from = 0; from < texts.length; from += CHUNK) {
    const chunk = texts.slice(from, from + CHUNK);
    const key = createHash('sha256')
      .update(JSON.stringify([model, LONGEST, chunk]))
      .digest('hex')
      .slice(0, 32);
    const file = join(cache, `${key}.i16`);
    if (!existsSync(file)) {
      session ??= await ort.InferenceSession.create(createModel(createWeights(weights)), {
        intraOpNumThreads: threads,
      });
      writeFileSync(file, await embedChunk(chunk, { ort, session, wordPieces }));
      tell(`embedded ${from + chunk.length} of ${texts.length}`);
    }
    const bytes = readFileSync(file);
    vectors.set(new Int16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2), from * WIDTH);
  }
  return vectors;
}

/** Embeds texts in batches with the same number of pieces, which avoids padding and masks. */
async function embedChunk(texts, { ort, session, wordPieces }) {
  const pieces = texts.map((text) => [OPEN, ...wordPieces(text).slice(0, LONGEST - 2), CLOSE]);
  const vectors = new Int16Array(texts.length * WIDTH);
  const byLength = groupByLength(pieces);
  for (const [length, members] of byLength) {
    const size = Math.max(1, Math.floor(BATCH_PIECES / length));
    for (let from = 0; from < members.length; from += size) {
      const batch = members.slice(from, from + size);
      const ids = Int32Array.from(batch.flatMap((index) => pieces[index]));
      const { mean } = await session.run({
        ids: new ort.Tensor('int32', ids, [batch.length, length]),
      });
      for (const [row, index] of batch.entries()) {
        const vector = mean.data.subarray(row * WIDTH, (row + 1) * WIDTH);
        const norm = Math.hypot(...vector);
        for (let at = 0; at < WIDTH; at++)
          vectors[index * WIDTH + at] = Math.round((vector[at] / norm) * SCALE);
      }
    }
  }
  return vectors;
}

function groupByLength(pieces) {
  const groups = new Map();
  for (const [index, { length }] of pieces.entries()) {
    const group = groups.get(length);
    if (group) group.push(index);
    else groups.set(length, [index]);
  }
  return groups;
}
