import * as z from 'zod';
import type { JsonObject } from '../../model/event.js';
import { nameProblem, splitMark } from '../../model/names.js';

/** Text whose problem, in words, `problemOf` knows. */
export function checkedText(problemOf: (text: string) => string | undefined) {
  return z.string().superRefine((text, check) => {
    const problem = problemOf(text);
    if (problem !== undefined) check.addIssue({ code: 'custom', message: problem });
  });
}

/** The name of something that is there. */
export const knownName = checkedText(nameProblem);

/** A name for something new. The mark of same-named things at its end would make it look like another's. */
export const newName = checkedText((name) => {
  const isMarked = splitMark(name).mark !== undefined;
  return (
    nameProblem(name) ??
    (isMarked
      ? 'ends in a mark like "⟨k3v9⟩", which tells same-named things apart; leave it out'
      : undefined)
  );
});

export const filledText = checkedText((text) =>
  text.trim() === '' ? 'is empty; say it in a few words' : undefined,
);

export const texts = z.array(filledText);

const PATH_LIMIT = 1000;

/** Paths of files. What is not there, or outside the vault, is kept: what was in use is worth knowing. */
export const filePaths = z.array(
  checkedText((path) => {
    if (path.trim() === '') return 'is empty; give a path, such as "Projects/Plan.md"';
    if (path.length > PATH_LIMIT) return `has ${path.length} characters; use at most ${PATH_LIMIT}`;
    return /\p{Cc}/u.test(path) ? 'has control characters; use a plain path' : undefined;
  }),
);

/** Free keys and values: what came as JSON is JSON. In the schema a bare object, for some clients reject more. */
export const freeObject = z
  .record(z.string(), z.unknown())
  .transform((value) => value as JsonObject);
