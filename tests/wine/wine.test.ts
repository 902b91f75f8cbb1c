import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { PROGRAM, temporaryFolder } from '../fakes/program.js';
import { transcriptOf } from '../fakes/transcripts.js';
import { readVault } from '../independent-reader.js';
import { isNightly } from '../tier.js';
import { openWindows, windowsPath } from './windows.js';

/** Runs only with `npm run test:wine`, as it installs Node for Windows. */
const windows = isNightly ? openWindows() : { problem: 'not asked for' };
if (isNightly && 'problem' in windows)
  console.warn(`Skipped: Windows cannot be tried here, because ${windows.problem}`);

const SCENARIO = fileURLToPath(new URL('scenario.cjs', import.meta.url));
const CALLS = 40;
/** A name that the code page of cmd.exe spells otherwise, with spaces. */
const USER = 'Jörg Müller';

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface Session {
  readonly answers: readonly { readonly success: boolean }[];
  readonly code: number;
}

interface Results {
  readonly error?: string;
  readonly install: Ended;
  readonly installed: readonly string[];
  readonly connect: Ended;
  readonly connectHooks: Ended;
  readonly doctor: Ended;
  readonly calls: Session & { readonly tools: number };
  readonly together: readonly Session[];
  readonly loaded: { readonly data: { readonly activeFiles: readonly string[] } };
  readonly search: { readonly data: readonly { readonly path: string }[] };
  readonly refused: { readonly success: boolean; readonly error: string };
  readonly link: Ended;
  readonly hooks: readonly Ended[];
  readonly brief: Ended;
  readonly export: Ended;
  readonly exported: readonly string[];
  readonly verify: Ended;
  readonly commandText: string;
  readonly shell: Ended;
}

it.skipIf('problem' in windows)('works on Windows', { timeout: 6 * 60_000 }, () => {
  if ('problem' in windows) return;
  const root = temporaryFolder('wine');
  const home = join(root, 'Users', USER);
  const vault = join(home, 'Mein Tresor – ä');
  const project = join(home, 'Projekt ü (1)');
  mkdirSync(project, { recursive: true });
  const lines = transcriptOf('claude-code', [
    { kind: 'task', text: 'Pflanze die Tomaten' },
    { kind: 'write', path: `${windowsPath(project)}\\beet.ts` },
    { kind: 'answer', text: 'Sie stehen im Südbeet.' },
  ]);
  const input = {
    session_id: 'sitzung',
    transcript_path: windowsPath(join(root, 'Sitzung ä.jsonl')),
    cwd: windowsPath(project),
  };
  const settings = {
    program: windowsPath(PROGRAM),
    home: windowsPath(home),
    vault: windowsPath(vault),
    project: windowsPath(project),
    hooks: [
      { hook: 'session-start', input },
      { hook: 'turn', input, lines },
      { hook: 'session-end', input },
    ],
    results: windowsPath(join(root, 'results.json')),
  };
  writeFileSync(join(root, 'settings.json'), JSON.stringify(settings));
  const printed = windows.run(windowsPath(SCENARIO), windowsPath(join(root, 'settings.json')));
  expect(printed).toBe('');
  const seen = JSON.parse(readFileSync(join(root, 'results.json'), 'utf8')) as Results;
  expect(seen.error).toBeUndefined();

  for (const step of ['install', 'connect', 'connectHooks', 'doctor', 'link', 'export'] as const)
    expect(seen[step], step).toMatchObject({ code: 0, stderr: '' });
  expect(seen.installed).toEqual(['main.js', 'manifest.json', 'styles.css']);
  expect(seen.doctor.stdout).toContain(windowsPath(vault));
  expect(seen.calls).toMatchObject({ tools: 14, code: 0 });
  expect(seen.calls.answers.filter(({ success }) => success)).toHaveLength(CALLS);
  expect(seen.together.flatMap(({ answers }) => answers.map(({ success }) => success))).toEqual(
    Array.from({ length: 20 }, () => true),
  );
  expect(seen.loaded.data.activeFiles).toEqual(['Übung/Größe & Co.md']);
  expect(seen.search.data).toMatchObject([{ path: 'Übung/Größe & Co.md' }]);
  expect(seen.refused.error).toContain('is a device name on Windows');
  expect(seen.hooks.map(({ code, stderr }) => ({ code, stderr }))).toEqual(
    settings.hooks.map(() => ({ code: 0, stderr: '' })),
  );
  expect(seen.brief.stdout).toContain('Sie stehen im Südbeet.');
  expect(seen.exported.filter((name) => name.endsWith('.jsonl'))).toHaveLength(1);
  expect(seen.verify).toMatchObject({ code: 0, stderr: '' });
  expect(seen.verify.stdout).toContain('Nothing is missing.');
  expect(seen.commandText).toContain('%LOCALAPPDATA%');
  expect(seen.shell).toMatchObject({ code: 0, stderr: '' });

  const { states, missing } = readVault(join(vault, 'Savepoint'));
  expect(states).toHaveLength(CALLS + 20);
  expect(Object.values(missing).flat()).toEqual([]);
});
