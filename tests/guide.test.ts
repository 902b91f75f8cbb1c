import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { beforeAll, describe, expect, it } from 'vitest';
import manifest from '../manifest.json';
import packageFile from '../package.json';
import { readSampleVault } from '../scripts/host-page.mjs';
import { OPTIONAL_AGENTS } from '../src/agents/index.js';
import { readCommand } from '../src/cli/arguments.js';
import { COMMANDS } from '../src/cli/command-table.js';
import { commandText, overviewText } from '../src/cli/texts/help-texts.js';
import { en } from '../src/obsidian/i18n/en.js';
import { allTools } from '../src/toolkit/toolset.js';
import { createTestVault } from './fakes/test-vault.js';
import { startNodeHost } from './host/node-host.js';

/*
 * Everything that the guide marks up must exist in the program: **Savepoint: X** is a command in
 * the palette, **X** a text that the plugin shows, `x` a name that the program knows, “X” and lines
 * after > are texts of the program, and shell lines are commands that it accepts.
 */

const root = fileURLToPath(new URL('..', import.meta.url));
const MOST_LINES = 70;

const pages = readdirSync(join(root, 'docs/guide')).map((file) => ({
  file,
  text: readFileSync(join(root, 'docs/guide', file), 'utf8'),
}));
const tools = allTools(createTestVault().toolset).map(({ tool }) => tool);
const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.tsx?$/.test(path) && !/[\\/]i18n[\\/]de\b/.test(path))
  .map((path) => readFileSync(join(root, 'src', path), 'utf8'));
const shellCommands = Object.keys(COMMANDS);
const shellHelp = [overviewText(COMMANDS), ...Object.values(COMMANDS).map(commandText)].join('\n');

/** Placeholder in a template. */
const BLANK = '\0';
/** Minimum number of literal letters in a pattern, since shorter ones match too much. */
const OWN_LETTERS = 12;

const sentencePatterns = sources.flatMap(templatesIn).flatMap(sentencesOf).flatMap(patternOf);

/** Names of the plugin's commands in the palette. */
let palette: string[];

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'guide-'));
  mkdirSync(join(folder, 'vault'));
  const app = await startNodeHost({
    vault: join(folder, 'vault'),
    plugin: join(root, 'main.js'),
    storageFile: join(folder, 'storage.json'),
  });
  try {
    const names = await app.evaluate((host) =>
      Object.values(host.app.commands.commands).map(({ name }) => name),
    );
    palette = names.filter((name) => name.startsWith(`${manifest.name}: `));
  } finally {
    await app.quit();
    rmSync(folder, { recursive: true, force: true });
  }
});

describe('the guide', () => {
  it('is in the sample vault, page by page', async () => {
    const files = await readSampleVault();
    expect(pages.length).toBeGreaterThan(10);
    expect(pages.map(({ file, text }) => [file, files[`Guide/${file}`]?.text === text])).toEqual(
      pages.map(({ file }) => [file, true]),
    );
  });

  it('names every command in the palette', () => {
    const told = new Set(pages.flatMap(({ text }) => boldIn(text)));
    expect(palette.length).toBeGreaterThan(15);
    expect(palette.filter((name) => !told.has(name))).toEqual([]);
  });

  it('names every shell command', () => {
    const told = new Set(
      pages.flatMap(({ text }) => programLines(text).map((line) => wordsOf(line)[0])),
    );
    expect(shellCommands.length).toBeGreaterThan(10);
    expect(shellCommands.filter((name) => !told.has(name))).toEqual([]);
  });
});

describe.each(pages)('$file', ({ file, text }) => {
  it('is short, and starts with its name as the heading', () => {
    expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(MOST_LINES);
    expect(text.split('\n')[0]).toBe(`# ${file.replace(/\.md$/, '')}`);
  });

  it('uses bold only for commands and texts that the plugin shows', () => {
    const shown = new Set([
      ...palette,
      ...textsIn(en),
      ...tools.map(({ title }) => title),
      ...agentDescriptions(),
    ]);
    expect(boldIn(text).filter((name) => !shown.has(name))).toEqual([]);
  });

  it('uses code style only for names that the program knows', () => {
    expect(codeIn(text).filter((code) => !isKnown(code))).toEqual([]);
  });

  it('shows only shell commands that are valid', () => {
    for (const line of programLines(text))
      expect(() => readCommand(wordsOf(line), parseArgs), line).not.toThrow();
    const scripts = shellLines(text).flatMap((line) =>
      [...line.matchAll(/npm (?:run )?([a-z-]+)/g)].flatMap(([, name]) => name ?? []),
    );
    expect(scripts.filter((name) => name !== 'ci' && !(name in packageFile.scripts))).toEqual([]);
    const others = shellLines(text).filter((line) => !/^(?:node main\.js|npm) /.test(line));
    expect(others).toEqual([]);
  });

  it('shows only tool calls with valid parameters', () => {
    for (const line of programLines(text)) {
      const command = readCommand(wordsOf(line), parseArgs);
      if (command.name !== 'call') continue;
      const { tool: toolName, json } = command.values as { tool: string; json?: string };
      const tool = tools.find(({ name }) => name === toolName);
      expect(tool?.input.safeParse(JSON.parse(json ?? '')).error, line).toBeUndefined();
      expect(tool, line).toBeDefined();
    }
  });

  it('quotes only texts of the program', () => {
    const sentences = quotesIn(text).flatMap(sentencesOf);
    expect(
      sentences.filter((sentence) => !sentencePatterns.some((pattern) => pattern.test(sentence))),
    ).toEqual([]);
  });

  it('links only to existing pages', () => {
    const links = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, link]) =>
      decodeURIComponent(link ?? ''),
    );
    expect(links.filter((link) => !pages.some((page) => page.file === link))).toEqual([]);
    // GitHub does not support wikilinks.
    expect(proseOf(text).replace(/`[^`]*`/g, '')).not.toContain('[[');
  });
});

describe('the patterns for quotations', () => {
  it.each([
    ['State "Plan" not found. Use listStates to see available states.', true],
    ['State "Plan" is not there.', false],
    ['Node was not found on this machine.', true],
    ['Node was not found on that machine.', false],
  ])('match "%s": %s', (quote, isOwn) => {
    expect(
      sentencesOf(quote).every((sentence) =>
        sentencePatterns.some((pattern) => pattern.test(sentence)),
      ),
    ).toBe(isOwn);
  });
});

describe('the quotations of failures', () => {
  const garden = {
    name: 'Thesis',
    description: 'A thesis',
    purpose: 'Graduate',
    rootFolder: 'Thesis',
  };
  const state = {
    name: 'Figures chosen',
    conversationContext: 'We chose.',
    activeTask: 'Draw',
    activeFiles: [],
    nextSteps: ['Draw'],
  };
  /** Marks and the day differ between devices. */
  const neutral = (text: string) =>
    text.replace(/⟨\w{4}⟩/g, '⟨mark⟩').replace(/\d{4}-\d\d(?:-\d\d)?/g, 'date');
  const quotes = pages.flatMap(({ text }) => quotesIn(text)).map(neutral);

  it.each<[string, () => Promise<string>]>([
    [
      'a name that two devices have given',
      async () => {
        const [one, two] = [createTestVault({ seed: 1 }), createTestVault({ seed: 2 })];
        await one.data('createWorkspace', garden);
        await two.data('createWorkspace', { ...garden, description: 'Another' });
        for (const path of two.files.paths())
          if (path.endsWith('.jsonl')) one.files.put(path, two.files.text(path));
        return one.error('loadWorkspace', { name: 'Thesis' });
      },
    ],
    [
      'a taken state name',
      async () => {
        const vault = createTestVault();
        await vault.data('createState', state);
        return vault.error('createState', state);
      },
    ],
    [
      'an unknown state name',
      () => createTestVault().error('loadState', { name: 'Figures chosen' }),
    ],
    [
      'a file that exists',
      async () => {
        const vault = createTestVault();
        await vault.data('workspaceStorageWrite', { path: 'plan.md', content: 'A' });
        return vault.error('workspaceStorageWrite', { path: 'plan.md', content: 'B' });
      },
    ],
  ])('show the values that the program inserts for %s', async (_, fail) => {
    const message = neutral(await fail());
    expect(quotes.filter((quote) => message.startsWith(quote))).toHaveLength(1);
  });
});

// Texts that the guide marks up

/** Returns the text outside of code blocks. */
function proseOf(text: string): string {
  return text.replace(/^ *```.*?^ *```$/gms, '');
}

function boldIn(text: string): string[] {
  return [...proseOf(text).matchAll(/\*\*([^*]+)\*\*/g)].flatMap(([, name]) => name ?? []);
}

function codeIn(text: string): string[] {
  return [...proseOf(text).matchAll(/`([^`]+)`/g)].flatMap(([, code]) => code ?? []);
}

function quotesIn(text: string): string[] {
  const prose = proseOf(text);
  return [...prose.matchAll(/“([^”]+)”|^> (.+)$/gm)].flatMap(
    ([, inline, block]) => inline ?? block ?? [],
  );
}

function shellLines(text: string): string[] {
  const blocks = [...text.matchAll(/^ *```sh\n(.*?)^ *```$/gms)].flatMap(
    ([, block]) => block ?? [],
  );
  return blocks
    .flatMap((block) => block.split('\n').map((line) => line.trim()))
    .filter((line) => line !== '');
}

/** Returns the arguments of each program call in code blocks and inline code. */
function programLines(text: string): string[] {
  return [...shellLines(text), ...codeIn(text)].flatMap((line) =>
    [...line.matchAll(/(?:^|&& )node main\.js (.+)$/g)].flatMap(([, rest]) => rest ?? []),
  );
}

/** Splits a line into words, like a shell. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, bare]) => double ?? single ?? bare ?? '',
  );
}

// Texts of the program

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

function agentDescriptions(): string[] {
  return Object.values(OPTIONAL_AGENTS).map(({ description }) => description);
}

function isKnown(code: string): boolean {
  if (code.startsWith('node main.js ')) return true; // checked as a shell line
  if (tools.some(({ name }) => name === code)) return true;
  if (/^[\w-]+$/.test(code) && code === code.toLowerCase()) return isWordOfShell(code);
  if (code.startsWith('--')) return code.split(/[ ,]/).every(isWordOfShell);
  if (/^[a-z]+[A-Z]\w*$/.test(code)) return false; // looks like a tool name
  const written = code.replace(/^Savepoint(?=\/)/, ''); // the default data folder
  return sources.some((source) => source.includes(written));
}

function isWordOfShell(word: string): boolean {
  return word in OPTIONAL_AGENTS || new RegExp(`(?<![\\w-])${word}(?![\\w-])`).test(shellHelp);
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

function sentencesOf(text: string): string[] {
  return text.split(/(?<=[.!?])\s+(?=["\p{Lu}\0])/u).map((sentence) => sentence.trim());
}

function patternOf(sentence: string): RegExp[] {
  if (!sentence.includes(' ') || sentence.replaceAll(BLANK, '').length < OWN_LETTERS) return [];
  const parts = sentence.split(BLANK).map((part) => part.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'));
  return [new RegExp(`^${parts.join('.*')}$`, 'u')];
}
