/** What is being picked while somebody types: a note after `[[`, a state after `@`, a tool after a `/` that begins the message. */
export interface Trigger {
  readonly kind: 'note' | 'state' | 'tool';
  readonly query: string;
  /** Where it begins, with its signs. */
  readonly from: number;
}

/** The trigger that the caret stands in; undefined where it stands in none. */
export function triggerAt(typed: string, caret: number): Trigger | undefined {
  const before = typed.slice(0, caret);
  const tool = /^\/(\w*)$/u.exec(before);
  if (tool) return { kind: 'tool', query: tool[1] ?? '', from: 0 };
  const note = /\[\[([^\][\n]{0,200})$/u.exec(before);
  if (note) return { kind: 'note', query: note[1] ?? '', from: note.index };
  const state = /(?:^|\s)@((?:(?!\s\s)[^@\n]){0,100})$/u.exec(before);
  if (state) return { kind: 'state', query: state[1] ?? '', from: before.lastIndexOf('@') };
  return undefined;
}

/** What is left, and where the caret stands in it, once a trigger has done its work. */
export function withoutTrigger(
  typed: string,
  caret: number,
  { from }: Trigger,
): { text: string; caret: number } {
  return { text: `${typed.slice(0, from)}${typed.slice(caret)}`, caret: from };
}

/** What was dragged here, as links that may lead to notes: the app's own addresses, links, or paths. */
export function droppedLinks(dragged: string): string[] {
  return dragged
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .flatMap((line) => {
      if (line.startsWith('obsidian://')) return fileOf(line);
      const link = /^!?\[\[([^\]|#]+)/u.exec(line);
      return [link?.[1] ?? line];
    });
}

function fileOf(address: string): string[] {
  try {
    const file = new URL(address).searchParams.get('file');
    return file === null ? [] : [file];
  } catch {
    return []; // no address after all
  }
}
