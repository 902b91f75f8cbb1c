/** Answers the text of `bytes` from `start` up to `end`. Throws a `TypeError` where they are no UTF-8. */
export type ReadText = (start: number, end: number) => string;

/** So many bytes are decoded at a time. */
const STRETCH = 64 * 1024;

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const lenient = new TextDecoder('utf-8', { ignoreBOM: true });

/** Reads one text by itself. */
export function textReader(bytes: Uint8Array): ReadText {
  return (start, end) => decoder.decode(bytes.subarray(start, end));
}

/**
 * Reads one text after another, rising: where a stretch is plain ASCII, each is a part of one text. What comes out of a decoder
 * lies outside the heap in a browser, and to be rid of a hundred thousand such texts holds up the page longer than reading them.
 */
export function risingTextReader(bytes: Uint8Array): ReadText {
  const readOne = textReader(bytes);
  let text: string | undefined;
  let [from, to] = [0, 0];

  function move(start: number): void {
    [from, to] = [start, Math.min(start + STRETCH, bytes.length)];
    text = plainText(bytes.subarray(from, to));
  }

  return (start, end) => {
    if (start < from || start >= to || (text !== undefined && end > to)) move(start);
    return text !== undefined && end <= to
      ? text.slice(start - from, end - from)
      : readOne(start, end);
  };
}

/** Undefined where a character takes more than one byte. */
function plainText(bytes: Uint8Array): string | undefined {
  const text = lenient.decode(bytes);
  return text.length === bytes.length && !text.includes('\uFFFD') ? text : undefined;
}
