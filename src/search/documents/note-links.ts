/** A link in a note to something in the vault. */
export interface NoteLink {
  /** The file that is meant, without heading, block and alias. */
  readonly target: string;
  /** From 1. */
  readonly line: number;
}

/** So many links of a note are looked at. */
const MOST_LINKS = 10_000;
/** So many lines are one piece of work. */
const LINES_AT_ONCE = 500;
const WIKILINK = /(?<escape>\\?)\[\[(?<wiki>[^[\]\n]{1,1000})\]\]/;
const MARKDOWN_LINK =
  /\]\(\s*(?:<(?<angled>[^<>\n]{1,1000})>|(?<bare>[^\s()<>]{1,1000}(?:\([^\s()]{0,300}\)[^\s()<>]{0,300}){0,8}))/;
const LINK = new RegExp(`${WIKILINK.source}|${MARKDOWN_LINK.source}`, 'gu');

/**
 * The links of a note, embeds among them, that name a file: those in code and in comments aside, and those to headings of the note
 * itself, to addresses outside of the vault, and by reference (`[a][b]`). Answers undefined where it has only come a little further,
 * so that the caller can pause between any two.
 */
export function* readLinks(text: string): Generator<NoteLink | undefined> {
  let count = 0;
  for (const [line, shown] of shownLines(text)) {
    if (line % LINES_AT_ONCE === 0) yield undefined;
    if (!shown.includes('[[') && !shown.includes('](')) continue;
    for (const { groups = {} } of shown.matchAll(LINK)) {
      const { escape, wiki, angled, bare } = groups;
      const target =
        escape === '\\'
          ? ''
          : wiki === undefined
            ? markdownTarget(angled ?? bare ?? '')
            : wikiTarget(wiki);
      if (target === '') continue;
      if (++count > MOST_LINKS) return;
      yield { target, line };
    }
  }
}

/** In a table the stroke before an alias is escaped. */
function wikiTarget(link: string): string {
  return link.replace(/\\?[|#^][^]*$/u, '').trim();
}

/** Empty for an address outside of the vault. */
function markdownTarget(link: string): string {
  const isOutside = /^(?:[a-z][a-z0-9+.-]+:|\/\/)/iu.test(link);
  return isOutside ? '' : decoded(link.replace(/[#?].*$/u, '')).trim();
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path; // a percent sign that stands for itself
  }
}

const FENCE = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(`{3,}|~{3,})(.*)$/u;
const OPENING = /`+|%%|<!--/g;

/** The lines of a text from 1, without what is code or a comment. */
function* shownLines(text: string): Generator<[number, string]> {
  let fence = '';
  let comment = '';
  for (const [at, line] of text.split('\n').entries()) {
    const isMarked = comment === '' && (line.includes('```') || line.includes('~~~'));
    const [, mark = '', rest = ''] = isMarked ? (FENCE.exec(line.trimEnd()) ?? []) : [];
    if (fence !== '') {
      if (mark.startsWith(fence) && rest === '') fence = '';
      continue;
    }
    if (mark !== '' && !(mark.startsWith('`') && rest.includes('`'))) {
      fence = mark;
      continue;
    }
    if (comment === '' && !/[`%]|<!/u.test(line)) {
      yield [at + 1, line];
      continue;
    }
    const shown = withoutHidden(line, comment);
    comment = shown.comment;
    yield [at + 1, shown.text];
  }
}

/** A line without code and comments; `comment` is what ends the comment that is open before it, and after it. */
function withoutHidden(line: string, open: string): { text: string; comment: string } {
  let text = '';
  let comment = open;
  for (let at = 0; ;) {
    if (comment !== '') {
      const end = line.indexOf(comment, at);
      if (end < 0) return { text, comment };
      at = end + comment.length;
      comment = '';
    }
    OPENING.lastIndex = at;
    const opening = OPENING.exec(line);
    if (!opening) return { text: text + line.slice(at), comment };
    const [mark] = opening;
    text += `${line.slice(at, opening.index)} `; // what it parted stays parted
    at = opening.index + mark.length;
    if (mark === '%%') comment = '%%';
    else if (mark === '<!--') comment = '-->';
    else at = codeEnd(line, at, mark.length);
  }
}

/** Where the code ends that begins at `from`; `from` itself where nothing ends it, for then it is none. */
function codeEnd(line: string, from: number, ticks: number): number {
  for (let at = line.indexOf('`', from); at >= 0; at = line.indexOf('`', at)) {
    let end = at;
    while (line[end] === '`') end++;
    if (end - at === ticks) return end;
    at = end;
  }
  return from;
}

/** Tells which links lead somewhere among the files that were added, as Obsidian does: by the whole path, or by its end. */
export interface LinkTargets {
  readonly add: (path: string) => void;
  /** Whether what a note in `folder` links to is there. */
  readonly has: (target: string, folder: string) => boolean;
  /** Whether there is a file of that whole path. */
  readonly hasFile: (path: string) => boolean;
  /** Where else lies a file of the same name. */
  readonly elsewhere: (target: string) => string | undefined;
}

export function createLinkTargets(): LinkTargets {
  const known = new Set<string>();
  /** By their last part. */
  const named = new Map<string, { readonly key: string; readonly path: string }[]>();
  /** Of what does not depend on the folder: the same is linked to again and again. */
  const answers = new Map<string, boolean>();

  const isEndOf = (end: string) =>
    named.get(lastPart(end))?.some(({ key }) => key.endsWith(`/${end}`)) ?? false;

  function isThere(target: string, folder: string): boolean {
    if (target.startsWith('/')) return known.has(target.slice(1));
    if (isRelative(target)) return known.has(joined(folder, target));
    return known.has(target) || isEndOf(target); // what lies below `folder` ends so, too
  }

  const formsOf = (target: string) => {
    const key = pathKey(target).replace(/\/+$/u, '');
    return [key, `${key}.md`];
  };

  return {
    add(path) {
      const key = pathKey(path);
      known.add(key);
      const same = named.get(lastPart(key));
      if (same) same.push({ key, path });
      else named.set(lastPart(key), [{ key, path }]);
      answers.clear();
    },
    hasFile: (path) => known.has(pathKey(path)),
    has(target, folder) {
      const answered = answers.get(target);
      if (answered !== undefined) return answered;
      const answer = formsOf(target).some((form) => isThere(form, pathKey(folder)));
      if (!isRelative(target)) answers.set(target, answer);
      return answer;
    },
    elsewhere(target) {
      for (const form of formsOf(target)) {
        const [other] = named.get(lastPart(form)) ?? [];
        if (other) return other.path;
      }
      return undefined;
    },
  };
}

function isRelative(target: string): boolean {
  return /^\.\.?\//u.test(target);
}

/** What two paths must share to be one to Obsidian: letter case, the way of writing accents and hard blanks aside. */
export function pathKey(path: string): string {
  return path
    .normalize('NFC')
    .toLowerCase()
    .replace(/[\u00a0\u202f]/gu, ' ');
}

function lastPart(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** A path from `folder`, with `.` and `..` taken for what they mean. */
function joined(folder: string, path: string): string {
  const parts: string[] = [];
  for (const part of `${folder}/${path}`.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return parts.join('/');
}
