import { hashText } from '../../platform/bytes/hash.js';

/** Prefix of label terms, whose positions are not stored. */
export const LABEL_PREFIX = '\u0001';

const MAX_LABEL_TEXT_LENGTH = 120;

/** Normalizes a name or value for comparison (NFKC, lower case) and cuts it to 120 code units. */
export function normalizeLabelText(text: string): string {
  return text
    .normalize('NFKC')
    .trim()
    .replace(/\s+/g, ' ')
    .toLowerCase()
    .slice(0, MAX_LABEL_TEXT_LENGTH);
}

/** Longer labels are hashed: values may be sentences, and labels are never read back as text. */
const MAX_PLAIN_LABEL_LENGTH = 24;

/** Returns the term of a label. A hashed label keeps its part up to the colon. */
export function labelTerm(label: string): string {
  if (label.length <= MAX_PLAIN_LABEL_LENGTH) return LABEL_PREFIX + label;
  const kind = label.slice(0, label.indexOf(':') + 1);
  const [high, low] = hashText(label);
  return `${LABEL_PREFIX}${kind}~${(high * LOW_HASH_VALUES + (low % LOW_HASH_VALUES)).toString(36)}`;
}

/** A hashed label keeps all of the first half of its hash, and 20 bits of the second. */
const LOW_HASH_VALUES = 2 ** 20;

/** `tag` may begin with `#`. */
export function tagLabel(tag: string): string {
  return `tag:${normalizeLabelText(tag.replace(/^#/, ''))}`;
}

/** Returns the label of a property with a value; without one, of the property itself. */
export function propertyLabel(name: string, value?: string): string {
  return value === undefined || value.trim() === ''
    ? `property:${normalizeLabelText(name)}`
    : `property:${normalizeLabelText(name)}=${normalizeLabelText(value)}`;
}
