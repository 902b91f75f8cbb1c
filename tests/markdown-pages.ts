import { parseArgs } from 'node:util';
import ts from 'typescript';
import { expect } from 'vitest';
import packageFile from '../package.json';
import { readCommand } from '../src/cli/arguments.js';

/*
 * What the pages in Markdown mark up, and the sentences that the sources can produce. Tests compare
 * the two.
 */

/** Placeholder in a template. */
const BLANK = '\0';
/** Minimum number of literal letters in a pattern, since shorter ones match too much. */
const OWN_LETTERS = 12;

// Texts that a page marks up

/** Returns the text outside of code blocks. */
export function proseOf(text: string): string {
  return text.replace(/^ *```.*?^ *```$/gms, '');
}

export function boldIn(text: string): string[] {
  return [...proseOf(text).matchAll(/\*\*([^*]+)\*\*/g)].flatMap(([, name]) => name ?? []);
}

/** Returns the inline code, also where it is enclosed by two backticks. */
export function codeIn(text: string): string[] {
  return [...proseOf(text).matchAll(/(`+)(.+?)\1/gs)].flatMap(([, , code]) => code?.trim() ?? []);
}

export function quotesIn(text: string): string[] {
  const prose = proseOf(text);
  return [...prose.matchAll(/“([^”]+)”|^> (.+)$/gm)].flatMap(
    ([, inline, block]) => inline ?? block ?? [],
  );
}

/** Returns the texts in straight quotation marks, outside of code and HTML. */
export function straightQuotesIn(text: string): string[] {
  const prose = proseOf(text).replace(/(`+).+?\1|<[^>\n]+>/g, '');
  return [...prose.matchAll(/"([^"\n]+)"/g)].flatMap(([, quote]) => quote ?? []);
}

function shellLines(text: string): string[] {
  const blocks = [...text.matchAll(/^ *```sh\n(.*?)^ *```$/gms)].flatMap(
    ([, block]) => block ?? [],
  );
  return blocks
    .flatMap((block) => block.split('\n').map((line) => line.replace(/\s# .*$/, '').trim()))
    .filter((line) => line !== '');
}

/**
 * Returns the arguments of each program call in code blocks and inline code. Inline, a call that
 * begins with `savepoint` may leave out what it needs.
 */
export function programLines(text: string): string[] {
  const lines = shellLines(text).map((line) => line.replace(/^savepoint /, 'node main.js '));
  return [...lines, ...codeIn(text)].flatMap((line) =>
    [...line.matchAll(/(?:^|&& )node (?:\/path\/to\/)?main\.js (.+)$/g)].flatMap(
      ([, rest]) => rest ?? [],
    ),
  );
}

/** Returns the script of each call of npm in code blocks and inline code, except `npm ci`. */
function npmScripts(text: string): string[] {
  return [...shellLines(text), ...codeIn(text)].flatMap((line) =>
    [...line.matchAll(/\bnpm (?!ci\b|pack\b|(?:un)?install\b)(?:run )?([a-z:-]+)/g)].flatMap(
      ([, name]) => name ?? [],
    ),
  );
}

/** Fails if a page shows a shell line that is no command of this project. */
export function expectValidShell(text: string): void {
  for (const line of programLines(text))
    expect(() => readCommand(wordsOf(line), parseArgs), line).not.toThrow();
  expect(npmScripts(text).filter((name) => !(name in packageFile.scripts))).toEqual([]);
  const others = shellLines(text).filter(
    (line) => !/^(?:node (?:\/path\/to\/)?main\.js|savepoint|npm|npx vitest run) /.test(line),
  );
  expect(others).toEqual([]);
}

/** Splits a line into words, like a shell. */
export function wordsOf(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, bare]) => double ?? single ?? bare ?? '',
  );
}

// Texts of the program

/** Returns a pattern for each sentence in the texts of a source file. */
export function sentencePatternsIn(source: string): RegExp[] {
  return templatesIn(source).flatMap(sentencesOf).flatMap(patternOf);
}

export function sentencesOf(text: string): string[] {
  return text.split(/(?<=[.!?])\s+(?=["\p{Lu}\0])/u).map((sentence) => sentence.trim());
}

/**
 * Returns the texts in a source file, with a blank for each placeholder. Concatenated strings count
 * as one text.
 */
function templatesIn(source: string): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node) => {
    const text = textOf(node);
    if (text !== undefined) found.push(text.replace(/\{\w+\}/g, BLANK));
    ts.forEachChild(node, visit);
  };
  visit(
    ts.createSourceFile('source.tsx', source, ts.ScriptTarget.Latest, false, ts.ScriptKind.TSX),
  );
  return found;
}

function textOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTemplateExpression(node))
    return node.head.text + node.templateSpans.map(({ literal }) => BLANK + literal.text).join('');
  if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.PlusToken)
    return undefined;
  const [left, right] = [textOf(node.left), textOf(node.right)];
  return left === undefined || right === undefined ? undefined : left + right;
}

function patternOf(sentence: string): RegExp[] {
  if (!sentence.includes(' ') || sentence.replaceAll(BLANK, '').length < OWN_LETTERS) return [];
  const parts = sentence.split(BLANK).map((part) => part.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'));
  return [new RegExp(`^${parts.join('.*')}$`, 'u')];
}
