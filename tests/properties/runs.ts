const ALL = Number(process.env['SAVEPOINT_RUNS'] ?? 1000);

/** The options of a property: how often it is tried. `share` of all runs where one run is dear. */
export function runs(share = 1): { numRuns: number } {
  return { numRuns: Math.max(1, Math.ceil(ALL * share)) };
}
