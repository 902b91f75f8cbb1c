import type { AddSpan, PlainText } from './plain-text.js';
import { hasCases, isPassword } from './values.js';

/** Words between spaces, quotes, brackets, separators and signs of scripts without spaces. */
const WORD =
  /[^\s"'`«»„“”‘’「」『』<>()[\]{}|\\,;:/=\u3000-\u9fff\uac00-\ud7a3\uff00-\uff5e—–]{6,}/g;
const TRAILING = /[.!?*_~@]{1,8}$/;
/** The name of a user before a password. */
const USER = /(?:^|[\s"'`«„“(：])[a-z][\w.@-]{1,40}(?: \/ |:)$/;
const PAIRED = /^[^.=/]{8,24}$/;
const MAX_USER = 44;

/** Adds words that look like passwords by themselves, or like nothing else after a user. */
export function findPasswords({ text }: PlainText, add: AddSpan): void {
  WORD.lastIndex = 0;
  for (let match = WORD.exec(text); match; match = WORD.exec(text)) {
    const { 0: word, index } = match;
    if (word.length > 100 || !hasCases(word)) continue;
    const value = word.replace(TRAILING, '');
    if (isPassword(value) || isPaired(text, index, value)) add(index, index + value.length);
  }
}

function isPaired(text: string, at: number, value: string): boolean {
  if (!PAIRED.test(value) || /[=/]/.test(text[at + value.length] ?? '')) return false;
  return USER.test(text.slice(Math.max(0, at - MAX_USER), at));
}
