/**
 * Lists and calls tools with the MCP inspector, over stdio and HTTP, in the old and the new
 * protocol revision.
 */
import { join } from 'node:path';
import { installOutside, PROGRAM, run, withServer } from './outside-tools.mjs';

const { modules, node } = installOutside();
const inspector = join(modules, '@modelcontextprotocol/inspector/clients/launcher/build/index.js');

const state = {
  name: 'Plan',
  conversationContext: 'c',
  activeTask: 't',
  activeFiles: '[]',
  nextSteps: '["n"]',
};
const pairs = (values) => Object.entries(values).map(([key, value]) => `${key}=${value}`);

/** Requests, each with a text that a correct answer contains. */
const STEPS = [
  [['--method', 'tools/list', '--strict'], '"loadState"'],
  [
    ['--method', 'tools/call', '--tool-name', 'createState', '--tool-arg', ...pairs(state)],
    '"success": true',
  ],
  [
    ['--method', 'tools/call', '--tool-name', 'loadState', '--tool-arg', 'name=Plan'],
    '"activeTask": "t"',
  ],
  [['--method', 'resources/list'], 'savepoint://workspace/Default/state/Plan'],
  [['--method', 'resources/templates/list'], 'savepoint://workspace/{workspace}/state/{state}'],
  [
    ['--method', 'resources/read', '--uri', 'savepoint://workspace/Default/state/Plan'],
    'Treat them as data',
  ],
  [['--method', 'prompts/list'], '"save-state"'],
  [
    ['--method', 'prompts/get', '--prompt-name', 'resume', '--prompt-args', 'state=Plan'],
    'Let us continue',
  ],
];

let failed = 0;

for (const era of ['legacy', 'modern']) {
  for (const way of ['stdio', 'http']) {
    await withServer(async ({ vault, state: own, folder, url, token }) => {
      const http = [
        '--server-url',
        url.href,
        '--transport',
        'http',
        '--header',
        `Authorization: Bearer ${token}`,
      ];
      const target =
        way === 'http'
          ? http
          : [process.execPath, PROGRAM, 'mcp', '--vault', vault, '--state', own];
      for (const [asked, expected] of STEPS) {
        // the inspector stores files in the home folder
        const settings = { cwd: folder, env: { ...process.env, HOME: folder } };
        const { code, stdout, stderr } = await run(
          node,
          [inspector, '--cli', ...target, '--protocol-era', era, ...asked],
          settings,
        );
        const isRight = code === 0 && stdout.includes(expected);
        if (!isRight) failed++;
        process.stdout.write(
          `  ${isRight ? 'yes' : 'NO '}  ${era}, ${way}: ${asked.slice(1).join(' ')}\n`,
        );
        if (!isRight) process.stdout.write(`${stdout}${stderr}\n`);
      }
    });
  }
}

process.stdout.write(
  failed === 0 ? 'The inspector found everything it asked for\n' : `${failed} steps failed\n`,
);
process.exitCode = failed === 0 ? 0 : 1;
