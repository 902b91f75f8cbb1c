import { createHash } from 'node:crypto';
import { SEED } from '../tier.js';

const TEXT = 'Größe é\nпривет\n日本語 中文\n한국어\nlast line';

/** Encodings whose bytes are no UTF-8, or none without a mark that a decoder drops. */
const ENCODINGS = [
  'windows-1252',
  'iso-8859-2',
  'windows-1251',
  'koi8-r',
  'ibm866',
  'macintosh',
  'shift_jis',
  'gbk',
  'big5',
  'euc-kr',
] as const;

/** Returns a text of several lines in twelve encodings and in UTF-8 with a byte order mark. */
export function encodedTexts(): Map<string, Uint8Array> {
  const little = Buffer.from(`\uFEFF${TEXT}`, 'utf16le');
  return new Map<string, Uint8Array>([
    ...ENCODINGS.map((label) => [label, encode(TEXT, label)] as const),
    ['utf-16le', little],
    ['utf-16be', Buffer.from(little).swap16()],
    ['utf-8-mark', Buffer.from(`\uFEFF${TEXT}`)],
  ]);
}

/** Returns random bytes of 0 to 1999 bytes by name. */
export function randomFiles(count: number): Map<string, Uint8Array> {
  const names = Array.from({ length: count }, (_, at) => `random-${at}`);
  return new Map(
    names.map((name, at) => {
      const shake = createHash('shake256', { outputLength: (at * 10) % 2000 });
      return [name, shake.update(`${SEED} ${name}`).digest()];
    }),
  );
}

/** Returns the bytes of a text without the characters that an encoding lacks. */
function encode(text: string, label: string): Uint8Array {
  const decoder = new TextDecoder(label);
  const known = new Map<string, readonly number[]>();
  const learn = (...bytes: number[]) => {
    const character = decoder.decode(Uint8Array.from(bytes));
    if (!known.has(character)) known.set(character, bytes);
  };
  for (let first = 0; first < 256; first++) learn(first);
  for (let first = 0x80; first < 256; first++)
    for (let second = 0x30; second < 256; second++) learn(first, second);
  return Uint8Array.from([...text].flatMap((character) => [...(known.get(character) ?? [])]));
}
