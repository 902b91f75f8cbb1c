import {
  findNodeAtLocation,
  getNodeValue,
  parseTree,
  printParseErrorCode,
  type Node,
  type ParseError,
} from 'jsonc-parser';
import type { ConfigFormat } from '../../apps/ai-app.js';

/*
 * The parser's own editing functions reformat every line that they touch. The edits here are made
 * at the offsets that the parser reports, so that every other byte stays.
 */

/** Returns the parsed text (an empty object for a blank one), or its first syntax error. */
export function parseJsonConfig(
  text: string,
  format: ConfigFormat,
): { data: unknown } | { problem: string; offset: number } {
  if (text.trim() === '') return { data: {} };
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, {
    disallowComments: format === 'json',
    allowTrailingComma: format === 'jsonc',
    allowEmptyContent: format !== 'json',
  });
  const [error] = errors;
  if (error) return { problem: toWords(printParseErrorCode(error.error)), offset: error.offset };
  return { data: root ? (getNodeValue(root) as unknown) : {} };
}

/** Converts a code such as `PropertyNameExpected` to words. */
function toWords(code: string): string {
  return code.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).trim();
}

/** Names of properties and indexes of items that lead to a value. */
export type JsonPath = readonly (string | number)[];

/**
 * Sets the value at the path, of which only properties and the end of a list may be missing, or
 * removes what is there if the value is undefined; keeps the rest.
 */
export function setJson(text: string, path: JsonPath, value: unknown, eol: string): string {
  if (value === undefined) return removeJson(text, path);
  const root = parse(text);
  const style = { eol, unit: indentUnit(text) };
  if (!root)
    return `${text.trim() === '' ? '' : `${text.trimEnd()}${eol}`}${pretty(nest(path, value), '', style)}${eol}`;
  const existing = findNodeAtLocation(root, [...path]);
  if (existing) return replaceValue(text, existing, value, style);
  const depth = path.findLastIndex((_, at) => findNodeAtLocation(root, path.slice(0, at)));
  const parent = findNodeAtLocation(root, path.slice(0, depth));
  const name = path[depth];
  if (parent?.type === 'null')
    return replaceValue(text, parent, nest(path.slice(depth), value), style);
  const inner = nest(path.slice(depth + 1), value);
  if (parent?.type === 'array' && name === (parent.children?.length ?? 0))
    return addChild(text, parent, { value: inner }, style);
  if (parent?.type !== 'object' || typeof name !== 'string') return text;
  return addChild(text, parent, { name, value: inner }, style);
}

function removeJson(text: string, path: JsonPath): string {
  const root = parse(text);
  const value = root && findNodeAtLocation(root, [...path]);
  const child = value?.parent?.type === 'property' ? value.parent : value;
  if (!child?.parent) return text;
  const siblings = child.parent.children ?? [];
  const at = siblings.indexOf(child);
  const [before, after] = [siblings[at - 1], siblings[at + 1]];
  const [start, end] = [child.offset, endOf(child)];
  // up to the next one, which inherits this one's indent
  if (after) return cut(text, start, after.offset);
  const lineStart = blankStart(text, start);
  const tail = /^[ \t]*,/.exec(text.slice(end))?.[0].length ?? 0;
  // If the last one had a trailing comma, the one before it keeps its own comma.
  if (!before) return cut(text, lineStart, end + tail);
  const comma = commaAfter(text, endOf(before));
  return tail > 0
    ? cut(text, lineStart, end + tail)
    : cut(cut(text, lineStart, end), comma, comma + 1);
}

/** Returns the offset of the value at the path, or of the innermost one around it. */
export function jsonOffset(text: string, path: JsonPath): number {
  const root = parse(text);
  const nodes = path.map((_, at) => root && findNodeAtLocation(root, path.slice(0, at + 1)));
  return nodes.findLast((node) => node !== undefined)?.offset ?? root?.offset ?? 0;
}

/** Joins objects that have one name at the top; of equal names in them, the last one counts. */
export function joinRepeated(text: string, name: string): string {
  const named = (parse(text)?.children ?? []).filter(
    ({ children }) => children?.[0]?.value === name,
  );
  const [first, ...others] = named;
  const last = others.at(-1)?.children?.[1];
  const next = first?.parent?.children?.[first.parent.children.indexOf(first) + 1];
  const isJoinable = named.every(({ children }) => /object|null/.test(children?.[1]?.type ?? ''));
  if (!first || !last || !next || !isJoinable) return text;
  const values = named.map(({ children }) => getNodeValue(children![1]!) as object | null);
  const value: unknown = Object.assign({}, ...values);
  const style = { eol: text.includes('\r\n') ? '\r\n' : '\n', unit: indentUnit(text) };
  return joinRepeated(cut(replaceValue(text, last, value, style), first.offset, next.offset), name);
}

interface Style {
  readonly eol: string;
  readonly unit: string;
}

function parse(text: string): Node | undefined {
  return parseTree(text, [], { allowTrailingComma: true });
}

function nest(path: JsonPath, value: unknown): unknown {
  return path.reduceRight((inner, name) => ({ [name]: inner }), value);
}

const endOf = ({ offset, length }: Node) => offset + length;
const cut = (text: string, from: number, to: number) => text.slice(0, from) + text.slice(to);
const splice = (text: string, at: number, added: string) =>
  text.slice(0, at) + added + text.slice(at);

function pretty(value: unknown, indent: string, { eol, unit }: Style): string {
  return JSON.stringify(value, null, unit).replaceAll('\n', `${eol}${indent}`);
}

/** Returns one step of indentation, taken from the first indented line. */
function indentUnit(text: string): string {
  const found = /\n([ \t]+)["}\]]/.exec(text)?.[1] ?? '  ';
  return found.startsWith('\t') ? '\t' : found;
}

/** Returns the indentation of the line that contains the offset. */
function indentAt(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', offset - 1) + 1))?.[0] ?? '';
}

/** Returns the start of the whitespace, including line breaks, before an offset. */
function blankStart(text: string, offset: number): number {
  return text.slice(0, offset).trimEnd().length;
}

/** Returns the offset of the comma that follows a value, skipping whitespace and comments. */
function commaAfter(text: string, from: number): number {
  const skipped = /^(?:\s|\/\/[^\n]*|\/\*[^]*?\*\/)*/.exec(text.slice(from))?.[0].length ?? 0;
  return from + skipped;
}

function replaceValue(text: string, node: Node, value: unknown, style: Style): string {
  const existing = text.slice(node.offset, endOf(node));
  const isMultiLine = /\n|^null$/.test(existing) || !text.includes('\n');
  const written =
    isMultiLine && text.includes('\n')
      ? pretty(value, indentAt(text, node.offset), style)
      : JSON.stringify(value);
  return text.slice(0, node.offset) + written + text.slice(endOf(node));
}

/** A property to add to an object, or an item without a name to add to an array. */
interface NewChild {
  readonly name?: string;
  readonly value: unknown;
}

function addChild(text: string, parent: Node, child: NewChild, style: Style): string {
  const last = parent.children?.at(-1);
  return last ? addAfter(text, parent, last, child, style) : addFirst(text, parent, child, style);
}

function addFirst(text: string, parent: Node, child: NewChild, style: Style): string {
  const { eol, unit } = style;
  const [from, to] = [parent.offset + 1, endOf(parent) - 1];
  const inner = text.slice(from, to);
  const innerEnd = from + inner.trimEnd().length;
  if (!text.includes('\n') && !/^\{\s*\}$/.test(text))
    return splice(text, innerEnd, childText(child));
  const indent = indentAt(text, parent.offset);
  const added = `${eol}${indent}${unit}${childText(child, { ...style, indent: indent + unit })}`;
  if (inner.trim() === '') return `${text.slice(0, from)}${added}${eol}${indent}${text.slice(to)}`;
  return splice(
    text,
    innerEnd,
    text.slice(innerEnd, to).includes('\n') ? added : `${added}${eol}${indent}`,
  );
}

function addAfter(text: string, parent: Node, last: Node, child: NewChild, style: Style): string {
  const end = endOf(last);
  const isOneLine = !text.slice(parent.offset, last.offset).includes('\n');
  if (isOneLine)
    return splice(
      text,
      end,
      `,${/[,{[]\s/.test(text.slice(parent.offset, end)) ? ' ' : ''}${childText(child)}`,
    );
  const indent = indentAt(text, last.offset);
  const added = `${style.eol}${indent}${childText(child, { ...style, indent })}`;
  // The rest of the line, such as a comment on the last property, stays on it.
  const rest =
    /^[ \t]*(,?)[ \t]*(?:\/\/[^\r\n]*|\/\*(?:(?!\*\/)[^\r\n])*\*\/[ \t]*)?(?=\r?\n)/.exec(
      text.slice(end),
    );
  if (!rest) return splice(text, end, `,${added}`);
  const hasComma = rest[1] === ',';
  const after = splice(text, end + rest[0].length, hasComma ? `${added},` : added);
  return hasComma ? after : splice(after, end, ',');
}

function childText({ name, value }: NewChild, style?: Style & { readonly indent: string }): string {
  const written = style ? pretty(value, style.indent, style) : JSON.stringify(value);
  if (name === undefined) return written;
  return `${JSON.stringify(name)}:${style ? ' ' : ''}${written}`;
}
