/**
 * The modules of main.js that are evaluated when one of their functions is first called, or one of
 * their classes is first created, instead of when the plugin starts. Code that uses them stays as it
 * is: unlike `import()`, a call stays synchronous.
 */
import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Paths in the repository. Such a module exports nothing but functions, classes and types. */
export const LAZY_MODULES = [
  'src/agents/shared/file-changes.ts',
  'src/agents/shared/move-state.ts',
  'src/agents/shared/restore-state.ts',
  'src/agents/shared/state-prompt.ts',
  'src/bridge/mcp-tools.ts',
  'src/indexing/notes/embedding-server.ts',
  'src/model/moves/path-moves.ts',
  'src/model/text/checkpoint.ts',
  'src/node/serve/vault-server.ts',
  'src/obsidian/chat/chat-service.ts',
  'src/obsidian/chat/ui/asking-notice.ts',
  'src/obsidian/chat/ui/chat-pane.tsx',
  'src/obsidian/chat/ui/export-conversation.ts',
  'src/obsidian/chat/ui/import-chats-modal.ts',
  'src/obsidian/chat/ui/resume.ts',
  'src/obsidian/checkpoints/save-checkpoint.ts',
  'src/obsidian/clients/approvals/approval-modal.ts',
  'src/obsidian/clients/approvals/approval-texts.ts',
  'src/obsidian/clients/ui/check-modal.ts',
  'src/obsidian/clients/ui/connect-modal.ts',
  'src/obsidian/forget/forget-lines.ts',
  'src/obsidian/forget/forget-modal.ts',
  'src/obsidian/forget/requests-modal.ts',
  'src/obsidian/i18n/de.ts',
  'src/obsidian/links/brief-modal.ts',
  'src/obsidian/links/follow-link.ts',
  'src/obsidian/memory/call-modal.ts',
  'src/obsidian/memory/export-note.ts',
  'src/obsidian/memory/forms/create-record.ts',
  'src/obsidian/memory/forms/create-workspace.ts',
  'src/obsidian/memory/forms/edit-record.ts',
  'src/obsidian/memory/forms/edit-workspace.ts',
  'src/obsidian/memory/forms/set-reminder.ts',
  'src/obsidian/memory/memory-pane.tsx',
  'src/obsidian/memory/menus.ts',
  'src/obsidian/memory/mirror/mirror-writer.ts',
  'src/obsidian/memory/note-pane/notes-pane.tsx',
  'src/obsidian/memory/records/record-menu.ts',
  'src/obsidian/memory/verify/verify-modal.ts',
  'src/obsidian/memory/verify/verify-parts.ts',
  'src/obsidian/memory/verify/verify-report.ts',
  'src/obsidian/pickers/candidates.ts',
  'src/obsidian/pickers/search-notes.ts',
  'src/obsidian/record-actions.ts',
  'src/obsidian/search/search-modal.ts',
  'src/obsidian/settings/audit.ts',
  'src/obsidian/settings/capture.ts',
  'src/obsidian/settings/devices.ts',
  'src/obsidian/settings/export-modal.ts',
  'src/obsidian/settings/http-rows.ts',
  'src/obsidian/settings/import-modal.ts',
  'src/obsidian/settings/move-modal.ts',
  'src/obsidian/sync-notice.ts',
  'src/redaction/find-secrets.ts',
  'src/storage/data-folder/usage.ts',
  'src/storage/forget/due-lines.ts',
  'src/storage/forget/remaining-files.ts',
  'src/storage/forget/stub-lines.ts',
  'src/storage/integrity/verify.ts',
  'src/transfer/mirror/mirror-notes.ts',
];

const EXPORT = /^export (?!type\b|interface\b|declare\b)(.*)$/gm;
const FUNCTION_OR_CLASS = /^(?:async )?(function|class)\*? (\w+)/;

/**
 * Plugin of esbuild that replaces such a module by functions that evaluate it when they are called.
 * A module of another form, or a class that is extended or compared with, is an error of the build.
 */
export const lazyModules = (root) => ({
  name: 'lazy-modules',
  setup({ onResolve, onLoad }) {
    const lazy = new Map(LAZY_MODULES.map((path) => [join(root, path), path]));
    onResolve({ filter: /^\.\.?\/.*\.js$/ }, ({ path, kind, importer, resolveDir, namespace }) => {
      if (namespace !== 'file' || kind !== 'import-statement') return undefined;
      const module = join(resolveDir, path).replace(/\.js$/, '');
      const found = [`${module}.ts`, `${module}.tsx`].find((file) => lazy.has(file));
      if (found === undefined) return undefined;
      refuseSubclasses(importer, exportsOf(found));
      return { path: lazy.get(found), namespace: 'lazy', sideEffects: false };
    });
    onLoad({ filter: /.*/, namespace: 'lazy' }, ({ path }) => ({
      contents: stubOf(path, exportsOf(join(root, path))),
      resolveDir: dirname(join(root, path)),
    }));
  },
});

function exportsOf(file) {
  return Array.from(readFileSync(file, 'utf8').matchAll(EXPORT), ([line, declared]) => {
    const [, kind, name] = FUNCTION_OR_CLASS.exec(declared) ?? [];
    if (name === undefined)
      throw new Error(`${file} cannot be evaluated lazily, because of "${line}".`);
    return { isClass: kind === 'class', name };
  });
}

function refuseSubclasses(importer, exported) {
  const source = readFileSync(importer, 'utf8');
  for (const { isClass, name } of exported)
    if (isClass && new RegExp(`\\b(?:extends|instanceof) ${name}\\b`).test(source))
      throw new Error(`${importer} needs ${name} itself, which is evaluated lazily.`);
}

function stubOf(path, exported) {
  return [
    'let loaded;',
    `const load = () => (loaded ??= require(${JSON.stringify(`./${basename(path)}`)}));`,
    ...exported.map(({ isClass, name }) => {
      const call = `${isClass ? 'new ' : ''}(load().${name})(...given)`;
      return `export function ${name}(...given) { return ${call}; }`;
    }),
  ].join('\n');
}
