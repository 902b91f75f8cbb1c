/** Wraps a search. A superseded query is aborted and resolves to the newest query's result. */
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
