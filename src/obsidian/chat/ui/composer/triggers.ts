/** Text that opens suggestions: `[[` a note, `@` a state, leading `/` a tool or agent command. */
export interface Trigger {
  readonly kind: 'note' | 'state' | 'tool';
  readonly query: string;
  /** Offset of the trigger's first character. */
  readonly from: number;
}

/** Returns the trigger at the caret, if any. */
export function triggerAt(typed: string, caret: number): Trigger | undefined {
  const before = typed.slice(0, caret);
  const tool = /^\/([^\s/]*)$/u.exec(before);
  if (tool) return { kind: 'tool', query: tool[1] ?? '', from: 0 };
  const note = /\[\[([^\][\n]{0,200})$/u.exec(before);
  if (note) return { kind: 'note', query: note[1] ?? '', from: note.index };
  const state = /(?:^|\s)@((?:(?!\s\s)[^@\n]){0,100})$/u.exec(before);
  if (state) return { kind: 'state', query: state[1] ?? '', from: before.lastIndexOf('@') };
  return undefined;
}

/** Returns the text without the trigger, and the caret's position in that text. */
export function withoutTrigger(
  typed: string,
  caret: number,
  { from }: Trigger,
): { text: string; caret: number } {
  return { text: `${typed.slice(0, from)}${typed.slice(caret)}`, caret: from };
}

/** Returns the text with the typed command replaced by an agent's, and the new caret position. */
export function withCommand(
  typed: string,
  caret: number,
  command: string,
): { text: string; caret: number } {
  const start = `/${command} `;
  return { text: `${start}${typed.slice(caret).trimStart()}`, caret: start.length };
}

/** Returns the link targets in dragged text, in lines of `obsidian://` URLs, wikilinks or paths. */
export function parseDroppedLinks(dragged: string): string[] {
  return dragged
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .flatMap((line) => {
      if (line.startsWith('obsidian://')) return fileInUrl(line);
      const link = /^!?\[\[([^\]|#]+)/u.exec(line);
      return [link?.[1] ?? line];
    });
}

function fileInUrl(url: string): string[] {
  try {
    const file = new URL(url).searchParams.get('file');
    return file === null ? [] : [file];
  } catch {
    return []; // not a valid URL
  }
}
