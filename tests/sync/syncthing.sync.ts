import { describe } from 'vitest';
import { describeScenarios } from './scenarios.js';
import { createSyncthingPair } from './syncthing-pair.js';
import { whySyncthingIsAbsent } from './syncthing.js';

const reason = whySyncthingIsAbsent();
if (reason !== undefined) process.stderr.write(`\nNOT TESTED with Syncthing: ${reason}.\n\n`);

describe.skipIf(reason !== undefined)('two folders that Syncthing syncs', () => {
  describeScenarios('Syncthing', createSyncthingPair);
});
