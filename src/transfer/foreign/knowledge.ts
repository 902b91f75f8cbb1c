/** What stands where a state names its task, where there was none. */
export const KNOWLEDGE = 'No task: knowledge brought in from elsewhere';

/** Lists under their titles; what is empty is left out. */
export function sections(lists: readonly (readonly [string, readonly string[]])[]): string {
  return lists
    .filter(([, lines]) => lines.length > 0)
    .map(
      ([title, lines]) =>
        `${title}:\n${lines.map((line) => `- ${line.replaceAll('\n', '\n  ')}`).join('\n')}`,
    )
    .join('\n\n');
}
