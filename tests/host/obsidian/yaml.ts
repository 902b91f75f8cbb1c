import type { FrontMatterInfo } from 'obsidian';
import { parse, stringify } from 'yaml';

export function parseYaml(yaml: string): unknown {
  return parse(yaml, { schema: 'core' }) as unknown;
}

export function stringifyYaml(value: unknown): string {
  return stringify(value, { schema: 'core', lineWidth: 0 });
}

export function getFrontMatterInfo(content: string): FrontMatterInfo {
  const found = /^---[ \t]*\r?\n([\s\S]*?)(^---[ \t]*(?:\r?\n|$))/m.exec(content);
  if (!found || found.index !== 0)
    return { exists: false, frontmatter: '', from: 0, to: 0, contentStart: 0 };
  const [whole, frontmatter = '', closing = ''] = found;
  const from = whole.length - closing.length - frontmatter.length;
  return {
    exists: true,
    frontmatter,
    from,
    to: from + frontmatter.length,
    contentStart: whole.length,
  };
}

type FrontMatter = Record<string, unknown> | null | undefined;

export function parseFrontMatterEntry(frontmatter: FrontMatter, key: string | RegExp): unknown {
  const found = Object.entries(frontmatter ?? {}).find(([name]) =>
    typeof key === 'string' ? name === key : key.test(name),
  );
  return found?.[1] ?? null;
}

export function parseFrontMatterStringArray(
  frontmatter: FrontMatter,
  key: string | RegExp,
): string[] | null {
  const value = parseFrontMatterEntry(frontmatter, key);
  if (value === null) return null;
  const parts = Array.isArray(value)
    ? (value as unknown[])
    : typeof value === 'string'
      ? value.split(',')
      : [];
  const texts = parts
    .filter((part) => typeof part === 'string' || typeof part === 'number')
    .map((part) => String(part).trim());
  return texts.filter((text) => text !== '');
}

export function parseFrontMatterAliases(frontmatter: FrontMatter): string[] | null {
  return parseFrontMatterStringArray(frontmatter, /^alias(es)?$/i);
}

export function parseFrontMatterTags(frontmatter: FrontMatter): string[] | null {
  const tags = parseFrontMatterStringArray(frontmatter, /^tags?$/i);
  return (
    tags &&
    tags.flatMap((tag) => tag.split(/\s+/)).map((tag) => (tag.startsWith('#') ? tag : `#${tag}`))
  );
}
