import { hashText } from '../../platform/byte-writer.js';

/** Prefix of a term that stands for a label: its positions are not stored. */
export const LABEL_MARK = '\u0001';

const LONGEST_MARK = 120;

/** A name or value as labels and conditions compare it: compatibility forms unified, trimmed, lower-case, cut to fit. */
export function normalizeMark(text: string): string {
  return text.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase().slice(0, LONGEST_MARK);
}

/** A longer label stands in the index by a hash: values may be sentences, and nobody reads labels from there. */
const LONGEST_LABEL = 24;

/** The term that stands for a label; it keeps what the label begins with, up to the colon. */
export function labelTerm(label: string): string {
  if (label.length <= LONGEST_LABEL) return LABEL_MARK + label;
  const kind = label.slice(0, label.indexOf(':') + 1);
  const [one, other] = hashText(label);
  return `${LABEL_MARK}${kind}~${(one * HASH_SHARE + (other % HASH_SHARE)).toString(36)}`;
}

/** Of 64 bits of a hash 52 are kept, all of the first half. */
const HASH_SHARE = 2 ** 20;

/** The label of a tag, written with or without its `#`. */
export function tagLabel(tag: string): string {
  return `tag:${normalizeMark(tag.replace(/^#/, ''))}`;
}

/** The label of a property that is there, or that has a value. */
export function propertyLabel(name: string, value?: string): string {
  return value === undefined || value.trim() === ''
    ? `property:${normalizeMark(name)}`
    : `property:${normalizeMark(name)}=${normalizeMark(value)}`;
}
