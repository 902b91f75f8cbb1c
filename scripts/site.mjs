/**
 * Builds the documentation site, static pages with relative links: README, guide, reference and the
 * playground. Checks every link.
 */
import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { buildPlayground } from './playground.mjs';
import { siteProblems } from './site/check-links.mjs';
import { navigationOf, readPages, renderContent } from './site/pages.mjs';
import { renderPage } from './site/template.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const styles = fileURLToPath(new URL('site/site.css', import.meta.url));
/**
 * First words of the stylesheet: a folder that has it was made by this script and may be replaced.
 */
const MARK = '/* Savepoint site */';

const HELP = `Usage: npm run site [-- options]

Builds the documentation as a static site, with the playground, and checks its
links. It works from any folder of any web server, and from the disk.

  --to DIR     Where to write it; an earlier site there is replaced.
               Default: site
  --from DIR   Repository with the Markdown files. Default: this one.
  --help       Show this text.

Exit code: 0 without dead links, else 1.
`;

/**
 * Writes the pages with their pictures and styles, without the playground. Replaces an earlier
 * site. Returns the number of pages.
 * @param {{ to: string, from?: string }} options
 * @returns {Promise<number>}
 */
export async function writePages({ to, from = root }) {
  const pages = readPages(from);
  const { version, repository } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const { name } = JSON.parse(await readFile(join(root, 'manifest.json'), 'utf8'));
  const copied = new Map();
  const navigation = navigationOf(from, pages);
  const site = { root: from, pages, repository: addressOfRepository(repository), copied };
  const written = [...pages.values()].map((page) => [
    page.address,
    renderPage(page, renderContent(page, site), { name, version, navigation }),
  ]);
  await empty(to);
  for (const [address, html] of written) {
    await mkdir(dirname(join(to, address)), { recursive: true });
    await writeFile(join(to, address), html);
  }
  for (const [path, address] of copied) await cp(join(from, path), join(to, address));
  await cp(styles, join(to, 'site.css'));
  return pages.size;
}

/** Returns the web address of a repository as package.json names it, if any. */
function addressOfRepository(repository) {
  const url = typeof repository === 'object' ? repository?.url : repository;
  return url?.replace(/^git\+/, '').replace(/\.git$/, '');
}

/** Empties the folder of an earlier site. Throws if it contains anything else. */
async function empty(folder) {
  if (!existsSync(folder)) return;
  const css = await readFile(join(folder, 'site.css'), 'utf8').catch(() => '');
  if ((await readdir(folder)).length > 0 && !css.startsWith(MARK))
    throw new Error(`${folder} is not empty and has no site: choose another folder with --to.`);
  await rm(folder, { recursive: true });
}

async function main() {
  const { values } = parseArgs({
    options: {
      to: { type: 'string', default: join(root, 'site') },
      from: { type: 'string', default: root },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) return void process.stdout.write(HELP);
  if (!existsSync(join(root, 'main.js')))
    throw new Error('main.js does not exist: run npm run build.');
  const to = resolve(values.to);
  const count = await writePages({ to, from: resolve(values.from) });
  await buildPlayground({ to: join(to, 'playground.html') });
  const problems = siteProblems(to);
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  process.stdout.write(
    `${to}\n${count} pages and the playground. Open it from the disk: ${pathToFileURL(join(to, 'index.html'))}\n`,
  );
  if (problems.length > 0) process.exitCode = 1;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await main().catch((error) => {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  });
}
