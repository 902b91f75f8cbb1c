/** The local storage of one vault, over values as JSON, which it shares with other windows. */
export function createLocalStorage(values = new Map<string, string>()) {
  return {
    values,
    loadLocalStorage: (key: string): unknown => JSON.parse(values.get(key) ?? 'null') as unknown,
    saveLocalStorage: (key: string, value: unknown): void => {
      if (value === null) values.delete(key);
      else values.set(key, JSON.stringify(value));
    },
  };
}
