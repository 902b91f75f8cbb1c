import type { Json, JsonObject } from '../model/event.js';
import { toVaultPath } from '../model/paths.js';

/**
 * Escapes text so that Markdown shows exactly this text: no formatting, HTML, links or embeds, and
 * no queries or templates of plugins. Keeps line breaks, and blanks at the start of a line.
 */
export function plainText(text: string): string {
  return cleanText(text)
    .split('\n')
    .map((line) => escapeLine(line))
    .join('\n');
}

/** Like `plainText`, joined into one line. */
export function plainLine(text: string): string {
  return plainText(text.replace(/\s+/gu, ' ').trim());
}

/** A text of several lines stays one item. */
export function plainList(texts: readonly string[], mark: '-' | '1.'): string {
  const indent = ' '.repeat(mark.length + 1);
  return texts
    .map((text) => `${mark} ${plainText(text).replaceAll('\n', `\n${indent}`)}`)
    .join('\n');
}

/** Formats a wikilink, or plain text if the path cannot be linked safely. */
export function wikilink(path: string): string {
  const isPlain =
    toVaultPath(path) !== undefined &&
    !/[[\]|#^\\<>&%`$!\p{Cc}\p{Zl}\p{Zp}]|::|:\/\//u.test(path) &&
    path.trim() === path &&
    path !== '';
  return isPlain ? `[[${path}]]` : plainLine(path);
}

type PropertyValue = string | boolean | Date | readonly string[];

/** Formats the frontmatter of a note. */
export function properties(values: Readonly<Record<string, PropertyValue>>): string {
  const rows = Object.entries(values).map(([key, value]) => property(key, value));
  return `---\n${rows.join('\n')}\n---`;
}

/** Has no line break at the end. */
export function property(key: string, value: PropertyValue): string {
  if (typeof value === 'string') return `${key}: ${yamlText(value)}`;
  if (typeof value === 'boolean') return `${key}: ${value}`;
  if (value instanceof Date) return `${key}: ${value.toISOString()}`;
  if (value.length === 0) return `${key}: []`;
  return `${key}:\n${value.map((item) => `  - ${yamlText(item)}`).join('\n')}`;
}

/** Formats a fenced block of JSON. */
export function jsonBlock(value: JsonObject): string {
  return `\`\`\`json\n${escapeJson(JSON.stringify(value, withoutBrokenText, 2))}\n\`\`\``;
}

function withoutBrokenText(_key: string, value: Json): Json {
  return typeof value === 'string' ? wellFormed(value) : value;
}

/** A JSON string is a double-quoted YAML scalar, except for characters that must be escaped. */
function yamlText(text: string): string {
  return escapeJson(JSON.stringify(wellFormed(text)));
}

/** Escapes what YAML forbids, and what plugins look for: some execute the code in `<% %>`. */
function escapeJson(json: string): string {
  return json.replace(
    /[<%`\u007f-\u009f\u00ad\u2028\u2029\ufeff\ufffe\uffff]/gu,
    (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Replaces lone surrogates, which UTF-8 cannot encode. */
function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\u{FFFD}');
}

function cleanText(text: string): string {
  return wellFormed(text)
    .replace(/\r\n?|[\u0085\u2028\u2029]/gu, '\n')
    .replace(/(?![\n\t])\p{Cc}/gu, '\u{FFFD}');
}

function escapeLine(line: string): string {
  const [, blanks = '', rest = ''] = /^([ \t]*)(.*)$/su.exec(line) ?? [];
  if (rest === '') return '';
  const escaped = rest
    .replace(/[\\`*_[\]{}<>#|~$%^=&!]/gu, '\\$&')
    .replace(/:(?=[:/])/gu, '\\:')
    .replace(/^[-+]/u, '\\$&')
    .replace(/^(\d{1,9})([.)])/u, '$1\\$2');
  return blanks.replaceAll('\t', '    ').replaceAll(' ', '&nbsp;') + escaped;
}
