/** BM25 without stems, stop words or fields, with the usual parameters. */
const K1 = 1.2;
const B = 0.75;

interface Text {
  readonly id: string;
  readonly text: string;
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** Returns a search over the texts, which returns the ids of the ten best. */
export function createPlainBm25(texts: readonly Text[]): (query: string) => string[] {
  const postings = new Map<string, Map<number, number>>();
  const lengths = texts.map(({ text }, doc) => {
    const words = wordsOf(text);
    for (const word of words) {
      const docs = postings.get(word) ?? new Map<number, number>();
      postings.set(word, docs.set(doc, (docs.get(doc) ?? 0) + 1));
    }
    return words.length;
  });
  const average = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, texts.length);
  return (query) => {
    const scores = new Map<number, number>();
    for (const word of wordsOf(query)) {
      const docs = postings.get(word);
      if (!docs) continue;
      const idf = Math.log(1 + (texts.length - docs.size + 0.5) / (docs.size + 0.5));
      for (const [doc, count] of docs) {
        const impact = (count * (K1 + 1)) / (count + K1 * (1 - B + (B * lengths[doc]!) / average));
        scores.set(doc, (scores.get(doc) ?? 0) + idf * impact);
      }
    }
    const best = [...scores].sort(([one, a], [other, b]) => b - a || one - other).slice(0, 10);
    return best.map(([doc]) => texts[doc]!.id);
  };
}
