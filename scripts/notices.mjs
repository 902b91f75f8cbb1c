/** Licences of the bundled packages, which require their notices in every copy. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Typographic characters and their replacements, because main.js is pure ASCII. */
const PLAIN = {
  '\u201c': '"',
  '\u201d': '"',
  '\u2018': "'",
  '\u2019': "'",
  '\u2013': '-',
  '\u2014': '-',
};

/** Attribution of the facts in src/redaction/known-forms.ts; no text or code was copied. */
const CREDENTIAL_FORMS =
  'Prefixes and lengths of credentials: from the default rules of gitleaks, MIT licence\n' +
  'Copyright (c) 2019 Zachary Rice\nhttps://github.com/gitleaks/gitleaks';

/**
 * Returns the notices of the bundled packages and of the embedding table as one comment.
 * @param {string} root
 * @param {readonly string[]} inputs Paths of the bundled files, relative to `root`.
 */
export function noticesOf(root, inputs) {
  const folders = inputs.flatMap(
    (path) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? [],
  );
  const texts = [...new Set(folders)].sort().map((folder) => noticeOf(join(root, folder)));
  const notices = [...texts, embeddingTable(root), CREDENTIAL_FORMS]
    .join('\n\n')
    .replaceAll('*/', '* /')
    .replace(/[\u2013\u2014\u2018\u2019\u201c\u201d]/g, (character) => PLAIN[character]);
  const other = /[^\r\n\t\x20-\x7e]/.exec(notices)?.[0];
  if (other)
    throw new Error(
      `The notices contain ${JSON.stringify(other)}: add it to PLAIN in scripts/notices.mjs.`,
    );
  return `/*\nThird-party notices\n\n${notices}\n*/\n`;
}

function noticeOf(folder) {
  const { name, version, license, author, homepage, repository } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  );
  const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
  const by = typeof author === 'string' ? author : author?.name;
  const from = homepage ?? (typeof repository === 'string' ? repository : repository?.url) ?? '';
  const facts = [`${name} ${version}, ${license} licence`, by, from].filter(Boolean).join('\n');
  return `${facts}${file ? `\n\n${readFileSync(join(folder, file), 'utf8').trim()}` : ''}`;
}

function embeddingTable(root) {
  return `The embedding table (assets/README.md)\n\n${readFileSync(join(root, 'assets/README.md'), 'utf8').trim()}`;
}
