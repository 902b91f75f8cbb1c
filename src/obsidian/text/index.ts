import { en } from './en.js';

/** Every text that the plugin shows, in one file per language; a text with something to fill in is a function. */
export type Texts = typeof en;

export const text: Texts = en;
