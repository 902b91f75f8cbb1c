import { expect, it } from 'vitest';
import type { LogEvent } from '../../../src/model/event.js';
import { watermarkOf } from '../../../src/storage/integrity/watermark.js';
import { eventOf } from '../../fakes/events.js';

it('finding the watermarks among events does not parse the data of the others', () => {
  let reads = 0;
  const event: LogEvent = {
    ...eventOf({ t: 'state.new' }),
    get d() {
      reads++;
      return {};
    },
  };
  expect([watermarkOf(event), reads]).toEqual([undefined, 0]);
});
