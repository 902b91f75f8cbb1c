/**
 * Secrets with a recognizable form: API keys of known vendors, JSON web tokens, bearer tokens,
 * private keys.
 */
const SECRETS = [
  /\b(?:sk|pk|rk)[-_][A-Za-z0-9_-]{16,}/g,
  /\b(?:gh[pousr]|github_pat|glpat|xox[abprs]|npm|hf)[-_][A-Za-z0-9_-]{16,}/g,
  /\bAKIA[0-9A-Z]{16}\b/g,
  /\bAIza[0-9A-Za-z_-]{30,}/g,
  /\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*/g,
  /\bBearer\s+[A-Za-z0-9._~+/-]{8,}=*/gi,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
];
/** Secrets that follow a telling name, such as `password=...`. */
const NAMED_SECRET =
  /(["']?(?:password|passwd|secret|token|api[-_]?key|authorization)["']?\s*[:=]\s*["']?)[^\s"',;}]{4,}/gi;

/** Replaces everything that looks like a secret with `[secret]`. */
export function redact(text: string): string {
  return SECRETS.reduce((rest, secret) => rest.replace(secret, '[secret]'), text).replace(
    NAMED_SECRET,
    '$1[secret]',
  );
}

/**
 * Returns a function that redacts paths in these vault folders, each up to the next quote or the
 * end of the line.
 */
export function createFolderRedactor(folders: readonly string[]): (text: string) => string {
  if (folders.length === 0) return (text) => text;
  const names = folders.map((folder) => folder.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  // No lookbehind: the web view of older phones does not support it.
  const paths = new RegExp(
    `(^|[^\\p{L}\\p{N}_-])(?:${names.join('|')})(?:/[^"\\n]*|(?=["\\n]|$))`,
    'giu',
  );
  return (text) => text.replace(paths, '$1[excluded]');
}
