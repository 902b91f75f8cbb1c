/** How figures are told: on the screen, and in RESULTS.md, which holds nothing that was not on the screen. */

/**
 * @typedef {{ what: string, value: number, limit?: number, least?: number, unit?: string, isTold?: boolean }} Figure
 * @typedef {{ question: string, figures: readonly Figure[], facts: string }} Answered What was asked and found, and where: the machine, the version of the code.
 */

export const SUMMARY = 'In short';

/** @param {Figure} figure */
export function isHeld({ value, limit, least }) {
  return (limit === undefined || value <= limit) && (least === undefined || value >= least);
}

/** @param {Figure} figure */
export function valueText({ value, unit = '' }) {
  const digits = Number.isInteger(value) ? 0 : value < 2 ? 3 : 2;
  return `${value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })}${unit}`;
}

/** What the figure must be, and whether it is; empty where nothing is asked of it. */
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
 * The page, with what was answered now in the place of what stood there of the same questions.
 * @param {string} page What is there so far, or nothing.
 * @param {readonly Answered[]} answered
 * @param {readonly string[]} questions All that there are: what was asked once and is not any more goes.
 */
export function withResults(page, answered, questions) {
  const held = sectionsOf(page);
  for (const each of answered) held.set(each.question, sectionText(each));
  const sections = questions.flatMap((question) =>
    held.has(question) ? [`## ${question}\n\n${held.get(question)}`] : [],
  );
  return [
    '# Results',
    'What `npm run bench -- --write` has printed: written by it, never by hand. Each question was asked in one run, of both sides in turns; what is in bold stands in the summary.',
    `## ${SUMMARY}`,
    summaryText(sections),
    ...sections,
  ]
    .join('\n\n')
    .concat('\n');
}

/** What stands under each heading of the second rank. */
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
function sectionText({ figures, facts }) {
  const rows = figures.map((figure) => {
    const cells = [figure.what.trim(), valueText(figure), boundText(figure)];
    return row(figure.isTold ? cells.map((cell) => cell && `**${cell}**`) : cells);
  });
  return [
    facts,
    [row(['What', 'Figure', 'Bound']), '| --- | ---: | --- |', ...rows].join('\n'),
  ].join('\n\n');
}

function summaryText(sections) {
  const all = sections.join('\n').split('\n');
  const told = all.filter((line) => line.startsWith('| **'));
  const missed = all.filter((line) => line.includes(', MISSED')).length;
  const bound = all.filter((line) => /\| \**at (?:most|least) /.test(line)).length;
  const plain = told.map((line) => line.replaceAll('**', ''));
  return [
    `Of ${bound} bounds, ${bound - missed} are held and ${missed} missed.`,
    [row(['What', 'Figure', 'Bound']), '| --- | ---: | --- |', ...plain].join('\n'),
  ].join('\n\n');
}

const row = (cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;

/**
 * The summary of the page, without its heading; undefined where there is none.
 * @param {string} page
 */
export function summaryOf(page) {
  return sectionsOf(page).get(SUMMARY);
}
