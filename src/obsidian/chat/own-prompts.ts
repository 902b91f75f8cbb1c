import { getFrontMatterInfo, type TFile } from 'obsidian';
import { isWithin } from '../../model/paths.js';
import type { Savepoint } from '../savepoint.js';
import { isOffered } from '../ui/forms/offered-path.js';

/** A note in the prompt folder, which the composer offers as a slash command. */
export interface OwnPrompt {
  /** The note's name, with hyphens for spaces. */
  readonly name: string;
  /** The note's property `description`; `''` if it has none. */
  readonly description: string;
  readonly file: TFile;
}

/** Returns the user's prompts by name; none if no folder is chosen. */
export function ownPrompts(savepoint: Savepoint): OwnPrompt[] {
  const { app, settings } = savepoint;
  const { promptFolder } = settings;
  if (promptFolder === '') return [];
  return app.vault
    .getMarkdownFiles()
    .filter(({ path }) => isWithin(path, promptFolder) && isOffered(savepoint, path))
    .map((file) => {
      const described: unknown = app.metadataCache.getFileCache(file)?.frontmatter?.['description'];
      return {
        name: file.basename.trim().replace(/\s+/gu, '-'),
        description: typeof described === 'string' ? described : '',
        file,
      };
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Reads a prompt: the note's text below its properties. */
export async function readPrompt({ app }: Savepoint, file: TFile): Promise<string> {
  const whole = await app.vault.cachedRead(file);
  return whole.slice(getFrontMatterInfo(whole).contentStart).trim();
}
