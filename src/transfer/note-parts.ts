import { wikilink } from '../markdown/escape.js';

/** Returns a heading, if the section has a title, and its body; nothing if the body is empty. */
export function section(title: string, body: string): string[] {
  if (body.trim() === '') return [];
  return title === '' ? [body] : [`## ${title}`, body];
}

export function linkList(paths: readonly string[]): string {
  return paths.map((path) => `- ${wikilink(path)}`).join('\n');
}

export function noteText(parts: readonly string[]): string {
  return `${parts.join('\n\n')}\n`;
}
