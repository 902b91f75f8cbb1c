import { de } from './de.js';
import { en } from './en.js';

/** Every text that the plugin shows, in one file per language; a text with something to fill in is a function. */
type Texts = typeof en;

const LANGUAGES = new Map<string, Texts>([
  ['en', en],
  ['de', de],
]);

/** The texts in the language of the app. Read it when something is shown: a module's constant would keep the language of its import. */
export let text: Texts = en;

/** Chooses the language of all that is shown from now on, by Obsidian's code for it; English where there are no texts in it. */
export function chooseLanguage(code: string): void {
  text = LANGUAGES.get(code) ?? en;
}
