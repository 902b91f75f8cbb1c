/** Returns the text of the bytes from `start` up to `end`. Throws a `TypeError` if not UTF-8. */
export type ReadText = (start: number, end: number) => string;

const DECODE_WINDOW_BYTES = 64 * 1024;

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const lenient = new TextDecoder('utf-8', { ignoreBOM: true });

export function textReader(bytes: Uint8Array): ReadText {
  return (start, end) => decoder.decode(bytes.subarray(start, end));
}

/**
 * Decodes fast in ascending order: in a window of plain ASCII, each text is a slice of one string.
 * Freeing 100,000 decoded strings, which browsers keep outside the heap, blocks the page for long.
 */
export function sequentialTextReader(bytes: Uint8Array): ReadText {
  const readOne = textReader(bytes);
  let text: string | undefined;
  let [from, to] = [0, 0];

  function move(start: number): void {
    [from, to] = [start, Math.min(start + DECODE_WINDOW_BYTES, bytes.length)];
    text = plainText(bytes.subarray(from, to));
  }

  return (start, end) => {
    if (start < from || start >= to || (text !== undefined && end > to)) move(start);
    return text !== undefined && end <= to
      ? text.slice(start - from, end - from)
      : readOne(start, end);
  };
}

/** Returns the text, or undefined if a character takes more than one byte. */
function plainText(bytes: Uint8Array): string | undefined {
  const text = lenient.decode(bytes);
  return text.length === bytes.length && !text.includes('\uFFFD') ? text : undefined;
}
