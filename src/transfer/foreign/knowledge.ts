/** Task of states from programs without tasks. It is part of their ids, so it must not change. */
export const NO_TASK = 'No task: knowledge brought in from elsewhere';

/** Formats lists under their titles; omits empty ones. */
export function titledLists(lists: readonly (readonly [string, readonly string[]])[]): string {
  return lists
    .filter(([, lines]) => lines.length > 0)
    .map(
      ([title, lines]) =>
        `${title}:\n${lines.map((line) => `- ${line.replaceAll('\n', '\n  ')}`).join('\n')}`,
    )
    .join('\n\n');
}
