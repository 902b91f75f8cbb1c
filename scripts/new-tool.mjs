/**
 * Scaffolds a tool's file, its entry in the toolset's index.ts, and its test. They compile and run,
 * with placeholders to fill in; the house rules fail until all of them are.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';

const USAGE =
  'Usage: npm run new-tool -- <toolset> <tool>, such as: npm run new-tool -- trace-manager count-sessions';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const [toolset = '', tool = ''] = process.argv.slice(2);
const toolsetFolder = `src/agents/${toolset}`;
const toolFile = `${toolsetFolder}/${tool}.ts`;
const testFile = `tests/agents/${toolset}/${tool}.test.ts`;
const list = `${toolsetFolder}/index.ts`;

const problem = findProblem();
if (problem) {
  process.stderr.write(`${problem}\n${USAGE}\n`);
  process.exit(2);
}

const name = tool.replace(/-(.)/g, (_, letter) => letter.toUpperCase());
const words = tool.replaceAll('-', ' ');
const [verb, ...thing] = tool.split('-');
const title = words[0].toUpperCase() + words.slice(1);

await write(toolFile, toolText());
await write(list, withTool(readFileSync(list, 'utf8')));
await write(testFile, testText());

process.stdout.write(`
Next: say in ${testFile} what ${name} does, and see it fail;
      fill in ${toolFile};
      run npm run format, npm run docs, and the tests that CONTRIBUTING.md names under "Add a tool".
`);

function findProblem() {
  const isKebab = (text) => /^[a-z]+(-[a-z]+)*$/.test(text);
  if (!isKebab(toolset) || !isKebab(tool) || tool === 'index')
    return 'Use lower-case letters and hyphens in both names.';
  if (!existsSync(list)) return `${list} does not exist.`;
  return [toolFile, testFile]
    .filter((path) => existsSync(path))
    .map((path) => `${path} already exists.`)[0];
}

/**
 * Returns the resource of the tool's action: the one of this toolset that the tool's name mentions,
 * else the one that most of its tools have. Each resource costs every model tokens.
 */
function findResource() {
  const resources = readdirSync(toolsetFolder)
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => [
      ...readFileSync(`${toolsetFolder}/${file}`, 'utf8').matchAll(/resource: '(\w+)'/g),
    ])
    .map(([, resource]) => resource);
  const count = (resource) => resources.filter((each) => each === resource).length;
  const isNamed = (resource) => thing.some((word) => word.replace(/s$/, '') === resource);
  const [most] = [...new Set(resources)].sort((a, b) => count(b) - count(a));
  return resources.find(isNamed) ?? most ?? thing.join('_');
}

function toolText() {
  return `
    import * as z from 'zod';
    import { nonEmptyText } from '../shared/inputs.js';
    import { defineTool } from '../services.js';

    export const ${name} = defineTool({
      name: '${name}',
      title: '${title}',
      access: 'read',
      action: { resource: '${findResource()}', name: '${verb}' },
      description: 'TODO: say in one sentence what the tool does.',
      input: z.strictObject({ name: nonEmptyText }),
      output: z.object({ name: z.string() }),
      failures: {
        notFound: { error: '"{name}" not found.', advice: 'TODO: say what to do next.' },
      },
      examples: [
        {
          title: 'TODO: say what the example shows',
          params: { name: 'Plan' },
          data: { name: 'Plan' },
        },
      ],
      run({ name }, { fail }) {
        if (name === 'Nothing') fail('notFound', { name });
        return Promise.resolve({ name });
      },
    });
  `;
}

function testText() {
  return `
    import { describe, expect, it } from 'vitest';
    import { createTestVault } from '../../fakes/test-vault.js';

    describe('${name}', () => {
      it('returns the name', async () => {
        expect(await createTestVault().data('${name}', { name: 'Plan' })).toEqual({ name: 'Plan' });
      });

      it('refuses an unknown name', async () => {
        expect(await createTestVault().error('${name}', { name: 'Nothing' })).toBe('"Nothing" not found. TODO: say what to do next.');
      });
    });
  `;
}

/**
 * Adds the tool's import to a toolset's index.ts, in alphabetical order, and the tool itself to the
 * end of the list.
 */
function withTool(text) {
  const lines = text.split('\n');
  const added = `import { ${name} } from './${tool}.js';`;
  const isOwn = (line) => /^import .* from '\.\/.*';$/.test(line);
  const path = (line) => line.slice(line.indexOf("'"));
  const next = lines.findIndex((line) => isOwn(line) && path(line) > path(added));
  lines.splice(next === -1 ? lines.findLastIndex(isOwn) + 1 : next, 0, added);
  return lines.join('\n').replace(/(tools: \[[^\]]*?),?\s*\]/, `$1, ${name}]`);
}

async function write(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, await format(text, { ...(await resolveConfig(path)), filepath: path }));
  process.stdout.write(`${path}\n`);
}
