import { describe, expect, it } from 'vitest';
import {
  firstView,
  goTo,
  placeBefore,
  placeKey,
  readViewState,
} from '../../../src/obsidian/memory/view-state.js';

const deep = { workspace: 'w', state: 's', other: 'o' };
const narrowed = { filter: 'beds', isArchived: true };

describe('the state of the memory view', () => {
  it('is restored as it was saved', () => {
    const view = { place: deep, workspaces: narrowed, states: { filter: '', isArchived: false } };
    expect(readViewState(JSON.parse(JSON.stringify(view)))).toEqual(view);
  });

  it.each([undefined, null, 7, 'x', [], {}, { place: 3, workspaces: [], states: { filter: 1 } }])(
    'falls back to the defaults for %j',
    (kept) => {
      expect(readViewState(kept)).toEqual(firstView);
    },
  );

  it('drops a state without a workspace, and a comparison without a state', () => {
    expect(readViewState({ place: { state: 's', other: 'o' } }).place).toEqual({});
    expect(readViewState({ place: { workspace: 'w', other: 'o' } }).place).toEqual({
      workspace: 'w',
    });
  });

  it('can be at a record, from which it goes back to the workspace', () => {
    const place = { workspace: 'w', record: 'r' };
    expect(goTo(firstView, place).place).toEqual(place);
    expect(readViewState({ ...firstView, place }).place).toEqual(place);
    expect(readViewState({ place: { record: 'r' } }).place).toEqual({});
    expect(placeKey(place)).not.toBe(placeKey({ workspace: 'w' }));
    expect(placeBefore(place)).toEqual({ workspace: 'w' });
  });

  it('goes back step by step', () => {
    expect(placeBefore(deep)).toEqual({ workspace: 'w', state: 's' });
    expect(placeBefore({ workspace: 'w', state: 's' })).toEqual({ workspace: 'w' });
    expect(placeBefore({ workspace: 'w' })).toEqual({});
    expect(placeBefore({})).toBeUndefined();
  });

  it('keeps the state filter within a workspace and resets it for another', () => {
    const at = { ...goTo(firstView, { workspace: 'w' }), states: narrowed };
    const there = goTo(goTo(at, { workspace: 'w', state: 's' }), { workspace: 'w' });
    expect(there.states).toEqual(narrowed);
    expect(goTo(there, {}).states).toEqual(narrowed);
    expect(goTo(there, { workspace: 'v' }).states).toEqual(firstView.states);
  });

  it('has a distinct key for each place', () => {
    expect(placeKey({ workspace: 'a' })).toBe(placeKey({ workspace: 'a', state: undefined }));
    expect(placeKey({ workspace: 'a' })).not.toBe(placeKey({ workspace: 'a', state: 'b' }));
    expect(placeKey({ workspace: 'a,b' })).not.toBe(placeKey({ workspace: 'a', state: 'b' }));
  });
});
