/** Returns true if version `a` is later than version `b`. */
export function isNewerVersion(a: string, b: string): boolean {
  const [left, right] = [a, b].map((version) => version.split('.').map(Number));
  const at = left?.findIndex((part, index) => part !== right?.[index]) ?? -1;
  return at >= 0 && (left?.[at] ?? 0) > (right?.[at] ?? 0);
}
