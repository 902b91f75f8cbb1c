/** Contents of a segment from which nothing can be read, by the size that it had. */
export const BLANK_CONTENTS: Record<string, (size: number) => Uint8Array | string> = {
  NULs: (size) => new Uint8Array(size),
  nothing: () => '',
  HTML: () => '<!doctype html>\n<html><body>Sign in to continue</body></html>\n',
  'cipher text': (size) => Uint8Array.from({ length: size }, (_, at) => (at * 197 + 31) % 256),
  'a pointer of Git LFS': () =>
    `version https://git-lfs.github.com/spec/v1\noid sha256:${'0'.repeat(64)}\nsize 1\n`,
};
