import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

interface Job {
  readonly permissions?: Readonly<Record<string, string>>;
  readonly 'timeout-minutes'?: number;
  readonly steps: readonly {
    readonly uses?: string;
    readonly run?: string;
    readonly with?: Readonly<Record<string, unknown>>;
  }[];
}

interface Workflow {
  readonly permissions?: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = `${root}/.github/workflows`;
const { engines, scripts } = JSON.parse(readFileSync(`${root}/package.json`, 'utf8')) as {
  engines: { node: string };
  scripts: Record<string, string>;
};

const mayWrite = ({ permissions }: Job) => Object.values(permissions ?? {}).includes('write');
const commandsOf = ({ steps }: Job) => steps.flatMap(({ run }) => (run === undefined ? [] : [run]));

describe.each(readdirSync(folder))('the workflow %s', (name) => {
  const text = readFileSync(`${folder}/${name}`, 'utf8');
  const workflow = parse(text) as Workflow;
  const jobs = Object.values(workflow.jobs);

  it('pins each action to a commit, with its version as a comment', () => {
    const used = text.split('\n').filter((line) => line.includes('uses:'));
    expect(used.length).toBeGreaterThan(0);
    expect(
      used.filter((line) => !/uses: actions\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line)),
    ).toEqual([]);
  });

  it('grants permissions only per job, and uses no secrets', () => {
    expect(workflow.permissions).toEqual({});
    expect(jobs.filter(({ permissions }) => permissions === undefined)).toEqual([]);
    expect(text).not.toMatch(/\bsecrets\b|pull_request_target/);
  });

  it('runs no repository code or event data with write permissions', () => {
    const commands = jobs.filter(mayWrite).flatMap(commandsOf);
    expect(commands.filter((command) => /\b(?:npm|npx|node)\b|\$\{\{/.test(command))).toEqual([]);
    expect(
      jobs
        .filter(mayWrite)
        .flatMap(({ steps }) => steps.filter(({ uses }) => uses?.startsWith('actions/checkout'))),
    ).toEqual([]);
  });

  it('has timeouts, keeps no token, and runs only scripts that exist', () => {
    for (const job of jobs) {
      expect(job['timeout-minutes']).toBeLessThanOrEqual(30);
      for (const step of job.steps.filter(({ uses }) => uses?.startsWith('actions/checkout')))
        expect(step.with).toMatchObject({ 'persist-credentials': false });
      const called = commandsOf(job).flatMap((command) =>
        [...command.matchAll(/npm run ([\w:-]+)/g)].map(([, script]) => script ?? ''),
      );
      expect(called.filter((script) => !(script in scripts))).toEqual([]);
    }
  });
});

it('the workflows run the oldest supported version of Node, 24 and 26', () => {
  const oldest = Number(/\d+/.exec(engines.node)?.[0]);
  const versions = readdirSync(folder).flatMap((name) =>
    [...readFileSync(`${folder}/${name}`, 'utf8').matchAll(/\bnode(?:-version)?: (\[.*\]|\d+)/g)]
      .flatMap(([, listed]) => listed?.match(/\d+/g) ?? [])
      .map(Number),
  );
  expect([...new Set(versions)].sort()).toEqual([oldest, 24, 26]);
});

it('the release workflow creates a draft with all files', () => {
  const { jobs } = parse(readFileSync(`${folder}/release.yml`, 'utf8')) as Workflow;
  const release = Object.values(jobs)
    .flatMap(commandsOf)
    .find((command) => command.startsWith('gh release create'));
  expect(release).toContain(' --draft ');
  const packages = ['claude-code', 'codex', 'agent-plugin', 'gemini'].map(
    (name) => `savepoint-${name}.zip`,
  );
  const files = ['main.js', 'manifest.json', 'styles.css', 'savepoint.mcpb', 'SHA256SUMS'];
  for (const file of [...files, ...packages, 'server.json']) expect(release).toContain(` ${file}`);
});
