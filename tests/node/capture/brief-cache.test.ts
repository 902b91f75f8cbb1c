import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { logStamps, readBrief } from '../../../src/node/capture/brief-cache.js';
import { fileStamps } from '../../../src/node/capture/device-sessions.js';
import { createFolder, node } from '../folders.js';

it('logStamps change with the files of the log', async () => {
  const folder = createFolder();
  expect(await logStamps(node, folder)).toEqual([]);
  mkdirSync(join(folder, 'core', '2026'), { recursive: true });
  const file = join(folder, 'core', '2026', 'a.jsonl');
  writeFileSync(file, 'one\n');
  const first = await logStamps(node, folder);
  expect(first).toHaveLength(1);
  expect(await logStamps(node, folder)).toEqual(first);
  writeFileSync(join(folder, 'README.md'), 'not of the log');
  symlinkSync(join(folder, 'gone'), join(folder, 'core', 'link'));
  expect(await logStamps(node, folder)).toEqual(first);
  appendFileSync(file, 'two\n');
  expect(await logStamps(node, folder)).not.toEqual(first);
});

it('a brief is composed again only if something that it depends on has changed', async () => {
  const [vault, stateFolder] = [createFolder(), createFolder()];
  const files = [join(vault, 'active.md'), join(vault, 'missing.md')] as const;
  writeFileSync(files[0], 'one');
  let until: number | undefined;
  let count = 0;
  const last = new Map<string, string>();
  /** Returns true if the brief was composed. */
  const isComposed = async (version = '1.0.0', workspaceId = 'one') => {
    const before = count;
    const project = { key: 'p' };
    const place = { stateFolder, vault, workspaceId, project };
    const reader = { ...place, session: '', version, withRecall: false };
    const stamps = await fileStamps(node, files);
    const brief = { stateId: 'st', files, fileStamps: stamps, until };
    const compose = () => {
      last.set(workspaceId, `Brief ${++count}`);
      return Promise.resolve({ ...brief, text: `Brief ${count}` });
    };
    expect((await readBrief(node, reader, compose)).text).toBe(last.get(workspaceId));
    return count > before;
  };
  expect(await isComposed()).toBe(true);
  expect(await isComposed()).toBe(true); // without a log, nothing is stored
  mkdirSync(join(vault, 'Savepoint', 'core'), { recursive: true });
  writeFileSync(join(vault, 'Savepoint', 'core', 'a.jsonl'), 'one\n');
  const changes = [
    () => undefined,
    () => writeFileSync(files[1], ''),
    () => rmSync(files[1]),
    () => appendFileSync(files[0], 'two'),
    () => appendFileSync(join(vault, 'Savepoint', 'core', 'a.jsonl'), 'two\n'),
  ];
  for (const change of changes) {
    change();
    expect(await isComposed()).toBe(true);
    expect(await isComposed()).toBe(false);
  }
  expect(await isComposed('1.0.0', 'other')).toBe(true);
  expect(await isComposed()).toBe(false);
  until = Date.now() - 1; // a record has become due
  expect(await isComposed('1.0.1')).toBe(true);
  expect(await isComposed('1.0.1')).toBe(true);
  const briefs = readdirSync(stateFolder, { recursive: true, encoding: 'utf8' });
  until = Date.now() + 600_000;
  expect(await isComposed('1.0.2')).toBe(true);
  expect(await isComposed('1.0.2')).toBe(false);
  for (const name of briefs.filter((each) => each.endsWith('.json')))
    writeFileSync(join(stateFolder, name), '{"stamp');
  expect(await isComposed('1.0.2')).toBe(true);
});

it('a brief is not stored if the log has changed while it was composed', async () => {
  const [vault, stateFolder] = [createFolder(), createFolder()];
  const log = join(vault, 'Savepoint', 'core', 'a.jsonl');
  mkdirSync(dirname(log), { recursive: true });
  writeFileSync(log, 'one\n');
  const place = { vault, workspaceId: 'one', project: { key: 'p' } };
  const reader = { ...place, session: '', version: '1', withRecall: false };
  const brief = { text: 'What was forgotten', files: [], fileStamps: [], until: undefined };
  await readBrief(node, { ...reader, stateFolder }, () => {
    appendFileSync(log, 'two\n');
    return Promise.resolve(brief);
  });
  const names = readdirSync(stateFolder, { recursive: true, encoding: 'utf8' });
  expect(names.filter((name) => name.endsWith('.json'))).toEqual([]);
});
