import { readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { expect, onTestFinished, test } from 'vitest';
import { germanTexts } from '../../../src/obsidian/i18n/de.js';
import { en } from '../../../src/obsidian/i18n/en.js';
import { chooseLanguage, text } from '../../../src/obsidian/i18n/index.js';

const de = germanTexts();

const SOURCE = new URL('../../../src/', import.meta.url);

/**
 * Returns the lines of a module that read `text` at import, outside of functions and instance
 * properties.
 */
function readsAtImport(name: string, source: string): string[] {
  const file = ts.createSourceFile(name, source, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node) => {
    const isStatic =
      ts.isPropertyDeclaration(node) &&
      node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.StaticKeyword);
    if (
      ts.isFunctionLike(node) ||
      ts.isTypeNode(node) ||
      (ts.isPropertyDeclaration(node) && !isStatic)
    )
      return;
    const read = ts.isPropertyAccessExpression(node)
      ? node.expression
      : ts.isVariableDeclaration(node)
        ? node.initializer
        : undefined;
    if (read && ts.isIdentifier(read) && read.text === 'text')
      found.push(`${name}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1}`);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

test('no module reads a text at import, before the language is chosen', () => {
  const names = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.tsx?$/u.test(name),
  );
  const sources = names.map((name) => [name, readFileSync(new URL(name, SOURCE), 'utf8')] as const);
  const readers = sources.filter(([, source]) => source.includes("i18n/index.js'"));
  expect(readers.length).toBeGreaterThan(50);
  expect(readers.flatMap(([name, source]) => readsAtImport(name, source))).toEqual([]);
  expect(
    readsAtImport(
      'a.ts',
      'const a = text.chat.title;\nconst b = () => text.chat.title;\nconst { chat } = text;',
    ),
  ).toEqual(['a.ts:1', 'a.ts:3']);
});

test('texts are in the language chosen last', () => {
  onTestFinished(() => chooseLanguage('en'));
  expect(text).toBe(en);
  chooseLanguage('de');
  expect(text).toEqual(de);
});

test.each(['en', 'xx', '', '__proto__', 'constructor'])(
  'texts are English for the language code "%s"',
  (code) => {
    onTestFinished(() => chooseLanguage('en'));
    chooseLanguage('de');
    chooseLanguage(code);
    expect(text).toBe(en);
  },
);
