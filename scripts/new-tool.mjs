/** Starts a tool: its file, its line in the agent's list, its test. All three work as they are, and wait to be filled in. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';

const USAGE =
  'Usage: npm run new-tool -- <agent> <tool>, such as: npm run new-tool -- memory-manager rename-state';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const [agent = '', tool = ''] = process.argv.slice(2);
const agentFolder = `src/agents/${agent}`;
const toolFile = `${agentFolder}/${tool}.ts`;
const testFile = `tests/agents/${agent}/${tool}.test.ts`;
const list = `${agentFolder}/index.ts`;

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
Next: say in ${toolFile} what ${name} does, takes, answers and refuses, with an example of each;
      prove it in ${testFile};
      npm run docs, then npm test.
`);

function findProblem() {
  const isKebab = (text) => /^[a-z]+(-[a-z]+)*$/.test(text);
  if (!isKebab(agent) || !isKebab(tool) || tool === 'index')
    return 'Both names are of small letters and hyphens.';
  if (!existsSync(list)) return `There is no ${list}.`;
  return [toolFile, testFile]
    .filter((path) => existsSync(path))
    .map((path) => `${path} is there already.`)[0];
}

function toolText() {
  return `
    import * as z from 'zod';
    import { filledText } from '../inputs.js';
    import { defineTool } from '../services.js';

    export const ${name} = defineTool({
      name: '${name}',
      title: '${title}',
      access: 'read',
      action: { resource: '${thing.join('_') || name}', name: '${verb}' },
      description: 'Say in one sentence what it does, for a model to choose by.',
      input: z.strictObject({ name: filledText }),
      output: z.object({ name: z.string() }),
      failures: {
        notFound: { error: '"{name}" not found.', advice: 'Say what to do next.' },
      },
      examples: [
        {
          title: 'Say what it is good for',
          params: { name: 'Plan' },
          answer: { success: true, data: { name: 'Plan' } },
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
      it('answers the name', async () => {
        expect(await createTestVault().data('${name}', { name: 'Plan' })).toEqual({ name: 'Plan' });
      });

      it('refuses a name that nothing has', async () => {
        expect(await createTestVault().error('${name}', { name: 'Nothing' })).toBe('"Nothing" not found. Say what to do next.');
      });
    });
  `;
}

/** The list of an agent with the tool in it: imported in alphabetical order, shown last. */
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
