/** What the stand-in has not is refused by name, so that nothing silently does nothing. */
export function refuse(what: string): never {
  throw new Error(`The stand-in has no ${what}`);
}
