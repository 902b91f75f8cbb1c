/**
 * Answers each query with what the newest one found: whoever is overtaken while it is looked for gets the later answer, so that
 * an old one is never shown over a new one.
 */
export function newestOnly<T>(
  find: (query: string, isOvertaken: () => boolean) => Promise<T>,
): (query: string) => Promise<T> {
  let turn = 0;
  let newest: Promise<T>;
  return (query) => {
    const own = ++turn;
    const isOvertaken = () => own !== turn;
    const answer = async () => {
      try {
        const found = await find(query, isOvertaken);
        if (!isOvertaken()) return found;
      } catch (error) {
        if (!isOvertaken()) throw error;
      }
      return newest;
    };
    newest = answer();
    return newest;
  };
}
