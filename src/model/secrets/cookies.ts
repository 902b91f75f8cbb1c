import type { AddSpan } from './span.js';
import { isRandom, isSecretValue } from './values.js';

const HEADER = /cookies?\ue000*["'\]]{0,2} ?[:=] ?\ue000*["']?/gi;
const LINE = /[^\n"'\ue000]*/y;
const PAIR = /([\w.-]{1,60})=([^;\s]+)/g;
const ATTRIBUTE =
  /^(?:path|domain|expires|max-age|samesite|secure|httponly|priority|lang|locale|theme)$/i;

/** Adds the values of cookies in headers and commands. */
export function findCookies(text: string, add: AddSpan): void {
  HEADER.lastIndex = 0;
  for (let match = HEADER.exec(text); match; match = HEADER.exec(text)) {
    const from = HEADER.lastIndex;
    LINE.lastIndex = from;
    const [line] = LINE.exec(text) ?? [''];
    for (const pair of line.matchAll(PAIR)) {
      const [whole, name = '', value = ''] = pair;
      const isSession = /sess|sid|auth|token|remember|login|jwt|csrf/i.test(name);
      const isSecret = isSession ? isSecretValue(value, 'secret', 'assigned') : isRandom(value);
      if (ATTRIBUTE.test(name) || !isSecret) continue;
      const end = from + pair.index + whole.length;
      add(end - value.length, end);
    }
    const [first = ''] = /^[^\s=;,]+/.exec(line.slice(0, 200)) ?? [];
    if (line[first.length] !== '=' && isSecretValue(first, 'secret', 'assigned'))
      add(from, from + first.length);
    HEADER.lastIndex = from + line.length;
  }
}
