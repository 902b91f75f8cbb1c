// Tier full: hundreds of patterns, each with hundreds of texts
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { takesLinearTime } from './linear-time.js';

/**
 * Patterns whose time grows faster than their text, with the reason why the text is short.
 * Everything else must be linear.
 */
const SHORT: Readonly<Record<string, string>> = {
  '/[A-Z].*[!#$%^&*~?]/': 'the first 100 characters of a value',
  '/(?=\\p{L}\\p{Ll}{3})\\p{Lu}?(?![a-z]*[bcdfghjklmnpqrstvwxz]{4})\\p{Ll}{3,}/gu':
    'the first 100 characters of a value',
  '/\\/+$/u': "the path of the user's own vault",
  '/[?!.,]+\\s*$/u': 'a query of at most 60 characters',
  '/ *(?:\\[[^\\]]*\\](?:\\])?|\\S+)/g': "the program's own help",
  '/\\/+$/': 'addresses in settings, and tags of at most 120 characters',
  '/[.,:;!?]+$/': 'a word of a session that is cut to the length of a checkpoint',
  '/^[ \\t]*(,?)[ \\t]*(?:\\/\\/[^\\r\\n]*|\\/\\*(?:(?!\\*\\/)[^\\r\\n])*\\*\\/[ \\t]*)?(?=\\r?\\n)/':
    "a line of the user's own settings of an app",
  '/[ \\t]+$/': "a line of the user's own settings of an app",
  '/\\s+[#;].*$/': "a line of the user's own settings of git",
};

/** A quadratic pattern takes millions of steps for a text of this length. */
const LENGTH = 4000;

const SAMPLES: Readonly<Record<string, string>> = {
  s: ' ',
  d: '0',
  w: 'a',
  S: 'a',
  W: '-',
  D: 'a',
  b: '',
  B: '',
  n: '\n',
  t: '\t',
  r: '\r',
};

/** Returns the pattern of each literal in `src` that repeats something. */
function patternsIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return patternsIn(path);
    if (!/\.tsx?$/.test(path)) return [];
    const found: string[] = [];
    const visit = (node: ts.Node): void => {
      if (node.kind === ts.SyntaxKind.RegularExpressionLiteral) found.push(node.getText());
      ts.forEachChild(node, visit);
    };
    visit(ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true));
    return found.filter((pattern) => /[*+]|\{\d+,/.test(pattern));
  });
}

/** Returns a character for each part of a pattern that matches one. */
function charactersOf(source: string): string[] {
  const plain = source
    .replace(/\\p\{[^}]*\}/gu, 'a')
    .replace(/\(\?(?:<\w+>|[:=!])|\{\d+,?\d*\}/g, '')
    .replace(/\\u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
    .replace(/\\([a-zA-Z])/g, (_, letter: string) => SAMPLES[letter] ?? letter)
    .replace(/(?<!\\)[()*+?^$|[\].]/g, '')
    .replaceAll('\\', '');
  const all = [...new Set(plain)];
  const signs = all.filter((each) => !/[a-z0-9]/i.test(each));
  const words = all.filter((each) => /[a-z0-9]/i.test(each));
  return [...new Set(['a', ' ', '0', '\n', ...signs.slice(0, 8), ...words.slice(0, 2)])];
}

/** Returns texts that repeat one or two characters of a pattern, or a word in it. */
function* textsFor(source: string): Generator<string> {
  const characters = charactersOf(source);
  const words = [...new Set(source.match(/[\w"'`<>[\]():;,. =-]{2,}/g) ?? [])].slice(0, 8);
  const pairs = characters.flatMap((one) => characters.map((other) => one + other));
  for (const each of [...characters, ...pairs, ...words]) {
    const repeated = each.repeat(LENGTH / each.length);
    yield repeated;
    yield `${repeated}\u0001`;
    yield `${words[0] ?? ''}${repeated}\u0001`;
  }
}

/** Returns true if the time that the pattern takes grows faster than one of the texts. */
function isSlow(pattern: string): boolean {
  const [, source = '', flags = ''] = /^\/(.*)\/([a-z]*)$/s.exec(pattern) ?? [];
  const expression = new RegExp(source, flags);
  const isGlobal = flags.includes('g') && !flags.includes('y');
  const read = (text: string) => {
    expression.lastIndex = 0;
    return isGlobal ? text.replace(expression, '') : expression.exec(text);
  };
  return [...textsFor(source)].some((text) => !takesLinearTime(read, text));
}

describe('patterns', () => {
  const patterns = [...new Set(patternsIn('src'))];

  it('take linear time, or read only short texts', () => {
    expect(patterns.length).toBeGreaterThan(200);
    expect(patterns.filter((pattern) => !(pattern in SHORT)).filter(isSlow)).toEqual([]);
  });

  it('are not in the list of those for short texts without need', () => {
    expect(Object.keys(SHORT).filter((pattern) => !patterns.includes(pattern))).toEqual([]);
  });
});
