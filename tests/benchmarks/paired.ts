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
export function intervalOf(differences: readonly number[]): [number, number] {
  const means = resampledMeans(differences);
  return [means[Math.floor(RESAMPLES * TAIL)]!, means[Math.ceil(RESAMPLES * (1 - TAIL)) - 1]!];
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
