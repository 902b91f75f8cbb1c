const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;

/** Returns true if an object in a text has a key twice. The text must be valid JSON. */
export function hasDoubledKeys(json: string): boolean {
  const open: (Set<string> | undefined)[] = [];
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === 0x7b || code === 0x5b) open.push(code === 0x7b ? new Set() : undefined);
    else if (code === 0x7d || code === 0x5d) open.pop();
    if (code !== QUOTE) continue;
    const end = stringEnd(json, at);
    if (isFollowedByColon(json, end)) {
      const text = json.slice(at, end);
      const key = text.includes('\\') ? JSON.stringify(JSON.parse(text)) : text;
      const keys = open.at(-1)!;
      if (keys.has(key)) return true;
      keys.add(key);
    }
    at = end - 1;
  }
  return false;
}

/** Returns the offset after the string that begins at `start`. */
function stringEnd(json: string, start: number): number {
  for (let at = json.indexOf('"', start + 1); at >= 0; at = json.indexOf('"', at + 1)) {
    let before = at - 1;
    while (json.charCodeAt(before) === BACKSLASH) before--;
    if ((at - before) % 2 === 1) return at + 1;
  }
  return json.length;
}

/** JSON allows spaces before a colon, though no version of Savepoint writes any. */
function isFollowedByColon(json: string, end: number): boolean {
  let at = end;
  while (json.charCodeAt(at) <= 0x20) at++;
  return json.charCodeAt(at) === COLON;
}
