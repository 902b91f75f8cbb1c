/** Returns the path, quoted for a shell if it needs quotes. */
export function shellQuoted(path: string): string {
  if (/^[\w/.:\\-]+$/.test(path)) return path;
  return /["$`]/.test(path) ? `'${path.replaceAll("'", `'\\''`)}'` : `"${path}"`;
}
