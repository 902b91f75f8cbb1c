import type { ListedWorkspace } from './listing.js';

/** Acknowledged writes of both sides. Every state and workspace has a unique description. */
export interface Ledger {
  /** By description of each state: true if its archiving was acknowledged. */
  readonly states: Map<string, { isArchived: boolean }>;
  /** By description of each workspace: its last acknowledged fields. */
  readonly workspaces: Map<string, { purpose: string; isArchived: boolean }>;
  /** Valid calls that failed. */
  readonly refusals: string[];
}

export function createLedger(): Ledger {
  return { states: new Map(), workspaces: new Map(), refusals: [] };
}

/**
 * Returns the descriptions of the states that a vault does not list, or does not list as archived
 * although they are.
 */
export function lostStates({ states }: Ledger, listing: readonly ListedWorkspace[]): string[] {
  const listed = new Map(
    listing.flatMap((workspace) =>
      workspace.states.map((state) => [state.description, state] as const),
    ),
  );
  return [...states]
    .filter(
      ([token, { isArchived }]) => (listed.get(token)?.isArchived ?? !isArchived) !== isArchived,
    )
    .map(([token]) => token);
}

/** Returns the descriptions of the workspaces that a vault does not list as last acknowledged. */
export function lostWorkspaces(
  { workspaces }: Ledger,
  listing: readonly ListedWorkspace[],
): string[] {
  const isAsSaved = (token: string, wanted: { purpose: string; isArchived: boolean }) =>
    listing.some(
      (found) =>
        found.description === token &&
        found.purpose === wanted.purpose &&
        found.isArchived === wanted.isArchived,
    );
  return [...workspaces]
    .filter(([token, wanted]) => !isAsSaved(token, wanted))
    .map(([token]) => token);
}
