import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { folders } from '../scripts/architecture.mjs';
import { AI_APPS } from '../src/apps/index.js';
import { isJsonObject, type Json, type JsonObject } from '../src/model/event.js';
import { TRACE_KINDS } from '../src/model/trace.js';
import { groupByResource, resourceSchema } from '../src/toolkit/actions.js';
import type { Example, Tool, ToolAction } from '../src/toolkit/define-tool.js';
import { inputSchema } from '../src/toolkit/schema.js';
import { allTools } from '../src/toolkit/toolkit.js';
import { createTestVault, type TestVault } from './fakes/test-vault.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const agentsFolder = `${root}/src/agents`;
const sourcePaths = readdirSync(`${root}/src`, { recursive: true, encoding: 'utf8' })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => /\.tsx?$/.test(path));

const tools = allTools(createTestVault().toolkit);
const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
const toolFiles = readdirSync(agentsFolder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== 'shared')
  .flatMap((folder) =>
    readdirSync(`${agentsFolder}/${folder.name}`).map((file) => `${folder.name}/${file}`),
  )
  .filter((file) => file.endsWith('.ts') && !file.endsWith('/index.ts'));

describe('the source folders', () => {
  it('match the rows of the architecture table', () => {
    const names = readdirSync(`${root}/src`).map((name) => name.replace(/\.ts$/, ''));
    expect(names.sort()).toEqual(folders.map(({ name }) => name).sort());
  });
});

describe('what is known about an AI app', () => {
  /** Ids that are ordinary words too, so that only a whole literal counts. */
  const words = ['cursor', 'gemini', 'goose', 'zed'];
  const ids = AI_APPS.map(({ id }) => id);
  const names = new RegExp(
    `${ids.filter((id) => !words.includes(id)).join('|')}|(['"\`])(?:${ids.join('|')})\\1`,
    'i',
  );
  /** Comments and texts may explain a quirk, or give an example. */
  const isText = (path: string) => /^(?:apps|obsidian\/i18n|cli\/texts)\//.test(path);

  it('is in its record', () => {
    const found = sourcePaths
      .filter((path) => !isText(path))
      .flatMap((path) =>
        readFileSync(`${root}/src/${path}`, 'utf8')
          .replace(/\/\*[^]*?\*\/|(?<!:)\/\/.*/g, '')
          .split('\n')
          .filter((line) => names.test(line))
          .map((line) => `${path}: ${line.trim()}`),
      );
    expect(found).toEqual([]);
  });
});

describe('every tool file', () => {
  it('matches a tool of its toolset, and every tool has a file', () => {
    expect(toolFiles.sort()).toEqual(
      tools.map(({ toolset, tool }) => `${kebab(toolset.name)}/${kebab(tool.name)}.ts`).sort(),
    );
  });

  it('and its test have nothing left of the scaffold', () => {
    const paths = toolFiles.flatMap((file) => [
      `src/agents/${file}`,
      `tests/agents/${file.replace(/\.ts$/, '.test.ts')}`,
    ]);
    expect(paths.filter((path) => /TODO:/.test(readFileSync(`${root}/${path}`, 'utf8')))).toEqual(
      [],
    );
  });

  it('has a test at the corresponding path', () => {
    expect(
      toolFiles.filter(
        (file) => !existsSync(`${root}/tests/agents/${file.replace(/\.ts$/, '.test.ts')}`),
      ),
    ).toEqual([]);
  });
});

describe('an alias of an action', () => {
  it('is unique, and hides no action', () => {
    const actions = tools.flatMap(({ tool }) => (tool.action ? [tool.action] : []));
    const placesOf = ({ resource, aliases = [] }: ToolAction) =>
      aliases.map((alias) =>
        JSON.stringify([alias.resource ?? resource, alias.action, alias.when]),
      );
    const listed = actions.map(({ resource, name }) => JSON.stringify([resource, name, undefined]));
    const places = actions.flatMap(placesOf);
    expect(places).toEqual([...new Set(places)]);
    expect(places.filter((place) => listed.includes(place))).toEqual([]);
  });
});

describe.each(groupByResource(tools.map(({ tool }) => tool)))('the resource $name', (resource) => {
  it('has a portable schema, with the action first', () => {
    const schema = resourceSchema(resource);
    expect(schemaProblems(schema, 1)).toEqual([]);
    expect(Object.keys(schema['properties'] as object)[0]).toBe('action');
  });

  it('has the same type for a parameter in all actions', () => {
    const types = new Map<string, unknown>();
    for (const { tool, when = {} } of resource.actions)
      for (const [key, property] of Object.entries(
        inputSchema(tool)['properties'] as Record<string, { type: unknown }>,
      )) {
        expect(['action', ...Object.keys(when)]).not.toContain(key);
        expect(types.get(key) ?? property.type).toBe(property.type);
        types.set(key, property.type);
      }
  });

  it('has a unique action for each tool', () => {
    const places = resource.actions.map(({ name, when }) => JSON.stringify([name, when]));
    expect(places).toEqual([...new Set(places)]);
  });
});

describe.each(tools.map(({ tool }) => [tool.name, tool] as const))('%s', (_, tool) => {
  it('has an example, and advice for each failure', () => {
    expect(tool.examples.length).toBeGreaterThan(0);
    for (const { error, advice } of Object.values(tool.failures)) {
      expect(error).toMatch(/\.$/);
      expect(advice).toMatch(/(\.|\{hint\})$/);
    }
  });

  it('has a portable schema', () => {
    expect(schemaProblems(inputSchema(tool), tool.isRelay ? 3 : 1)).toEqual([]);
  });

  it.each(Object.keys(tool.input.shape).filter((parameter) => parameter !== 'context'))(
    'has an example whose outcome depends on "%s"',
    async (parameter) => {
      const differences = await Promise.all(
        variants(tool, parameter).map(
          async ([example, params]) =>
            (await outcome(tool, example, params)) !==
            (await outcome(tool, example, example.params)),
        ),
      );
      expect(differences).toContain(true);
    },
  );
});

/**
 * Returns each example that uses the parameter, with the parameter omitted, or changed if it is
 * required.
 */
function variants(tool: Tool<never>, parameter: string): [Example, JsonObject][] {
  const isRequired = (inputSchema(tool)['required'] as string[] | undefined)?.includes(parameter);
  return tool.examples
    .filter(({ params }) => params[parameter] !== undefined)
    .map((example) => {
      const { [parameter]: given, ...rest } = example.params;
      return [example, isRequired ? { ...rest, [parameter]: changed(given) } : rest];
    });
}

function changed(value: Json | undefined): Json {
  if (typeof value === 'string') return 'another';
  if (Array.isArray(value))
    return typeof value[0] === 'object' ? value.slice(1) : [...value, 'changed'];
  return null;
}

/** Returns the answer and the content of the vault afterwards. */
async function outcome(
  tool: Tool<never>,
  { before = [], notes = {} }: Example,
  params: JsonObject,
): Promise<string> {
  const vault = createTestVault();
  for (const [path, text] of Object.entries(notes)) vault.files.put(path, text);
  for (const { tool: name, params: given } of before) await vault.data(name, given);
  const answer = await vault.call(tool.name, params);
  return JSON.stringify([answer, await vaultContent(vault)]);
}

async function vaultContent(vault: TestVault): Promise<unknown[]> {
  const content: unknown[] = [
    vault.files.paths().filter((path) => !path.startsWith('Savepoint/')),
    await vault.files.list(''),
  ];
  const workspaces = (await vault.data('listWorkspaces', { includeArchived: true })) as {
    name: string;
  }[];
  for (const { name } of workspaces) {
    const { recentActivity: _, ...workspace } = (await vault.data('loadWorkspace', {
      name,
    })) as Record<string, unknown>;
    const states = (await vault.data('listStates', { includeArchived: true })) as {
      name: string;
    }[];
    const loaded = await Promise.all(
      states.map((state) => vault.data('loadState', { name: state.name })),
    );
    const logged = await vault.data('timeline', {
      kinds: TRACE_KINDS.filter((kind) => kind !== 'tool_call'),
    });
    const records = await vault.data('listRecords', { status: 'all' });
    const text = await vault.data('brief');
    content.push(workspace, states, loaded, logged, records, text);
  }
  return content;
}

/**
 * Returns the parts of a schema that some clients do not support. `depth` is the allowed nesting of
 * objects.
 */
function schemaProblems(schema: JsonObject, depth: number, path = ''): string[] {
  const known = [
    'type',
    'properties',
    'required',
    'description',
    'items',
    'enum',
    'default',
    'minimum',
    'maximum',
    'minItems',
    'maxItems',
    'maxLength',
  ];
  const problems = Object.keys(schema)
    .filter((key) => !known.includes(key))
    .map((key) => `${path}: ${key}`);
  const { type, properties, required, items } = schema;
  if (
    typeof type !== 'string' ||
    !['object', 'string', 'integer', 'number', 'boolean', 'array'].includes(type)
  )
    problems.push(`${path}: type`);
  const names = isJsonObject(properties) ? Object.keys(properties) : [];
  if (
    Array.isArray(required) &&
    required.some((name) => typeof name !== 'string' || !names.includes(name))
  )
    problems.push(`${path}: required`);
  if (names.length > 0 && depth < 0) problems.push(`${path}: nested too deep`);
  const inner = isJsonObject(properties) ? Object.entries(properties) : [];
  if (isJsonObject(items)) inner.push(['items', items]);
  return [
    ...problems,
    ...inner.flatMap(([name, value]) =>
      isJsonObject(value)
        ? schemaProblems(value, name === 'items' ? depth : depth - 1, `${path}/${name}`)
        : [`${path}/${name}`],
    ),
  ];
}
