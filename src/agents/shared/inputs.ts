import * as z from 'zod';
import type { JsonObject } from '../../model/event.js';
import { ALL_WORKSPACES, isAllWorkspaces } from '../../toolkit/context.js';
import {
  existingNameProblem,
  MAX_TITLE_LENGTH,
  nameProblem,
  splitMark,
} from '../../model/names.js';

/** `problemOf` returns a predicate such as "is empty", or undefined for valid text. */
export function validatedText(problemOf: (text: string) => string | undefined) {
  return z.string().superRefine((text, check) => {
    const problem = problemOf(text);
    if (problem !== undefined) check.addIssue({ code: 'custom', message: problem });
  });
}

/** The name of something that exists. */
export const existingName = validatedText((name) => existingNameProblem(name));

/** The title or id of a record that exists. */
export const existingTitle = validatedText((title) => existingNameProblem(title, MAX_TITLE_LENGTH));

/** A name for something new. It must not end in a mark like that of a duplicate name. */
const newNameUpTo = (limit?: number) =>
  validatedText(
    (name) =>
      nameProblem(name, limit) ??
      (splitMark(name).mark === undefined
        ? undefined
        : 'ends in a mark like "⟨k3v9⟩", which is reserved for duplicate names; leave it out'),
  );

export const newName = newNameUpTo();
export const newTitle = newNameUpTo(MAX_TITLE_LENGTH);
/** Decisions or questions of a state, which become titles of records. */
export const newTitles = z.array(newTitle).describe(`≤ ${MAX_TITLE_LENGTH} characters each`);

export const newWorkspaceName = newName.refine((name) => !isAllWorkspaces(name), {
  error: `is reserved, because workspaceId "${ALL_WORKSPACES}" stands for every workspace; choose another name`,
});

export const nonEmptyText = validatedText((text) =>
  text.trim() === '' ? 'is empty; describe it in a few words' : undefined,
);

/** A part of something that may be too long for one answer. */
export const partInput = z.number().int().min(1).max(10_000).default(1);

export const textList = z.array(nonEmptyText);

const MAX_PATH_LENGTH = 1000;

/** Accepts paths that are missing or outside the vault, as they still record what was in use. */
export const filePaths = z.array(
  validatedText((path) => {
    if (path.trim() === '') return 'is empty; pass a path, such as "Projects/Plan.md"';
    if (path.length > MAX_PATH_LENGTH)
      return `has ${path.length} characters; use at most ${MAX_PATH_LENGTH}`;
    return /\p{Cc}/u.test(path) ? 'has control characters; use a plain path' : undefined;
  }),
);

/** Any object. Its schema is a bare object, because some clients reject anything more specific. */
export const jsonObject = z
  .record(z.string(), z.unknown())
  .transform((value) => value as JsonObject);
