import { describe, expect, it } from 'vitest';
import { distinctIds, shortId, stateRef, traceRef } from '../../../src/model/text/short-id.js';

const trace = traceRef({ c: 'fb348ec5', w: 'rqpx3sjttkuf', n: 2 });

describe('an id', () => {
  it('tells a state from a trace by its first letter', () => {
    expect(stateRef('7hq2m4x9zk3vtb8d')).toBe('s7hq2m4x9zk3vtb8d');
    expect(trace).toBe('tfb348ec5rqpx3sjttkuf2');
  });

  it('is shortened to a few characters', () => {
    expect(shortId(stateRef('7hq2m4x9zk3vtb8d'))).toBe('s7hq2m');
    expect(shortId(trace)).toBe('tfb348e');
  });
});

describe('distinctIds', () => {
  it('returns short ids if these differ', () => {
    expect(distinctIds(['sabcdefgh', trace])).toEqual(['sabcde', 'tfb348e']);
  });

  it('lengthens ids that begin alike', () => {
    expect(distinctIds(['sabcdefgh', 'sabcdexyz', 'sabcdefgz'])).toEqual([
      'sabcdefgh',
      'sabcdex',
      'sabcdefgz',
    ]);
  });

  it('returns an id as a whole if another one begins with it', () => {
    expect(distinctIds(['t12345678w1', 't12345678w12'])).toEqual(['t12345678w1', 't12345678w12']);
  });
});
