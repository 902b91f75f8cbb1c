import type { ChromiumHost } from '../chromium.js';

/** Returns a text as it may be in a file: as it is, escaped in JSON, and in base64. */
export function formsOf(secret: string): string[] {
  const once = JSON.stringify(secret).slice(1, -1);
  const twice = JSON.stringify(once).slice(1, -1);
  const encoded = [secret, once].flatMap((text) =>
    [0, 1, 2].map((offset) =>
      Buffer.from(`${'x'.repeat(offset)}${text}`)
        .toString('base64')
        .slice(4, -4),
    ),
  );
  return [secret, once, twice, ...encoded];
}

/**
 * Returns the places of a device in the browser that contain one of these texts: files of the
 * vault, rows of its databases, and entries of its local storage.
 */
export function placesWith({ page }: ChromiumHost, forms: readonly string[]): Promise<string[]> {
  return page.evaluate(async (texts) => {
    const found: string[] = [];
    const asText = (value: unknown): string => {
      if (typeof value === 'string') return value;
      if (value instanceof ArrayBuffer) return new TextDecoder().decode(value);
      if (ArrayBuffer.isView(value)) return new TextDecoder().decode(value);
      if (value instanceof Map) return [...value].map(asText).join('\n');
      if (typeof value === 'object' && value !== null)
        return [...Object.keys(value), ...Object.values(value).map(asText)].join('\n');
      return String(value);
    };
    const look = (place: string, value: unknown) => {
      const content = asText(value);
      if (texts.some((text) => content.includes(text))) found.push(place);
    };
    for (const [path, file] of Object.entries(window.__host.snapshot())) look(path, [path, file]);
    for (const [key, value] of Object.entries(localStorage)) look(`local storage ${key}`, value);
    const result = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(new Error(String(request.error)));
      });
    for (const { name = '' } of await indexedDB.databases()) {
      const database = await result(indexedDB.open(name));
      for (const store of database.objectStoreNames) {
        const rows = database.transaction(store).objectStore(store);
        const [keys, values] = [await result(rows.getAllKeys()), await result(rows.getAll())];
        for (const [at, value] of values.entries())
          look(`${name} ${store} ${JSON.stringify(keys[at])}`, [keys[at], value]);
      }
      database.close();
    }
    return found;
  }, forms);
}
