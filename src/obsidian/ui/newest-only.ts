/**
 * Wraps a search so that every query resolves to the result of the newest one: a query that is superseded while it runs is aborted
 * and resolves to the later result, so an old one is never shown over a new one.
 */
export function newestOnly<T>(
  find: (query: string, signal: AbortSignal) => Promise<T>,
): (query: string) => Promise<T> {
  let current = new AbortController();
  let newest: Promise<T>;

  async function run(query: string, signal: AbortSignal): Promise<T> {
    try {
      const found = await find(query, signal);
      if (!signal.aborted) return found;
    } catch (error) {
      if (!signal.aborted) throw error;
    }
    return newest;
  }

  return (query) => {
    current.abort();
    current = new AbortController();
    newest = run(query, current.signal);
    return newest;
  };
}
