/** Units by what they measure, each with its size relative to the others. */
const UNITS: readonly Readonly<Record<string, number>>[] = [
  {
    millisecond: 0.001,
    ms: 0.001,
    second: 1,
    sekunde: 1,
    minute: 60,
    hour: 3600,
    stunde: 3600,
    day: 86_400,
    tag: 86_400,
    week: 604_800,
    woche: 604_800,
    month: 2_592_000,
    monat: 2_592_000,
    year: 31_536_000,
    jahr: 31_536_000,
  },
  { kb: 1, mb: 1e3, gb: 1e6, tb: 1e9 },
  { mm: 1, cm: 10, m: 1000, metre: 1000, meter: 1000, km: 1e6, kilometre: 1e6, kilometer: 1e6 },
  { g: 1, gram: 1, gramm: 1, kg: 1000, kilogram: 1000, kilogramm: 1000, kilo: 1000 },
];

const NUMBERS: Readonly<Record<string, number>> = {
  half: 0.5,
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  twelve: 12,
  twenty: 20,
  thirty: 30,
};

/** A number and its unit, as words. */
type Measure = readonly [value: string, unit: string];

/** Returns true if two measures are of one kind, such as times, but not the same. */
export function measuresDiffer(a: Measure, b: Measure): boolean {
  const [numberA, numberB] = [numberOf(a[0]), numberOf(b[0])];
  return UNITS.some((sizes) => {
    const [sizeA, sizeB] = [sizeOf(sizes, a[1]), sizeOf(sizes, b[1])];
    return sizeA !== undefined && sizeB !== undefined && numberA * sizeA !== numberB * sizeB;
  });
}

function numberOf(word: string): number {
  return NUMBERS[word] ?? Number(word);
}

/** Returns the size of a unit in the singular or plural. */
function sizeOf(sizes: Readonly<Record<string, number>>, unit: string): number | undefined {
  return [unit, unit.replace(/s$/, ''), unit.replace(/e?n$/, ''), unit.replace(/n$/, '')]
    .map((form) => (Object.hasOwn(sizes, form) ? sizes[form] : undefined))
    .find((size) => size !== undefined);
}

const PERIODS: readonly (readonly [RegExp, string])[] = [
  [/\b(hourly|(every|an|per) hour|stündlich)\b/, 'hour'],
  [/\b(daily|nightly|(every|a|per) (day|night)|jeden tag)\b|täglich/, 'day'],
  [/\b(weekly|(every|a|per) week|jede woche|(pro|die) woche)\b|wöchentlich/, 'week'],
  [/\b(monthly|(every|a|per) month|jeden monat|(pro|im) monat)\b|monatlich/, 'month'],
  [/\b(yearly|annually|(every|a|per) year|jedes jahr|(pro|im) jahr)\b|jährlich/, 'year'],
];

/**
 * Returns true if both titles, given as their words, say how often something happens, and not
 * equally often.
 */
export function frequenciesDiffer(a: readonly string[], b: readonly string[]): boolean {
  const periodOf = (words: readonly string[]) =>
    PERIODS.find(([pattern]) => pattern.test(words.join(' ')))?.[1];
  const [one, other] = [periodOf(a), periodOf(b)];
  return one !== undefined && other !== undefined && one !== other;
}
