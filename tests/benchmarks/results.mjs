/** Formats measurements for the terminal and for docs/benchmarks.md. */

/**
 * @typedef {{ what: string, value: number, limit?: number, least?: number, unit?: string,
 * isHighlighted?: boolean, isMissing?: boolean }} Figure
 * @typedef {{ name: string, question: string, figures: readonly Figure[], facts: string }} Answered
 * A question's results with the name of the benchmark, the machine and the version of the code.
 */

const SUMMARY = 'Summary';
const MISSED = 'Missed bounds';

/** Why a question misses a bound, and what it would take to meet it. */
const REASONS = {
  'How long does a client wait for the bridge: for its start, for its first call, and with 50 concurrent clients?':
    'V8 scans all of main.js before it runs any of it, so meeting the bound at the start takes less code; at this rate the one process is busy nearly all the time, and calls wait for each other.',
  'What do the start of a captured session and that of an MCP server cost, with 10,000 states, compared with an empty Node program?':
    'Node 22 and later start in less than half the time of Node 20, and the MCP SDK builds its schemas in the same time; meeting the bound there takes an SDK that builds them when they are first used.',
  'How much slower is a durable createState than a bare append and fdatasync of the same bytes?':
    'the append is four trips to the thread pool, and a save ten, to see before and after it that nothing else has changed the log; it also looks for secrets and makes the text of its trace.',
  'How does the cost of a write, a read and a search grow with the memory?':
    'all states here have the same text but for a number, so that all tie, and all that tie are ranked; where texts differ, few do.',
  'Does the app stay responsive while the plugin starts and reads 10,000 states and 100,000 tool calls?':
    'V8 scans 2.7 MB of code even if nothing calls it, and the bound takes half of that; the longest tasks are one that saves the startup cache and the first rendering of 10,000 rows.',
  'How fast is keyword search of short and of long notes, compared with minisearch with whole notes?':
    'a fifth of a build is reading Markdown, and two fifths finding words in several languages with their places; whole notes without places need neither.',
  'What does the embedding table add to keyword search, and what does it cost?':
    'for the 161 questions whose answer is spread over several sessions, 0.82 of these sessions are found, and 0.98 for the other 836; meeting the bound takes a search for each part of such a question.',
  'What does a log of 1,000,000 events cost, 50,000 of them in the core lane?':
    'an event takes CPU time of its own, so clients that share a sync gain 50 times only on a disk that takes longer than 1 ms to sync.',
  'What does searching a whole vault cost, from the first scan to the answer?':
    'a third of the build is vectors, which minisearch does not have; meeting the bounds takes less work per note, and an index that is checked in pieces when it starts.',
  'How good is keyword search, compared with minisearch with the same stems and stop words?':
    'for the 161 questions whose answer is spread over several sessions, 0.78 of these sessions are found, and 0.98 for the other 836; meeting the bound takes search by meaning as well, and a search for each part of such a question.',
  'How fast and how small is search, compared with minisearch with the same passages, stems and stop words?':
    'each posting has positions, for phrases and excerpts, which minisearch does not store; meeting the bounds takes postings without them for words of which nobody asks a phrase.',
  'What do a write, a read and a search cost compared with server-memory, over stdio, with the same client?':
    'server-memory keeps everything in memory and checks nothing; the first search of a process runs code that is not compiled yet, and reads, checks and folds the log before it answers; meeting the bound takes a kept snapshot of the fold.',
  'What does start-up with 50,000 core events cost compared with reading and CRC-checking the same files?':
    'events are folded into the memory as well, and become objects, whose garbage is collected; meeting the bound takes a kept snapshot of the fold.',
};
const NO_REASON = 'the reason is not known yet and has to be examined first.';

/** @param {Figure} figure */
export function isHeld({ value, limit, least }) {
  return (limit === undefined || value <= limit) && (least === undefined || value >= least);
}

/** @param {Figure} figure */
export function valueText({ value, unit = '' }) {
  if (Number.isNaN(value)) return '–';
  const digits = Number.isInteger(value) ? 0 : value < 2 ? 3 : 2;
  return `${value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })}${unit}`;
}

/** Returns the bound and whether it is met; empty if there is none. */
export function boundText(figure) {
  const { limit, least, unit = '' } = figure;
  if (limit === undefined && least === undefined) return '';
  const bound = limit !== undefined ? `at most ${limit}${unit}` : `at least ${least}${unit}`;
  return isHeld(figure) ? bound : `${bound}, MISSED`;
}

/** @param {readonly Figure[]} figures */
export function screenText(figures) {
  const width = Math.max(...figures.map(({ what }) => what.length));
  return figures
    .map((figure) => {
      const bound = boundText(figure);
      return `  ${figure.what.padEnd(width)} ${valueText(figure).padStart(16)}${bound && `  (${bound})`}\n`;
    })
    .join('');
}

/**
 * Returns the page with the new results replacing the old ones of the same questions.
 * @param {string} page The current page, or an empty string.
 * @param {readonly Answered[]} answered
 * @param {readonly string[]} questions All questions; sections of other questions are removed.
 * @param {ReadonlyMap<string, string>} outdated Names of the benchmarks that are out of date, by
 * question.
 */
export function withResults(page, answered, questions, outdated = new Map()) {
  const held = sectionsOf(page);
  for (const each of answered) held.set(each.question, sectionText(each));
  const known = questions.filter((question) => held.has(question));
  const sections = known.map((question) => `## ${question}\n\n${held.get(question)}`);
  const current = sections.filter((_, at) => !outdated.has(known[at]));
  return [
    '# Benchmarks',
    'Written by `npm run bench -- --write`, never by hand. Each question was measured in one run, alternating between both sides; rows in bold are part of the summary.',
    `## ${SUMMARY}`,
    summaryText(
      current,
      known.flatMap((question) => outdated.get(question) ?? []),
    ),
    ...missedText(current),
    ...sections,
  ]
    .join('\n\n')
    .concat('\n');
}

/**
 * Returns the commit at which a question was measured; undefined if the page does not say so.
 * @param {string} page
 * @param {string} question
 * @returns {{ commit: string, hadChanges: boolean } | undefined}
 */
export function commitOf(page, question) {
  const [, commit, changes] =
    /; commit ([0-9a-f]+)( and changes)?, /.exec(sectionsOf(page).get(question) ?? '') ?? [];
  return commit === undefined ? undefined : { commit, hadChanges: changes !== undefined };
}

/** Returns the text under each second-level heading. */
function sectionsOf(page) {
  const [, ...parts] = `\n${page}`.split('\n## ');
  return new Map(
    parts.map((part) => {
      const end = part.indexOf('\n');
      return [part.slice(0, end).trim(), part.slice(end).trim()];
    }),
  );
}

/** @param {Answered} answered */
function sectionText({ name, figures, facts }) {
  const rows = figures.map((figure) => {
    const cells = [figure.what.trim(), valueText(figure), boundText(figure)];
    return row(figure.isHighlighted ? cells.map((cell) => cell && `**${cell}**`) : cells);
  });
  return [
    `${facts}, \`npm run bench -- ${name}\``,
    [row(['What', 'Figure', 'Bound']), '| --- | ---: | --- |', ...rows].join('\n'),
  ].join('\n\n');
}

/**
 * @param {readonly string[]} sections Those that are not out of date.
 * @param {readonly string[]} outdated Names of the benchmarks of the others.
 */
function summaryText(sections, outdated) {
  const all = sections.join('\n').split('\n');
  const highlighted = all.filter((line) => line.startsWith('| **'));
  const missed = all.filter((line) => line.includes(', MISSED')).length;
  const bound = all.filter((line) => /\| \**at (?:most|least) /.test(line)).length;
  const plain = highlighted.map((line) => line.replaceAll('**', ''));
  const names = outdated.map((name) => `\`${name}\``).join(', ');
  const count = outdated.length === 1 ? '1 row is' : `${outdated.length} rows are`;
  return [
    `Of ${bound} bounds of current rows, ${bound - missed} are met and ${missed} are missed.${names && ` ${count} out of date: ${names}.`}`,
    [row(['What', 'Figure', 'Bound']), '| --- | ---: | --- |', ...plain].join('\n'),
  ].join('\n\n');
}

/** Returns a section with one sentence per question that misses a bound; nothing if all are met. */
function missedText(sections) {
  const missed = sections.filter((section) => section.includes(', MISSED'));
  const sentences = missed.map((section) => {
    const question = section.slice('## '.length, section.indexOf('\n'));
    return `- _${question}_ ${toSentence(REASONS[question] ?? NO_REASON)}`;
  });
  return missed.length === 0 ? [] : [`## ${MISSED}`, sentences.join('\n')];
}

const toSentence = (text) => text.charAt(0).toUpperCase() + text.slice(1);

const row = (cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
