import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import manifest from '../manifest.json';
import { readSampleVault } from '../scripts/host-page.mjs';
import { OPTIONAL_TOOLSETS } from '../src/agents/index.js';
import { readCommand } from '../src/cli/arguments.js';
import { COMMANDS } from '../src/cli/command-table.js';
import { commandText, overviewText } from '../src/cli/texts/help-texts.js';
import { REQUEST_TIMEOUT_MS } from '../src/indexing/notes/remote-embeddings.js';
import { createProblems } from '../src/node/git/problems.js';
import { APPROVAL_TIMEOUT_MS } from '../src/obsidian/clients/approvals/approvals.js';
import { en } from '../src/obsidian/i18n/en.js';
import { fileErrorText } from '../src/platform/files.js';
import { allTools } from '../src/toolkit/toolkit.js';
import { createTestVault } from './fakes/test-vault.js';
import { startNodeHost } from './host/node-host.js';
import {
  boldIn,
  codeIn,
  expectValidShell,
  programLines,
  proseOf,
  quotesIn,
  sentencePatternsIn,
  sentencesOf,
  wordsOf,
} from './markdown-pages.js';

/*
 * Everything that the guide marks up must exist in the program: **Savepoint: X** is a command in
 * the palette, **X** a text that the plugin shows, `x` a name that the program knows, “X” and text
 * after > are texts of the program, and shell lines are commands that it accepts.
 */

const root = fileURLToPath(new URL('..', import.meta.url));
const MOST_LINES = 70;

const pages = readdirSync(join(root, 'docs/guide')).map((file) => ({
  file,
  text: readFileSync(join(root, 'docs/guide', file), 'utf8'),
}));
const tools = allTools(createTestVault().toolkit).map(({ tool }) => tool);
const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.tsx?$/.test(path) && !/[\\/]i18n[\\/]de\b/.test(path))
  .map((path) => readFileSync(join(root, 'src', path), 'utf8'));
const shellCommands = Object.keys(COMMANDS);
const shellHelp = [overviewText(COMMANDS), ...Object.values(COMMANDS).map(commandText)].join('\n');

const { refusals } = en.connections.approvals;
const sentencePatterns = sources.flatMap(sentencePatternsIn);

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
      pages.flatMap(({ text }) => [
        ...programLines(text).map((line) => wordsOf(line)[0]),
        ...codeIn(text).map((code) => /^savepoint (\S+)/.exec(code)?.[1]),
      ]),
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
    expectValidShell(text);
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
  const quotes = pages.flatMap(({ text }) => quotesIn(text));

  it.each([
    ['a request nobody answered', refusals.tooLate(APPROVAL_TIMEOUT_MS / 1000)],
    ['a silent embeddings server', en.meaning.silent(REQUEST_TIMEOUT_MS / 1000)],
    ['the repository of another user', createProblems('Garden')('foreign').message],
    ['a full disk', fileErrorText('save', 'Savepoint/core/a.jsonl', 'ENOSPC')],
  ])('show what the program inserts for %s', (_, message) => {
    expect(quotes.filter((quote) => message.startsWith(quote))).toHaveLength(1);
  });
});

// Texts of the program

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

function agentDescriptions(): string[] {
  return Object.values(OPTIONAL_TOOLSETS).map(({ description }) => description);
}

function isKnown(code: string): boolean {
  if (/^(?:savepoint|node (?:\/path\/to\/)?main\.js)(?: |$)/.test(code)) return true; // checked as a shell line
  if (tools.some(({ name }) => name === code)) return true;
  if (/^[\w-]+$/.test(code) && code === code.toLowerCase()) return isWordOfShell(code);
  const [, slashWord] = /^\/(\w+)/.exec(code) ?? [];
  if (slashWord !== undefined && slashWord in en.chat.slash) return true;
  if (code.startsWith('--')) return code.split(/[ ,]/).every(isWordOfShell);
  if (/^[a-z]+[A-Z]\w*$/.test(code)) return false; // looks like a tool name
  const written = code.replace(/^Savepoint(?=\/)/, ''); // the default data folder
  return sources.some((source) => source.includes(written));
}

function isWordOfShell(word: string): boolean {
  return word in OPTIONAL_TOOLSETS || new RegExp(`(?<![\\w-])${word}(?![\\w-])`).test(shellHelp);
}
