import type {
  CachedMetadata,
  Loc,
  Pos,
  ReferenceCache,
  SectionCache,
  FrontmatterLinkCache,
} from 'obsidian';
import { getFrontMatterInfo, parseFrontMatterTags, parseYaml } from './yaml';

interface Line {
  readonly text: string;
  readonly offset: number;
  readonly number: number;
}

function linesOf(text: string): Line[] {
  let offset = 0;
  return text.split('\n').map((line, number) => {
    const each = { text: line.replace(/\r$/, ''), offset, number };
    offset += line.length + 1;
    return each;
  });
}

const at = ({ offset, number }: Line, col: number): Loc => ({
  line: number,
  col,
  offset: offset + col,
});
const span = (line: Line, from: number, to: number): Pos => ({
  start: at(line, from),
  end: at(line, to),
});
const lineSpan = (from: Line, to: Line): Pos => ({
  start: at(from, 0),
  end: at(to, to.text.length),
});

/**
 * Replaces inline code and comments by blanks of the same length, so that nothing is found there.
 */
const withoutCode = (text: string) =>
  text.replace(/(`+)(?!`)[\s\S]*?[^`]\1(?!`)|%%[\s\S]*?%%|<!--[\s\S]*?-->/g, (found) =>
    found.replace(/[^\n]/g, ' '),
  );

const decodeTarget = (target: string) => {
  try {
    return decodeURIComponent(target);
  } catch {
    return target; // a lone % is not an escape
  }
};

const isExternal = (target: string) => /^[a-z][a-z0-9+.-]*:/i.test(target);

function wikiReference(inner: string): { link: string; displayText: string } {
  const bar = inner.indexOf('|');
  const link = (bar < 0 ? inner : inner.slice(0, bar)).replace(/\\$/, '').trim();
  return {
    link,
    displayText:
      bar < 0 ? link.replace(/#/g, ' > ').replace(/^ > /, '') : inner.slice(bar + 1).trim(),
  };
}

function referencesIn(line: Line, text: string): { isEmbed: boolean; reference: ReferenceCache }[] {
  const wiki = [...text.matchAll(/(!?)\[\[([^[\]]+?)\]\]/g)].map(
    ({ 0: original, 1: bang, 2: inner = '', index }) => ({
      isEmbed: bang === '!',
      reference: {
        ...wikiReference(inner),
        original,
        position: span(line, index, index + original.length),
      },
    }),
  );
  const inline = [
    ...text.matchAll(/(!?)\[([^[\]]*)\]\((?:<([^<>]+)>|([^()\s]+))(?:\s+"[^"]*")?\)/g),
  ]
    .map(({ 0: original, 1: bang, 2: displayText = '', 3: angled, 4: plain, index }) => ({
      isEmbed: bang === '!',
      target: angled ?? plain ?? '',
      reference: {
        link: decodeTarget(angled ?? plain ?? ''),
        displayText,
        original,
        position: span(line, index, index + original.length),
      },
    }))
    .filter(({ target }) => !isExternal(target));
  return [...wiki, ...inline].sort(
    (a, b) => a.reference.position.start.offset - b.reference.position.start.offset,
  );
}

const kindOf = (text: string): SectionCache['type'] => {
  if (/^#{1,6}\s/.test(text)) return 'heading';
  if (/^>\s*\[!/.test(text)) return 'callout';
  if (text.startsWith('>')) return 'blockquote';
  if (/^\s*([-*+]|\d+[.)])\s/.test(text)) return 'list';
  if (/^\s*([-*_])(\s*\1){2,}\s*$/.test(text)) return 'thematicBreak';
  if (/^\[\^[^\]]+\]:/.test(text)) return 'footnoteDefinition';
  if (text.startsWith('|')) return 'table';
  if (/^<[a-z!/]/i.test(text)) return 'html';
  return 'paragraph';
};

interface OpenSection {
  readonly type: SectionCache['type'];
  readonly lines: Line[];
  readonly fence?: string;
}

/** Cuts the lines below the frontmatter into blocks; a fence holds everything up to its end. */
function sectionsOf(lines: Line[]): { section: SectionCache; lines: Line[] }[] {
  const sections: { section: SectionCache; lines: Line[] }[] = [];
  const state: { open: OpenSection | null } = { open: null };
  const close = () => {
    const { open } = state;
    const first = open?.lines[0];
    const last = open?.lines.at(-1);
    if (open && first && last)
      sections.push({
        section: { type: open.type, position: lineSpan(first, last) },
        lines: open.lines,
      });
    state.open = null;
  };
  for (const line of lines) {
    const current = state.open;
    if (current?.fence !== undefined) {
      current.lines.push(line);
      if (
        line.text.trim().startsWith(current.fence) &&
        line.text.trim().replace(/[`~]/g, '') === ''
      )
        close();
      continue;
    }
    const fence = /^\s*(`{3,}|~{3,})/.exec(line.text)?.[1];
    if (fence !== undefined) {
      close();
      state.open = { type: 'code', lines: [line], fence };
      continue;
    }
    if (line.text.trim() === '') {
      close();
      continue;
    }
    const type = kindOf(line.text);
    const goesOn =
      current &&
      current.type !== 'heading' &&
      (type === current.type || type === 'paragraph') &&
      type !== 'heading';
    if (goesOn && current.type !== 'thematicBreak') current.lines.push(line);
    else if (current?.type === 'callout' && type === 'blockquote') current.lines.push(line);
    else {
      close();
      state.open = { type, lines: [line] };
    }
  }
  close();
  return sections;
}

function frontmatterLinks(frontmatter: Record<string, unknown>): FrontmatterLinkCache[] {
  const found: FrontmatterLinkCache[] = [];
  const look = (value: unknown, key: string): void => {
    if (Array.isArray(value)) value.forEach((each, index) => look(each, `${key}.${index}`));
    if (typeof value !== 'string') return;
    const inner = /^\[\[([^[\]]+)\]\]$/.exec(value.trim())?.[1];
    if (inner !== undefined) found.push({ key, original: value, ...wikiReference(inner) });
  };
  for (const [key, value] of Object.entries(frontmatter)) look(value, key);
  return found;
}

function readFrontmatter(text: string, lines: Line[]): { cache: CachedMetadata; below: number } {
  const info = getFrontMatterInfo(text);
  if (!info.exists) return { cache: {}, below: 0 };
  const below =
    text.slice(0, info.contentStart).split('\n').length -
    (text.charAt(info.contentStart - 1) === '\n' ? 1 : 0);
  const [first, last] = [lines[0], lines[below - 1]];
  const position = first && last && lineSpan(first, last);
  const cache: CachedMetadata = {
    ...(position && { frontmatterPosition: position, sections: [{ type: 'yaml', position }] }),
  };
  try {
    const value = parseYaml(info.frontmatter);
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return { cache, below };
    const frontmatter = value as Record<string, unknown>;
    const links = frontmatterLinks(frontmatter);
    return {
      cache: { ...cache, frontmatter, ...(links.length > 0 && { frontmatterLinks: links }) },
      below,
    };
  } catch {
    return { cache, below }; // as in the app, properties that are not YAML are ignored
  }
}

/** Returns the metadata of a note. Positions are lines, columns and UTF-16 offsets from 0. */
export function parseMetadata(text: string): CachedMetadata {
  const lines = linesOf(text);
  const { cache, below } = readFrontmatter(text, lines);
  const add = <
    K extends 'links' | 'embeds' | 'tags' | 'headings' | 'sections' | 'listItems' | 'footnotes',
  >(
    key: K,
    item: NonNullable<CachedMetadata[K]>[number],
  ) => ((cache[key] ??= []) as unknown[]).push(item);

  for (const { section, lines: inside } of sectionsOf(lines.slice(below))) {
    const last = inside.at(-1);
    const id =
      last && section.type !== 'code' ? /(?:^|\s)\^([\w-]+)\s*$/.exec(last.text)?.[1] : undefined;
    add('sections', id === undefined ? section : { ...section, id });
    if (id !== undefined)
      (cache.blocks ??= {})[id.toLowerCase()] = { id, position: section.position };
    if (section.type === 'code') continue;

    const blanked = linesOf(withoutCode(inside.map((line) => line.text).join('\n')));
    let parent = -(section.position.start.line + 1);
    const stack: { indent: number; line: number }[] = [];
    inside.forEach((line, index) => {
      const plain = blanked[index]?.text ?? '';
      const heading = /^(#{1,6})\s+(.*?)(?:\s+#+)?\s*$/.exec(line.text);
      if (heading && section.type === 'heading')
        add('headings', {
          level: heading[1]?.length ?? 1,
          heading: heading[2] ?? '',
          position: span(line, 0, line.text.length),
        });
      const item = /^(\s*)(?:[-*+]|\d+[.)])\s+(?:\[(.)\]\s)?/.exec(line.text);
      if (item && section.type === 'list') {
        const indent = item[1]?.length ?? 0;
        while ((stack.at(-1)?.indent ?? -1) >= indent) stack.pop();
        parent = stack.at(-1)?.line ?? -(section.position.start.line + 1);
        stack.push({ indent, line: line.number });
        add('listItems', {
          parent,
          ...(item[2] !== undefined && { task: item[2] }),
          position: span(line, indent, line.text.length),
        });
      }
      const footnote = /^\[\^([^\]]+)\]:/.exec(line.text)?.[1];
      if (footnote !== undefined)
        add('footnotes', { id: footnote, position: span(line, 0, line.text.length) });
      for (const { isEmbed, reference } of referencesIn(line, plain))
        add(isEmbed ? 'embeds' : 'links', reference);
      const unlinked = plain.replace(/\[\[[^\]]*\]\]|\]\([^)]*\)|https?:\/\/\S+/g, (found) =>
        ' '.repeat(found.length),
      );
      for (const { 0: tag, index: col } of unlinked.matchAll(
        /(?<=^|\s)#[\p{L}\p{N}\p{Emoji_Presentation}_/-]*[^\s\d\p{P}\p{S}][\p{L}\p{N}\p{Emoji_Presentation}_/-]*/gu,
      ))
        add('tags', { tag, position: span(line, col, col + tag.length) });
    });
  }
  return cache;
}

export function getAllTags(cache: CachedMetadata): string[] | null {
  const tags = [
    ...(cache.tags ?? []).map(({ tag }) => tag),
    ...(parseFrontMatterTags(cache.frontmatter) ?? []),
  ];
  return tags.length > 0 || cache.frontmatter ? tags : null;
}
