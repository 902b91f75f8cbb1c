import { perForm } from './lib.js';
import { mean } from './meaning/judged.js';
import { createRandom } from './search-data.js';

const RESAMPLES = perForm(4000, 20);
/** On each side of an interval of 95 %. */
const TAIL = 0.025;

/** Returns the means of resampled differences, sorted. */
function resampledMeans(differences: readonly number[]): number[] {
  const random = createRandom(7);
  return Array.from({ length: RESAMPLES }, () =>
    mean(differences.map(() => differences[Math.floor(random() * differences.length)]!)),
  ).sort((a, b) => a - b);
}

/** Returns the 95 % interval of the mean of paired differences, by resampling. */
export function intervalOf(differences: readonly number[], tail = TAIL): [number, number] {
  const means = resampledMeans(differences);
  return [means[Math.floor(RESAMPLES * tail)]!, means[Math.ceil(RESAMPLES * (1 - tail)) - 1]!];
}

/** On each side of an interval of 99.9 %. */
const SMALL_TAIL = 0.0005;

/**
 * Returns true if the mean of paired differences is below zero in each of the halves, or at 99.9 %
 * in all of them together.
 */
export function isBelow(halves: readonly (readonly number[])[]): boolean {
  const isUnder = (differences: readonly number[], tail?: number) =>
    differences.length > 0 && intervalOf(differences, tail)[1] < 0;
  return halves.every((half) => isUnder(half)) || isUnder(halves.flat(), SMALL_TAIL);
}

/**
 * Returns the groups whose mean paired difference is below zero by more than chance, by resampling
 * and with Holm's correction for the number of groups.
 */
export function groupsBelow(groups: ReadonlyMap<string, readonly number[]>): string[] {
  const chances = Array.from(groups, ([name, differences]) => {
    const notBelow = resampledMeans(differences).filter((value) => value >= 0).length;
    return { name, chance: notBelow / RESAMPLES };
  }).sort((a, b) => a.chance - b.chance);
  const firstHeld = chances.findIndex(({ chance }, at) => chance > TAIL / (chances.length - at));
  return chances.slice(0, firstHeld < 0 ? undefined : firstHeld).map(({ name }) => name);
}
