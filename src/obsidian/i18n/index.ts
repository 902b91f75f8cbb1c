import { germanTexts } from './de.js';
import { en } from './en.js';

/** Every text that the plugin shows; a text with parameters is a function. */
type Texts = typeof en;

const LANGUAGES = new Map<string, () => Texts>([['de', germanTexts]]);

/** Texts in the app's language. Read when shown: a module constant would freeze the language. */
export let text: Texts = en;

/** Sets the language by Obsidian's language code; English if there are no texts for it. */
export function chooseLanguage(code: string): void {
  text = LANGUAGES.get(code)?.() ?? en;
}
