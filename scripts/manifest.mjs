/**
 * Checks the files that the plugin store reads against its published rules: the pages "Submission
 * requirements for plugins" and "Manifest" of its documentation, the workflow that checks a
 * submission (validate-plugin-entry.yml in obsidianmd/obsidian-releases), and the rule
 * validate-manifest of its lint plugin. Where they differ, the stricter one counts.
 *
 *   node scripts/manifest.mjs [FOLDER]
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { disagreements } from './version-bump.mjs';

/** Files that the store, a release or the npm package needs. */
const NEEDED = [
  'README.md',
  'LICENSE',
  'SECURITY.md',
  'CHANGELOG.md',
  'manifest.json',
  'versions.json',
  'package.json',
  'package-lock.json',
  'styles.css',
  'main.js',
];
const REQUIRED_KEYS = [
  'id',
  'name',
  'version',
  'minAppVersion',
  'description',
  'author',
  'isDesktopOnly',
];
const OPTIONAL_KEYS = ['authorUrl', 'fundingUrl'];
const MIN_DESCRIPTION_LENGTH = 10;
const MAX_DESCRIPTION_LENGTH = 250;
const ADDRESSES_IN_PACKAGE = ['repository', 'homepage', 'bugs'];

/**
 * Returns the texts of the needed files by name; undefined for a file that does not exist.
 * @param {string} folder
 * @returns {Record<string, string | undefined>}
 */
export function readFiles(folder) {
  return Object.fromEntries(
    NEEDED.map((name) => {
      const path = join(folder, name);
      return [name, existsSync(path) ? readFileSync(path, 'utf8') : undefined];
    }),
  );
}

/**
 * Returns one sentence per problem with the files of a release.
 * @param {Readonly<Record<string, string | undefined>>} files Texts by name; undefined if there is
 * no such file.
 * @returns {string[]}
 */
export function fileProblems(files) {
  const missing = NEEDED.filter((name) => files[name] === undefined || files[name].trim() === '');
  if (missing.length > 0)
    return missing.map((name) =>
      name === 'main.js'
        ? 'main.js does not exist: run npm run build.'
        : `${name} is missing or empty: restore it.`,
    );
  try {
    const { repository } = JSON.parse(files['package.json']);
    return [
      ...disagreements(files),
      ...manifestProblems(JSON.parse(files['manifest.json']), repository?.url ?? repository),
    ];
  } catch (error) {
    return [`A file cannot be parsed: ${error.message}`];
  }
}

/**
 * Returns one sentence per rule of the store that the manifest breaks.
 * @param {Readonly<Record<string, unknown>>} manifest
 * @param {string} [repository] Address of the plugin's repository, if it is known.
 * @returns {string[]}
 */
export function manifestProblems(manifest, repository) {
  const missing = REQUIRED_KEYS.filter((key) => !Object.hasOwn(manifest, key));
  if (missing.length > 0) return missing.map((key) => `manifest.json: ${key} is missing.`);
  const { id, name, author, authorUrl, fundingUrl, minAppVersion, isDesktopOnly } = manifest;
  const isText = (value) => typeof value === 'string' && value.trim() !== '';
  const isVersion = (value) => /^\d+\.\d+\.\d+$/.test(String(value));
  const links = typeof fundingUrl === 'object' ? Object.values(fundingUrl ?? {}) : [fundingUrl];
  const isAppSite = (url) => /^https?:\/\/(?:www\.)?obsidian\.md(?:[/?#]|$)/i.test(String(url));
  const rules = [
    ...Object.keys(manifest).map((key) => [
      [...REQUIRED_KEYS, ...OPTIONAL_KEYS].includes(key),
      `the store knows no "${key}"`,
    ]),
    [/^[a-z][a-z-]*[a-z]$/.test(String(id)), 'id must be lower-case letters and hyphens'],
    [!/obsidian|plugin/i.test(String(id)), 'id must not contain "obsidian" or "plugin"'],
    [isText(name), 'name is empty'],
    [
      !/obsidian|^obsi|dian$|plugin/i.test(String(name)),
      'name must not contain "Obsidian", parts of it, or "Plugin"',
    ],
    [isText(author), 'author is empty'],
    [!/\S@\S+\.\S/.test(String(author)), 'author must not contain an email address'],
    [isVersion(manifest.version), 'version must be three numbers'],
    [isVersion(minAppVersion), 'minAppVersion must be three numbers'],
    [typeof isDesktopOnly === 'boolean', 'isDesktopOnly must be true or false'],
    [authorUrl === undefined || isText(authorUrl), 'authorUrl is empty: set or remove it'],
    [!isAppSite(authorUrl), "authorUrl must not be the app's own site"],
    [
      !isText(authorUrl) || !repository || bareUrl(authorUrl) !== bareUrl(repository),
      'authorUrl must be a page of the author, not the repository',
    ],
    [
      fundingUrl === undefined || (links.length > 0 && links.every(isText)),
      'fundingUrl is empty: set or remove it',
    ],
    [!links.some(isAppSite), "fundingUrl must not be the app's own site"],
    ...descriptionRules(isText(manifest.description) ? manifest.description : ''),
  ];
  return rules.flatMap(([isKept, rule]) => (isKept ? [] : [`manifest.json: ${rule}.`]));
}

/** Returns whether each rule for the description is kept, with the rule. */
function descriptionRules(text) {
  return [
    [
      text.length >= MIN_DESCRIPTION_LENGTH && text.length <= MAX_DESCRIPTION_LENGTH,
      `description must have ${MIN_DESCRIPTION_LENGTH} to ${MAX_DESCRIPTION_LENGTH} characters, and has ${text.length}`,
    ],
    [
      /^[A-Z].*\.$/s.test(text),
      'description must start with a capital letter and end with a period',
    ],
    [!/^(?:A|An|The|This)\b/.test(text), 'description must start with what the user can do'],
    [!/obsidian|plugin/i.test(text), 'description must not contain "Obsidian" or "plugin"'],
    [
      /^[\w\s.,!?'"-]*$/.test(text),
      'description must have no emoji or special characters, only letters, digits and . , ! ? \' " -',
    ],
  ];
}

/** Returns an address without what may differ between two forms of the same. */
function bareUrl(url) {
  return url
    .toLowerCase()
    .replace(/^(?:git\+)?https?:\/\/(?:www\.)?/, '')
    .replace(/(?:\.git)?\/*$/, '');
}

/**
 * Returns what the owner still has to enter, because only they know the public addresses.
 * @param {Readonly<Record<string, string | undefined>>} files
 * @returns {string[]}
 */
export function missingAddresses(files) {
  const [manifest, project] = ['manifest.json', 'package.json'].map((name) =>
    JSON.parse(files[name] ?? '{}'),
  );
  const inPackage = ADDRESSES_IN_PACKAGE.filter((key) => !project[key]);
  return [
    ...(manifest.authorUrl
      ? []
      : ['Set authorUrl in manifest.json to a public page of the author.']),
    ...(inPackage.length === 0
      ? []
      : [`Set ${inPackage.join(', ')} in package.json to the public addresses.`]),
  ];
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const files = readFiles(process.argv[2] ?? fileURLToPath(new URL('..', import.meta.url)));
  const problems = fileProblems(files);
  const left = problems.length === 0 ? missingAddresses(files) : [];
  for (const line of problems) process.stdout.write(`${line}\n`);
  for (const line of left) process.stdout.write(`before a release: ${line}\n`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
