/** Returns 64 lower-case hex digits. Text is encoded as UTF-8. */
export async function sha256(content: Uint8Array | string): Promise<string> {
  const bytes =
    typeof content === 'string' ? new TextEncoder().encode(content) : new Uint8Array(content);
  const digest = await crypto.subtle.digest('SHA-256', bytes);
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
