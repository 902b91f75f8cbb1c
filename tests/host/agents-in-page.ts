import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { ChromiumHost } from './chromium.js';
import type { InstallOptions } from './page-agents.js';

const SCRIPT = fileURLToPath(new URL('page-agents.ts', import.meta.url));
const SCRIPTED = fileURLToPath(new URL('../fakes/scripted-agent.mjs', import.meta.url));

let bundled: Promise<string> | undefined;

function bundle(): Promise<string> {
  bundled ??= build({
    entryPoints: [SCRIPT],
    bundle: true,
    write: false,
    format: 'iife',
    target: 'es2022',
    logLevel: 'error',
  }).then(({ outputFiles }) => outputFiles[0]!.text);
  return bundled;
}

/**
 * Lets agents answer in a page. Each is the scripted agent, in a process of its own. Returns a
 * function that ends them all.
 */
export async function installAgents(
  { page }: ChromiumHost,
  {
    missing = [],
    hasMemory = true,
    isBusy = false,
    memoryServer,
    vault,
  }: Partial<InstallOptions> & { vault: string },
): Promise<() => void> {
  const quirks = memoryServer ? [] : ['no-memory'];
  const programs: ChildProcess[] = [];
  const running = (id: number) => {
    const program = programs[id];
    if (!program) throw new Error(`No program ${id} was started`);
    return program;
  };
  await page.exposeFunction('startProgram', () => {
    const program = spawn(process.execPath, [SCRIPTED, ...quirks], {
      cwd: vault,
      env: { ...process.env, SAVEPOINT_STATE: join(vault, '.state') },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const id = programs.push(program) - 1;
    program.stdout.setEncoding('utf8').on('data', (text: string) => {
      const received = page.evaluate(([to, chunk]) => window.__agents.receive(to, chunk), [
        id,
        text,
      ] as const);
      received.catch(() => undefined); // the page was closed
    });
    return id;
  });
  await page.exposeFunction('writeToProgram', (id: number, text: string) => {
    running(id).stdin?.write(text);
  });
  await page.exposeFunction('endProgram', (id: number) => {
    running(id).kill();
  });
  await page.evaluate(await bundle());
  await page.evaluate((options) => window.__agents.install(options), {
    missing,
    hasMemory,
    isBusy,
    memoryServer,
    vault,
  });
  return () => programs.forEach((program) => program.kill());
}
