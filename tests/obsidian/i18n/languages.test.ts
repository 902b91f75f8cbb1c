import { readdirSync } from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { germanTexts } from '../../../src/obsidian/i18n/de.js';
import { en } from '../../../src/obsidian/i18n/en.js';
import { chooseLanguage, text } from '../../../src/obsidian/i18n/index.js';

const de = germanTexts();

type Fill = (...args: readonly unknown[]) => string;
type Leaf = string | Fill;

interface Language {
  readonly texts: typeof en;
  /** Paths of texts that equal the English ones. A path that ends in a dot covers its subtree. */
  readonly same: readonly string[];
  /** Quotation marks of other languages. */
  readonly foreignMarks: RegExp;
  /** English words that do not exist in the language. */
  readonly foreignWords: RegExp;
}

const LANGUAGES: Readonly<Record<string, Language>> = {
  de: {
    texts: de,
    same: [
      'sync.name',
      'chatAgents.plan',
      'chatAgents.settings.custom.placeholder', // a command
      'chat.title',
      'chat.tool.optional',
      'commands.createWorkspace.labels.name',
      'commands.createWorkspace.labels.workflows',
      'commands.saveState.labels.name',
      'commands.saveState.labels.tags',
      'commands.verify.details',
      'connections.approvals.action',
      'connections.approvals.refusals.', // for the model
      'connections.check.names.vault',
      'connections.connect.surfaces.compact',
      'connections.connect.vault',
      'connections.notices.did',
      'connections.well',
      'connections.wrong',
      'connections.settings.http.port.name',
      'connections.settings.restApi.states.failed',
      'connections.settings.restApi.states.off',
      'general.statusLabel',
      'meaning.protocol.name',
      'meaning.protocols.ollama',
      'memoryView.callFields.app',
      'memoryView.traceKinds.delegation',
      'records.kinds.phase',
      'settings.export.form',
      'settings.importForeign.programs.basic-memory',
      'settings.importForeign.programs.nexus',
      'settings.importForeign.programs.savepoint',
      'settings.storage.export.name',
      'settings.storage.import.name',
      'settings.traceMegabytes.unit',
    ],
    foreignMarks: /["”‘’«»]/u,
    foreignWords:
      /(?<!\p{L})(?:the|and|of|to|is|are|with|not|be|this|that|it|its|for|from|your|you|here|there|by|on|or|if|no)(?!\p{L})/iu,
  },
};

/**
 * Texts that format their arguments: the arguments, and how English and the other language show
 * them.
 */
const SAMPLES: Readonly<
  Record<
    string,
    { readonly args: readonly unknown[]; readonly shown: readonly (readonly [string, string])[] }
  >
> = {
  'calls.label': {
    args: ['createState', 'Save state'],
    shown: [['Save state', 'Stand speichern']],
  },
  'calls.within': {
    args: ['Beds', 1234],
    shown: [['1,234', '1.234']],
  },
  'chat.spent': {
    args: [5678, 1.5],
    shown: [
      ['5,678', '5.678'],
      ['1.50', '1,50'],
    ],
  },
  'chat.import.problem': {
    args: [{ entry: 1234, title: 'Garden', kind: 'damaged' }],
    shown: [
      ['1,234', '1.234'],
      ['Garden', 'Garden'],
    ],
  },
  'chat.meterOf': {
    args: ['40K', '128K', 0.31],
    shown: [
      ['40K', '40K'],
      ['128K', '128K'],
      ['31%', '31 %'],
    ],
  },
  'chat.context.nearLimit': { args: [0.81], shown: [['81%', '81 %']] },
  'commands.verify.agreement': {
    args: [{ device: 'mac', at: '2026-11-20T09:05:00Z', state: 'lags', here: 1234, there: 567 }],
    shown: [
      ['1234', '1.234'],
      ['567', '567'],
    ],
  },
  'commands.rebuilt': { args: [2500], shown: [['2.5', '2,5']] },
};

/** Texts with an argument that only selects the wording. */
const CHOOSING = new Set([
  'chat.list.found',
  'chatAgents.failures.missing',
  'memoryView.sessionsNaming',
  'settings.importForeign.found',
]);

const NAMES = ['‹one›', '‹two›', '‹three›'];
const NUMBERS = [1234, 5678, 9876];

/** Returns every text with its path, for example `chat.call.again` or `chat.import.how.0`. */
function leavesOf(node: object, path = ''): [string, Leaf][] {
  return Object.entries(node).flatMap(([key, child]: [string, Leaf | object]) =>
    typeof child === 'object'
      ? leavesOf(child, `${path}${key}.`)
      : [[`${path}${key}`, child] as [string, Leaf]],
  );
}

const { locale: _, ...englishTexts } = en;
const english = new Map(leavesOf(englishTexts));

function isListed(path: string, paths: readonly string[]): boolean {
  return paths.some((listed) => (listed.endsWith('.') ? path.startsWith(listed) : path === listed));
}

/** Fills a text in with names and with counts, which may change its wording. */
function filled(path: string, leaf: Leaf): string[] {
  if (typeof leaf === 'string') return [leaf];
  const sample = SAMPLES[path];
  if (sample) return [leaf(...sample.args)];
  const counts = [0, 1, 2, 1234].map((count) => leaf(count, count, count));
  return [leaf(...NAMES), ...counts].filter((told) => !told.includes('NaN'));
}

/** Returns the arguments that a text shows, as they are or formatted for its locale. */
function told(
  shown: string,
  args: readonly (string | number)[],
  locale: string,
): (string | number)[] {
  return args.filter(
    (arg) => shown.includes(String(arg)) || shown.includes(arg.toLocaleString(locale)),
  );
}

test('every language file is covered by this test', () => {
  const folder = readdirSync(new URL('../../../src/obsidian/i18n', import.meta.url));
  const codes = folder
    .filter((name) => name.endsWith('.ts') && name !== 'index.ts')
    .map((name) => name.slice(0, -3));
  expect(codes.toSorted()).toEqual(['en', ...Object.keys(LANGUAGES)].toSorted());
});

describe.each(Object.entries(LANGUAGES))(
  '%s',
  (code, { texts, same, foreignMarks, foreignWords }) => {
    const { locale, ...own } = texts;
    const leaves = new Map(leavesOf(own));
    const pairs = [...leaves].map(([path, leaf]) => ({
      path,
      leaf,
      inEnglish: english.get(path) ?? '',
    }));
    const shown = pairs.flatMap(({ path, leaf }) =>
      isListed(path, same) ? [] : filled(path, leaf).map((each) => ({ path, each })),
    );

    /** Returns the paths of texts for which the predicate differs from English. */
    function unlike(is: (each: string) => boolean): string[] {
      const told = (path: string, leaf: Leaf) => filled(path, leaf).map(is).join();
      return pairs
        .filter(({ path, leaf, inEnglish }) => told(path, leaf) !== told(path, inEnglish))
        .map(({ path }) => path);
    }

    test('has the same texts and parameters as English', () => {
      const shapeOf = (leaf: Leaf) => (typeof leaf === 'string' ? 'text' : leaf.length);
      const shapes = (all: Map<string, Leaf>) =>
        Object.fromEntries([...all].map(([path, leaf]) => [path, shapeOf(leaf)]));
      expect(shapes(leaves)).toEqual(shapes(english));
    });

    test('has the same wording as English only where listed', () => {
      const alike = pairs.filter(
        ({ path, leaf, inEnglish }) => filled(path, leaf).join() === filled(path, inEnglish).join(),
      );
      const paths = alike.map(({ path }) => path);
      expect(paths.filter((path) => !isListed(path, same))).toEqual([]);
      expect(same.filter((listed) => !paths.some((path) => isListed(path, [listed])))).toEqual([]);
    });

    test('has no empty text', () => {
      expect(shown.filter(({ each }) => each.trim() === '')).toEqual([]);
    });

    test('ends texts with the same punctuation as English', () => {
      expect(unlike((each) => each.endsWith('…'))).toEqual([]);
      expect(unlike((each) => /[.!?][”“"]?$/u.test(each))).toEqual([]);
      expect(shown.filter(({ each }) => each.includes('...'))).toEqual([]);
    });

    test('uses its own quotation marks, in pairs', () => {
      expect(shown.filter(({ each }) => foreignMarks.test(each))).toEqual([]);
      const count = (each: string, mark: string) => each.split(mark).length;
      expect(shown.filter(({ each }) => count(each, '„') !== count(each, '“'))).toEqual([]);
    });

    test('contains no English words', () => {
      expect(shown.filter(({ each }) => foreignWords.test(each))).toEqual([]);
    });

    test('shows every argument that English shows', () => {
      for (const { path, leaf, inEnglish } of pairs) {
        if (typeof leaf === 'string' || typeof inEnglish === 'string') continue;
        const sample = SAMPLES[path];
        for (const [ours, others] of sample?.shown ?? []) {
          expect(inEnglish(...sample!.args), path).toContain(ours);
          expect(leaf(...sample!.args), path).toContain(others);
        }
        if (sample) continue;
        for (const all of [NAMES, NUMBERS]) {
          const args = all.slice(0, inEnglish.length);
          const expected = told(inEnglish(...args), args, 'en');
          if (!CHOOSING.has(path)) expect(expected, path).toEqual(args);
          expect(told(leaf(...args), args, locale), path).toEqual(expected);
        }
      }
    });

    test('is used when its code is chosen', () => {
      onTestFinished(() => chooseLanguage('en'));
      chooseLanguage(code);
      expect(text).toEqual(texts);
      expect(locale).toBe(code);
    });
  },
);
