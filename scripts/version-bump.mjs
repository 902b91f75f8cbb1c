/**
 * `npm run version-bump -- 0.2.0` sets the version in every file, or changes nothing and says why.
 * `--check [TAG]` checks that all files, and the tag if given, agree on the version. `--dry-run`
 * names the files that would change.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const USAGE = `Usage: npm run version-bump -- VERSION [--dry-run]
       npm run version-bump -- --check [TAG]

VERSION is three numbers, such as 0.2.0. CHANGELOG.md must describe the changes under "## Unreleased" or
"## VERSION (unreleased)"; that heading gets the number and the day.`;

const FILES = [
  'manifest.json',
  'package.json',
  'package-lock.json',
  'versions.json',
  'CHANGELOG.md',
];
const HEADING = /^## (.+)$/m;
const UNRELEASED = /^(?:Unreleased|(\d+\.\d+\.\d+) \(unreleased\))$/i;

/** An error shown without a stack trace. */
class Wrong extends Error {}

/**
 * Returns the new files by name. Throws `Wrong` if the version is invalid or not newer, the files
 * disagree on the current version, or the changelog does not begin with unreleased entries.
 * @param {Record<string, string>} files Their texts, by name.
 * @param {string} version
 * @param {string} day For example 2026-11-20.
 */
export function bumped(files, version, day) {
  const present = versionOf(files);
  const next = numbersOf(version);
  if (!next)
    throw new Wrong(
      `"${version}" is not a version. Give three numbers, such as 0.2.0: the store takes no other.`,
    );
  const { heading, entries } = newestOf(files['CHANGELOG.md']);
  const [isUnreleased, promised] = UNRELEASED.exec(heading) ?? [];
  if (isUnreleased === undefined)
    throw new Wrong(
      `CHANGELOG.md begins with "${heading}", which is already released. Add the changes above it, under "## Unreleased".`,
    );
  if (!/^- \S/m.test(entries))
    throw new Wrong(
      `CHANGELOG.md has no entries under "${heading}". Add the changes, one per line.`,
    );
  const order = compare(next, numbersOf(present));
  if (order < 0 || (order === 0 && promised !== present))
    throw new Wrong(
      `${version} does not come after ${present}, which is the present one. Give a later version.`,
    );
  if (promised !== undefined && compare(next, numbersOf(promised)) < 0)
    throw new Wrong(
      `CHANGELOG.md announces ${promised}, but ${version} is older. Use a newer version, or change that heading.`,
    );
  const { minAppVersion } = JSON.parse(files['manifest.json']);
  return {
    'manifest.json': withChange(files['manifest.json'], (manifest) => ({ ...manifest, version })),
    'package.json': withChange(files['package.json'], (project) => ({ ...project, version })),
    'package-lock.json': withChange(files['package-lock.json'], (lock) => ({
      ...lock,
      version,
      packages: { ...lock.packages, '': { ...lock.packages[''], version } },
    })),
    'versions.json': withChange(files['versions.json'], (versions) => ({
      ...versions,
      [version]: minAppVersion,
    })),
    'CHANGELOG.md': files['CHANGELOG.md'].replace(HEADING, `## ${version} (${day})`),
  };
}

/**
 * Returns one sentence per disagreement.
 * @param {Record<string, string>} files
 * @param {string} [tag] Name of a release, which must equal the version.
 */
export function disagreements(files, tag) {
  const [manifest, project, lock, versions] = FILES.slice(0, 4).map((name) =>
    JSON.parse(files[name]),
  );
  const { version, minAppVersion } = manifest;
  const told = [
    ['package.json', project.version],
    ['package-lock.json', lock.version],
    ['package-lock.json (its first package)', lock.packages[''].version],
  ];
  const { heading } = newestOf(files['CHANGELOG.md']);
  const [isUnreleased, promised] = UNRELEASED.exec(heading) ?? [];
  const isNamed =
    heading.startsWith(`${version} (`) || (isUnreleased !== undefined && promised === undefined);
  return [
    ...told.flatMap(([name, other]) =>
      other === version ? [] : [`${name} has ${other}, and manifest.json ${version}.`],
    ),
    ...(numbersOf(version) ? [] : [`manifest.json has "${version}", which is not three numbers.`]),
    ...(versions[version] === minAppVersion
      ? []
      : [
          `versions.json says ${versions[version] ?? 'nothing'} for ${version}, and manifest.json ${minAppVersion}.`,
        ]),
    ...(isNamed ? [] : [`CHANGELOG.md begins with "${heading}", not with ${version}.`]),
    ...(tag === undefined || tag === version
      ? []
      : [
          `The tag is ${tag} but the version is ${version}: the plugin store requires them to be equal.`,
        ]),
    ...(tag !== undefined && isUnreleased !== undefined
      ? [`CHANGELOG.md still begins with "${heading}".`]
      : []),
  ];
}

/** Returns the current version, on which all files must agree. */
function versionOf(files) {
  const problems = disagreements(files);
  if (problems.length > 0)
    throw new Wrong(
      `The files disagree on the current version, so nothing was changed. ${problems.join(' ')}`,
    );
  return JSON.parse(files['manifest.json']).version;
}

/**
 * Returns the newest heading of the changelog and its entries.
 * @param {string} changelog
 */
export function newestOf(changelog) {
  const [line, heading] = HEADING.exec(changelog) ?? [];
  if (line === undefined) throw new Wrong('CHANGELOG.md has no heading that begins with "## ".');
  const rest = changelog.slice(changelog.indexOf(line) + line.length);
  const end = rest.search(HEADING);
  return { heading, entries: end < 0 ? rest : rest.slice(0, end) };
}

/** Returns the three numbers of a version; undefined if it is not one. */
function numbersOf(version) {
  return /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/.exec(version)?.slice(1).map(Number);
}

function compare(one, other) {
  const at = one.findIndex((number, place) => number !== other[place]);
  return at < 0 ? 0 : one[at] - other[at];
}

function withChange(text, change) {
  return `${JSON.stringify(change(JSON.parse(text)), null, 2)}\n`;
}

function main(args) {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const files = Object.fromEntries(
    FILES.map((name) => [name, readFileSync(join(root, name), 'utf8')]),
  );
  const [first, second] = args;
  if (first === '--check' && args.length <= 2) {
    const problems = disagreements(files, second);
    if (problems.length > 0) throw new Wrong(problems.join('\n'));
    return `All agree on ${JSON.parse(files['manifest.json']).version}.`;
  }
  const version = args.find((arg) => !arg.startsWith('-'));
  const flags = args.filter((arg) => arg !== version);
  if (version === undefined || flags.some((flag) => flag !== '--dry-run')) throw new Wrong(USAGE);
  const texts = bumped(files, version, new Date().toISOString().slice(0, 10));
  const changed = FILES.filter((name) => texts[name] !== files[name]);
  if (flags.length > 0) return `Would write ${changed.join(', ')}.`;
  for (const name of changed) writeFileSync(join(root, name), texts[name]);
  return `Wrote ${changed.join(', ')}.
Next: npm test, then git commit -am "Release ${version}", git tag ${version}, git push --follow-tags origin HEAD ${version}.
The workflow release.yml then drafts the release; a person publishes it.`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  try {
    process.stdout.write(`${main(process.argv.slice(2))}\n`);
  } catch (error) {
    if (!(error instanceof Wrong)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}
