import { readdirSync, readFileSync } from 'node:fs';
import { dirname, extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Unusual words, with the standard terms to use instead. */
const REPLACED_WORDS: readonly (readonly [RegExp, string])[] = [
  [/\b(?:anew|afresh)\b/i, 'again, or name the action: rebuild, restart'],
  [/\bwholly\b/i, 'completely'],
  [/\bundertakings?\b/i, 'project'],
  [/\b(?:set|left|put) aside\b|\b(?:titles?|case|spelling|ones) aside\b/i, 'except, ignoring'],
  [/(?<![`.])\bbeside\b(?![`:])/i, 'next to, besides, as well as'],
  [/\bbears?\b/i, 'carry, have'],
  [/\bshall\b/i, 'must, will'],
  [/\bfor ever\b/i, 'forever'],
  [/\bhangs? on\b/i, 'depends on'],
  [/\bl(?:ie|ies|ay) in\b/i, 'is in, is stored in'],
  [/\bst(?:and|ands|ood) in\b/i, 'is in, is listed in'],
  [/\bwhoever\b/i, 'anyone who'],
  [/\bso (?:many|often)\b/i, 'the number, or a constant with its unit'],
  [/\bmend(?:s|ed|ing)?\b/i, 'fix'],
  [/\b(?:segment ?)?keepers?\b/i, 'cache'],
  [/\bholdings?\b/i, 'WriterIndex'],
  [/\bput(?:s|ting)?Away\b/i, 'archive'],
  [/\blaidReady\b|\b(?:lay|laid) ready\b/i, 'staged'],
  [/\bdeeds?\b/i, 'action'],
  [/\bdoorways?\b/i, 'server, router'],
];

const TEXT_FILES = new Set(['.ts', '.tsx', '.mjs', '.md']);
const SKIPPED = /^(?:tests\/language\.test\.ts|src\/search\/text\/|src\/obsidian\/i18n\/de\b)/;

function filesBelow(folder: string): string[] {
  return readdirSync(`${root}/${folder}`, { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter((path) => TEXT_FILES.has(extname(path)));
}

const topLevelPages = readdirSync(root).filter((name) => name.endsWith('.md'));
const sources = filesBelow('src').filter((path) => /\.tsx?$/.test(path));
const read = (path: string) => readFileSync(`${root}/${path}`, 'utf8');

test('all texts use standard terms', () => {
  const paths = ['src', 'tests', 'docs', 'scripts'].flatMap(filesBelow);
  const found = [...paths, ...topLevelPages]
    .filter((path) => !SKIPPED.test(path))
    .flatMap((path) =>
      read(path)
        .split('\n')
        .flatMap((line, index) => {
          const hit = REPLACED_WORDS.find(([word]) => word.test(line));
          return hit ? [`${path}:${index + 1} ${String(hit[0])} → ${hit[1]}: ${line.trim()}`] : [];
        }),
    );
  expect(found).toEqual([]);
});

function parsed(path: string): ts.SourceFile {
  const kind = path.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  return ts.createSourceFile(path, read(path), ts.ScriptTarget.Latest, true, kind);
}

const isExported = (node: ts.Node) =>
  ts.canHaveModifiers(node) &&
  ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);

test('docstrings start with a verb or a noun', () => {
  const riddle =
    /\/\*\*[\s*]*(?:So many|So often|Whoever|Whatever|Hears|Answers (?:whether|what|how)|What (?!a )|Whether)\b.*/g;
  const found = sources.flatMap((path) =>
    [...read(path).matchAll(riddle)].map(([text]) => `${path}: ${text}`),
  );
  expect(found).toEqual([]);
});

/** Returns the names that several files export, with these files. */
function sharedNames(
  paths: readonly string[],
  namesIn: (statement: ts.Statement) => readonly string[],
): (readonly [string, readonly string[]])[] {
  const places = new Map<string, Set<string>>();
  for (const path of paths)
    for (const name of parsed(path).statements.filter(isExported).flatMap(namesIn))
      places.set(name, (places.get(name) ?? new Set()).add(path));
  return [...places].flatMap(([name, found]) => (found.size > 1 ? [[name, [...found]]] : []));
}

test('no two exported types have the same name', () => {
  const typeNames = (node: ts.Statement) =>
    (ts.isInterfaceDeclaration(node) ||
      ts.isTypeAliasDeclaration(node) ||
      ts.isClassDeclaration(node) ||
      ts.isEnumDeclaration(node)) &&
    node.name
      ? [node.name.text]
      : [];
  expect(sharedNames(sources, typeNames)).toEqual([]);
});

/** The first modules of two programs, each of which has to export `run`. */
const PROGRAMS = new Set(['src/headless.ts', 'src/program/hook-program.ts']);

test('no two exported functions have the same name', () => {
  const functionNames = (node: ts.Statement) => {
    if (ts.isFunctionDeclaration(node)) return node.name ? [node.name.text] : [];
    return ts.isVariableStatement(node)
      ? node.declarationList.declarations
          .filter(({ initializer }) => initializer && ts.isFunctionLike(initializer))
          .map(({ name }) => name.getText())
      : [];
  };
  const paths = sources.filter(
    (path) => !path.startsWith('src/obsidian/i18n/') && !PROGRAMS.has(path),
  );
  expect(sharedNames(paths, functionNames)).toEqual([]);
});

test('no line is exempt from the formatter, and comments have at most 100 columns', () => {
  const isComment = /^\s*(?:\/?\*|\/\/(?! Tier full: ))/;
  const found = [...sources, ...filesBelow('tests').filter((path) => path.endsWith('.ts'))]
    .filter((path) => path !== 'tests/language.test.ts')
    .flatMap((path) =>
      read(path)
        .split('\n')
        .filter(
          (line) => /prettier-ignore/.test(line) || (isComment.test(line) && line.length > 100),
        )
        .map((line) => `${path}: ${line.trim()}`),
    );
  expect(found).toEqual([]);
});

const MAX_FILE_LINES = 350;
const MAX_FUNCTION_LINES = 80;
const MAX_FILES_PER_FOLDER = 16;
const MAX_FILES_PER_OBSIDIAN_FOLDER = 30;
const MAX_P90_COLUMNS = 90;

/** Files and functions that are longer, with the reason; at most five. */
const LONG: Readonly<Record<string, string>> = {};

test('files and functions are short, or listed as exceptions', () => {
  const found: string[] = [];
  for (const path of sources) {
    const source = parsed(path);
    const lineOf = (position: number) => source.getLineAndCharacterOfPosition(position).line;
    if (lineOf(source.end) > MAX_FILE_LINES) found.push(path);
    const visit = (node: ts.Node): void => {
      if (ts.isFunctionLike(node) && 'body' in node && node.body) {
        const lines = lineOf(node.end) - lineOf(node.getStart()) + 1;
        const name = node.name && ts.isIdentifier(node.name) ? node.name.text : '(anonymous)';
        if (lines > MAX_FUNCTION_LINES) found.push(`${path}:${name}`);
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  expect(found.sort()).toEqual(Object.keys(LONG).sort());
  expect(found.length).toBeLessThanOrEqual(5);
});

test('90 % of the lines have at most 90 columns', () => {
  const widths = sources
    .flatMap((path) => read(path).split('\n'))
    .filter((line) => line.trim() !== '')
    .map((line) => line.length)
    .sort((one, other) => one - other);
  expect(widths[Math.floor(widths.length * 0.9)]).toBeLessThanOrEqual(MAX_P90_COLUMNS);
});

test('no folder has too many files', () => {
  const sizes = new Map<string, number>();
  for (const path of sources) sizes.set(dirname(path), (sizes.get(dirname(path)) ?? 0) + 1);
  const limitOf = (folder: string) =>
    folder.startsWith('src/obsidian') ? MAX_FILES_PER_OBSIDIAN_FOLDER : MAX_FILES_PER_FOLDER;
  expect([...sizes].filter(([folder, count]) => count > limitOf(folder))).toEqual([]);
});
