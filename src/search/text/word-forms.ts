import { resized } from '../../platform/bytes/bytes.js';
import { formUnits } from './tokenize.js';

/** Numbers word forms in order of first use: a hash table over one array of code units. */
export class WordForms {
  /** Open addressing; -1 for a free slot. */
  #slots = new Int32Array(1 << 14).fill(-1);
  #units = new Uint16Array(1 << 17);
  #unitsEnd = 0;
  #starts = new Int32Array(1 << 13);
  #hashes = new Int32Array(1 << 13);
  #count = 0;

  get size(): number {
    return this.#count;
  }

  /** The form is the first `length` units of `formUnits`. Forms with different hashes differ. */
  numberOf(length: number, hash: number): number {
    const slots = this.#slots;
    let slot = hash & (slots.length - 1);
    for (let form = slots[slot]!; form >= 0; form = slots[slot]!) {
      if (this.#isForm(form, hash, length)) return form;
      slot = (slot + 1) & (slots.length - 1);
    }
    return this.#add(slot, length, hash);
  }

  #isForm(form: number, hash: number, length: number): boolean {
    if (this.#hashes[form] !== hash) return false;
    const start = this.#starts[form]!;
    const end = form + 1 < this.#count ? this.#starts[form + 1]! : this.#unitsEnd;
    if (end - start !== length) return false;
    const units = this.#units;
    for (let at = 0; at < length; at++) if (units[start + at] !== formUnits[at]) return false;
    return true;
  }

  #add(slot: number, length: number, hash: number): number {
    if (this.#unitsEnd + length > this.#units.length)
      this.#units = resized(this.#units, this.#units.length * 2);
    const form = this.#count++;
    this.#starts[form] = this.#unitsEnd;
    this.#hashes[form] = hash;
    this.#units.set(formUnits.subarray(0, length), this.#unitsEnd);
    this.#unitsEnd += length;
    this.#slots[slot] = form;
    if (this.#count === this.#starts.length) this.#grow();
    return form;
  }

  #grow(): void {
    const capacity = this.#starts.length * 2;
    this.#starts = resized(this.#starts, capacity);
    this.#hashes = resized(this.#hashes, capacity);
    this.#slots = new Int32Array(capacity * 2).fill(-1);
    for (let form = 0; form < this.#count; form++)
      this.#slots[this.#freeSlot(this.#hashes[form]!)] = form;
  }

  #freeSlot(hash: number): number {
    const slots = this.#slots;
    let slot = hash & (slots.length - 1);
    while (slots[slot]! >= 0) slot = (slot + 1) & (slots.length - 1);
    return slot;
  }
}
