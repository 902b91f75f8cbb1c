import { fileNameOf, toAppSpelling } from '../../../model/paths.js';
import type { Savepoint } from '../../savepoint.js';
import { text } from '../../i18n/index.js';
import { addList, type BuiltList, type ListField } from './fields.js';
import { filePaths, offeredPaths } from './text-suggest.js';

/** Adds a list of paths, which suggests the vault's files. */
export function addFileList(
  form: HTMLElement,
  savepoint: Savepoint,
  field: Omit<ListField, 'app' | 'placeholder' | 'suggest' | 'read'>,
): BuiltList {
  const paths = filePaths(savepoint);
  return addList(form, {
    ...field,
    app: savepoint.app,
    placeholder: text.commands.form.addNote,
    suggest: (typed) => offeredPaths(paths, typed),
    read: (typed) => [toAppSpelling(typed).trim()],
  });
}

/** Returns the first note's name and the number of other files, such as `Beds +2`. */
export function shownFiles([first = '', ...others]: readonly string[]): string {
  const name = fileNameOf(first).replace(/\.md$/u, '');
  return others.length === 0 ? name : `${name} +${others.length}`;
}
