/** Draws costs over sizes on logarithmic axes, readable on light and dark pages. */

const [WIDTH, HEIGHT] = [720, 400];
const PLOT = { left: 70, right: 540, top: 40, bottom: 340 };
/** Dashes distinguish the curves without colours. */
const LOOKS = [
  { light: '#6d28d9', dark: '#c4b5fd', dash: '' },
  { light: '#047857', dark: '#6ee7b7', dash: '8 4' },
  { light: '#b45309', dark: '#fcd34d', dash: '2 4' },
  { light: '#1d4ed8', dark: '#93c5fd', dash: '12 4 2 4' },
];

/**
 * Returns the chart as SVG.
 * @param {readonly { name: string, size: number, cost: number }[]} points Costs are in
 * milliseconds.
 * @param {string} title
 */
export function drawCurves(points, title) {
  const names = [...new Set(points.map(({ name }) => name))];
  const x = scale(
    points.map(({ size }) => size),
    PLOT.left,
    PLOT.right,
  );
  const y = scale(
    points.map(({ cost }) => cost),
    PLOT.bottom,
    PLOT.top,
  );
  const curves = names.map((name, at) => ({
    name,
    at,
    own: points.filter((point) => point.name === name),
  }));
  const heights = spread(curves.map(({ own }) => y.place(own.at(-1).cost)));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" role="img" aria-label="${inText(title)}">`,
    `<title>${inText(title)}</title>`,
    `<style>${styles(names.length)}</style>`,
    `<text class="title" x="${PLOT.left}" y="22">${inText(title)}</text>`,
    ...x.ticks.map((tick) => line(x.place(tick), PLOT.top, x.place(tick), PLOT.bottom)),
    ...y.ticks.map((tick) => line(PLOT.left, y.place(tick), PLOT.right, y.place(tick))),
    ...x.ticks.map(
      (tick) =>
        `<text x="${round(x.place(tick))}" y="${PLOT.bottom + 20}" text-anchor="middle">${inWords(tick)}</text>`,
    ),
    ...y.ticks.map(
      (tick) =>
        `<text x="${PLOT.left - 8}" y="${round(y.place(tick)) + 4}" text-anchor="end">${inWords(tick)} ms</text>`,
    ),
    `<text x="${(PLOT.left + PLOT.right) / 2}" y="${PLOT.bottom + 44}" text-anchor="middle">states or calls held</text>`,
    ...curves.flatMap(({ name, at, own }) => [
      `<polyline class="c${at}" points="${own.map(({ size, cost }) => `${round(x.place(size))},${round(y.place(cost))}`).join(' ')}"/>`,
      ...own.map(
        ({ size, cost }) =>
          `<circle class="c${at}" cx="${round(x.place(size))}" cy="${round(y.place(cost))}" r="4"><title>${inText(name)} among ${inWords(size)}: ${cost.toPrecision(3)} ms</title></circle>`,
      ),
      `<text class="t${at}" x="${round(x.place(own.at(-1).size)) + 10}" y="${round(heights[at]) + 4}">${inText(name)}</text>`,
    ]),
    '</svg>',
    '',
  ].join('\n');
}

/** Returns the surrounding powers of ten, and each value's position between them. */
function scale(values, from, to) {
  const low = Math.floor(Math.log10(Math.min(...values)) + 1e-9);
  const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(...values)) - 1e-9));
  return {
    ticks: Array.from({ length: high - low + 1 }, (_, at) => 10 ** (low + at)),
    place: (value) => from + ((Math.log10(value) - low) / (high - low)) * (to - from),
  };
}

/** Moves labels apart so they do not overlap. */
function spread(heights) {
  const moved = [...heights];
  const order = heights.map((_, at) => at).sort((a, b) => heights[a] - heights[b]);
  for (const [place, at] of order.entries())
    if (place > 0) moved[at] = Math.max(moved[at], moved[order[place - 1]] + 16);
  return moved;
}

function styles(count) {
  const looks = Array.from({ length: count }, (_, at) => LOOKS[at % LOOKS.length]);
  const colours = (mode) =>
    looks
      .map(
        (look, at) =>
          `circle.c${at},.t${at}{fill:${look[mode]}}polyline.c${at}{stroke:${look[mode]}}`,
      )
      .join('');
  return [
    'text{font:13px system-ui,sans-serif;fill:#374151}.title{font-weight:600}line{stroke:#9ca3af;stroke-opacity:.4}polyline{fill:none;stroke-width:2}',
    looks
      .map(({ dash }, at) => (dash === '' ? '' : `polyline.c${at}{stroke-dasharray:${dash}}`))
      .join(''),
    colours('light'),
    `@media (prefers-color-scheme:dark){text{fill:#d1d5db}${colours('dark')}}`,
  ].join('');
}

function line(x1, y1, x2, y2) {
  return `<line x1="${round(x1)}" y1="${round(y1)}" x2="${round(x2)}" y2="${round(y2)}"/>`;
}

const round = (value) => Math.round(value * 10) / 10;
const inWords = (value) => value.toLocaleString('en', { maximumSignificantDigits: 3 });
const inText = (text) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
