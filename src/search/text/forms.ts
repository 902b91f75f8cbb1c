import { grown } from '../../platform/byte-writer.js';
import { formUnits } from './tokenize.js';

/** Spellings, numbered from 0 in the order in which they were met. */
export interface Forms {
  /** The number of the first `length` of `formUnits`; a spelling that is new gets the next one. */
  readonly numberOf: (length: number, hash: number) => number;
  readonly size: () => number;
}

/** In a table of slots, found by a hash of the caller's; spellings of different hashes are never the same. */
export function createForms(): Forms {
  let slots = new Int32Array(1 << 14).fill(-1);
  let units = new Uint16Array(1 << 17);
  let unitsEnd = 0;
  let starts = new Int32Array(1 << 13);
  let hashes = new Int32Array(1 << 13);
  let count = 0;

  const grow = () => {
    const more = starts.length * 2;
    starts = grown(starts, more);
    hashes = grown(hashes, more);
    slots = new Int32Array(more * 2).fill(-1);
    for (let form = 0; form < count; form++) slots[freeSlot(hashes[form]!)] = form;
  };

  const freeSlot = (hash: number) => {
    let slot = hash & (slots.length - 1);
    while (slots[slot]! >= 0) slot = (slot + 1) & (slots.length - 1);
    return slot;
  };

  const isForm = (form: number, hash: number, length: number) => {
    const start = starts[form]!;
    if (
      hashes[form] !== hash ||
      (form + 1 < count ? starts[form + 1]! : unitsEnd) - start !== length
    )
      return false;
    for (let at = 0; at < length; at++) if (units[start + at] !== formUnits[at]) return false;
    return true;
  };

  const add = (slot: number, length: number, hash: number) => {
    if (unitsEnd + length > units.length) units = grown(units, units.length * 2);
    const form = count++;
    starts[form] = unitsEnd;
    hashes[form] = hash;
    units.set(formUnits.subarray(0, length), unitsEnd);
    unitsEnd += length;
    slots[slot] = form;
    if (count === starts.length) grow();
    return form;
  };

  return {
    numberOf(length, hash) {
      let slot = hash & (slots.length - 1);
      for (let form = slots[slot]!; form >= 0; form = slots[slot]!) {
        if (isForm(form, hash, length)) return form;
        slot = (slot + 1) & (slots.length - 1);
      }
      return add(slot, length, hash);
    },
    size: () => count,
  };
}
