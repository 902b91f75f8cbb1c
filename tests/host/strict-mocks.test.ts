// @vitest-environment happy-dom
import type { App as ObsidianApp, Plugin, PluginManifest } from 'obsidian';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileFunction } from 'node:vm';
import * as obsidian from 'obsidian-test-mocks/obsidian';
import { setup, teardown } from 'obsidian-test-mocks/setup';
import { afterAll, beforeAll, expect, it } from 'vitest';

const file = (name: string) => readFileSync(join(import.meta.dirname, '../..', name), 'utf8');
const manifest = JSON.parse(file('manifest.json')) as PluginManifest;

beforeAll(() => setup());
afterAll(() => teardown());

/**
 * Evaluates the built file as the app does, against a third-party mock of only the documented API.
 */
function loadPlugin(): new (app: ObsidianApp, manifest: PluginManifest) => Plugin {
  const module = { exports: {} as { default?: unknown } };
  const require = (name: string) => {
    if (name === 'obsidian') return obsidian;
    throw new Error(`No module ${name} here`);
  };
  type Evaluate = (...args: [typeof module, typeof module.exports, typeof require]) => void;
  (compileFunction(file('main.js'), ['module', 'exports', 'require']) as Evaluate)(
    module,
    module.exports,
    require,
  );
  return module.exports.default as ReturnType<typeof loadPlugin>;
}

it('the plugin loads and unloads with only the documented API', () => {
  const app = obsidian.App.createConfigured__();
  const plugin = new (loadPlugin())(app.asOriginalType__(), manifest);
  const commands: string[] = [];
  const addCommand = plugin.addCommand.bind(plugin);
  plugin.addCommand = (command) => {
    commands.push(command.id);
    return addCommand(command);
  };
  plugin.load();
  plugin.unload();
  expect(commands).toEqual(expect.arrayContaining(['open-memory', 'save-state', 'open-chat']));
});
