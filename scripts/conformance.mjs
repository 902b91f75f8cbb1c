/**
 * Runs every scenario of MCP's conformance suite against our server, in each revision, over HTTP,
 * because the suite has no stdio. If a scenario does not apply, the reason is printed, and our
 * messages must still match the protocol's schema.
 */
import { createServer, request } from 'node:http';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { installOutside, PROGRAM, run, withServer } from './outside-tools.mjs';

const REVISIONS = ['2025-06-18', '2025-11-25', '2026-07-28'];

const CONTENT =
  'asks for a tool or prompt that answers with images, sound or files: ours answer with text';
const ASKS =
  'asks for a tool that asks back (sampling, elicitation, roots): ours never ask the client';
const TASKS = 'the tasks extension is not offered: no call here outlives its request';
const SKILLS = 'the skills extension is not offered';
const SUBSCRIBE = 'subscriptions to resources are not offered';
const FIXTURE = 'asks for a tool of the suite itself, which has no like among ours';

/** Scenarios that do not apply, with the reason. */
const NOT_APPLICABLE = {
  'logging-set-level': 'logging to the client is not offered: the log goes to standard error',
  'tools-call-with-logging': 'logging to the client is not offered: the log goes to standard error',
  'tools-call-with-progress':
    'asks for a tool that tells of progress within 150 ms: ours tell each second (tests/bridge/call-router.test.ts)',
  'tools-call-image': CONTENT,
  'tools-call-audio': CONTENT,
  'tools-call-embedded-resource': CONTENT,
  'tools-call-mixed-content': CONTENT,
  'prompts-get-embedded-resource': CONTENT,
  'prompts-get-with-image': CONTENT,
  'resources-read-binary': 'there are no binary resources',
  'resources-subscribe': SUBSCRIBE,
  'resources-unsubscribe': SUBSCRIBE,
  'tools-call-sampling': ASKS,
  'tools-call-elicitation': ASKS,
  'elicitation-sep1034-defaults': ASKS,
  'elicitation-sep1330-enums': ASKS,
  'json-schema-2020-12': `${FIXTURE} (schemas with references; ours keep to the subset that every client reads)`,
  'server-sse-multiple-streams 2025-11-25':
    'there are no sessions over HTTP, so none with several streams',
  'server-session-lifecycle': 'there are no sessions over HTTP: each request stands for itself',
  'server-sse-polling': `${FIXTURE} (a stream that the server breaks off to be asked again; ours answers in one piece)`,
  'http-custom-header-server-validation': 'no tool of ours has parameters that travel as headers',
};
const isNotOffered = (name) =>
  name.startsWith('tasks-')
    ? TASKS
    : name.startsWith('sep-2640-')
      ? SKILLS
      : name.startsWith('input-required-result-')
        ? ASKS
        : undefined;

/** Single checks that do not apply, in scenarios that do. */
const CHECKS_NOT_APPLICABLE = {
  'sep-2575-server-rejects-undeclared-capability': FIXTURE,
  'sep-2575-missing-capability-http-400': FIXTURE,
};

/**
 * Replacements for the suite's fixed names. A request with one of these names is redirected to
 * something of ours of the same kind, so that our real answer, unchanged, is judged.
 */
const STAND_INS = {
  'tools/call': {
    test_simple_text: () => ({ name: 'listWorkspaces', arguments: {} }),
    test_error_handling: () => ({ name: 'loadState', arguments: { name: 'None' } }),
  },
  'prompts/get': {
    test_simple_prompt: () => ({ name: 'save-state' }),
    test_prompt_with_arguments: ({ arg1, arg2 }) => ({
      name: 'save-state',
      arguments: { workspace: arg1, name: arg2 },
    }),
  },
  'resources/read': {
    'test://static-text': () => ({ uri: 'savepoint://workspace/Default' }),
    'test://template/123/data': () => ({ uri: 'savepoint://workspace/123' }),
  },
  'completion/complete': {
    test_prompt_with_arguments: () => ({
      ref: { type: 'ref/prompt', name: 'save-state' },
      argument: { name: 'workspace', value: 'test' },
    }),
  },
};
/** Workspaces that the redirected requests refer to. */
const WORKSPACES = ['123', 'testValue1'];

function leadToOurs(message) {
  const { method, params } = message ?? {};
  const stand = STAND_INS[method]?.[params?.ref?.name ?? params?.name ?? params?.uri];
  return stand ? { ...message, params: { ...params, ...stand(params.arguments ?? {}) } } : message;
}

/**
 * Opens a proxy that adds the token, which the suite does not send, and replaces the proxy's
 * address with the server's.
 */
function openBetween({ url, token }) {
  const between = createServer(async (asked, answer) => {
    const pieces = [];
    for await (const piece of asked) pieces.push(piece);
    let body = Buffer.concat(pieces);
    const headers = { ...asked.headers, authorization: `Bearer ${token}` };
    for (const name of ['host', 'origin'])
      headers[name] &&= headers[name].replace(
        new RegExp(`^((?:http://)?(?:localhost|127\\.0\\.0\\.1)):${between.address().port}$`),
        `$1:${url.port}`,
      );
    const message = readJson(body);
    const led = leadToOurs(message);
    if (led !== message) {
      body = Buffer.from(JSON.stringify(led));
      const isRight = headers['mcp-name'] === (message.params.name ?? message.params.uri);
      if (isRight && led.params.ref === undefined)
        headers['mcp-name'] = led.params.name ?? led.params.uri;
    }
    if (headers['content-length']) headers['content-length'] = String(body.length);
    const ours = request(url, { method: asked.method, headers }, (response) => {
      answer.writeHead(response.statusCode, response.headers);
      response.pipe(answer);
    });
    ours.on('error', () => answer.destroy());
    answer.on('close', () => ours.destroy());
    ours.end(body);
  });
  return new Promise((resolve) => between.listen(0, '127.0.0.1', () => resolve(between)));
}

function readJson(bytes) {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}

/** Returns the checks that the suite made, by scenario. */
function readResults(folder) {
  return new Map(
    readdirSync(folder).map((name) => {
      const checks = JSON.parse(readFileSync(join(folder, name, 'checks.json'), 'utf8'));
      return [name.replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/, ''), checks];
    }),
  );
}

const { modules, node } = installOutside();
const suite = join(modules, '@modelcontextprotocol/conformance/dist/index.js');
const { stdout: list } = await run(node, [suite, 'list', '--server']);
const scenarios = [...list.matchAll(/^ +- (\S+) \[(.*)\]$/gm)].map(([, name, versions]) => ({
  name,
  versions: versions.split(','),
}));
if (scenarios.length === 0) throw new Error('The suite lists no scenarios.');
const gone = Object.keys(NOT_APPLICABLE).filter(
  (name) => !scenarios.some((scenario) => scenario.name === name.split(' ')[0]),
);
if (gone.length > 0) throw new Error(`Not in the suite any more: ${gone.join(', ')}`);

const totals = { passed: 0, failed: 0, left: 0, checks: 0 };

await withServer(async ({ url, token, folder, vault, state }) => {
  for (const name of WORKSPACES) {
    const params = JSON.stringify({
      name,
      description: 'For the suite',
      rootFolder: '/',
      purpose: 'To be read',
    });
    await run(process.execPath, [
      PROGRAM,
      'call',
      'createWorkspace',
      '--vault',
      vault,
      '--state',
      state,
      '--json',
      params,
    ]);
  }
  const between = await openBetween({ url, token });
  for (const revision of REVISIONS) {
    const results = join(folder, revision);
    const address = `http://localhost:${between.address().port}/mcp`;
    await run(
      node,
      [
        suite,
        'server',
        '--url',
        address,
        '--suite',
        'all',
        '--spec-version',
        revision,
        '-o',
        results,
      ],
      { cwd: folder },
    );
    const found = readResults(results);
    process.stdout.write(`\n${revision}\n`);
    for (const { name } of scenarios.filter(
      ({ versions }) =>
        versions.includes(revision) ||
        (versions.includes('extension') && revision === REVISIONS.at(-1)),
    ))
      judge(name, revision, found.get(name));
  }
  between.close();
  between.closeAllConnections();
});

function judge(name, revision, checks = []) {
  const reason =
    NOT_APPLICABLE[`${name} ${revision}`] ?? NOT_APPLICABLE[name] ?? isNotOffered(name);
  const isOurs = ({ id }) =>
    !(id in CHECKS_NOT_APPLICABLE) && (reason === undefined || id === 'wire-schema-valid');
  const failures = checks.filter((check) => check.status === 'FAILURE' && isOurs(check));
  const passed = checks.filter(({ status }) => status === 'SUCCESS').length;
  const isWhole = failures.length === 0 && (reason !== undefined || passed > 0);
  if (!isWhole) totals.failed++;
  else if (reason !== undefined) totals.left++;
  else totals.passed++;
  if (reason === undefined) totals.checks += passed;
  const verdict = isWhole ? (reason === undefined ? 'yes' : 'n/a') : 'NO';
  process.stdout.write(
    `  ${verdict.padEnd(5)} ${name}${reason === undefined ? '' : `: ${reason}`}${checks.length === 0 ? ' (it did not run)' : ''}\n`,
  );
  for (const { id, status, errorMessage } of reason === undefined ? checks : failures) {
    const told =
      status === 'FAILURE' && id in CHECKS_NOT_APPLICABLE
        ? `n/a ${id}: ${CHECKS_NOT_APPLICABLE[id]}`
        : `${status.toLowerCase()} ${id}`;
    if (status !== 'SUCCESS' && status !== 'INFO')
      process.stdout.write(
        `          ${told}${errorMessage && isOurs({ id }) ? `: ${errorMessage}` : ''}\n`,
      );
  }
}

const { passed, failed, left, checks } = totals;
process.stdout.write(
  `\n${passed} scenarios passed (${checks} checks), ${failed} failed, ${left} do not apply\n`,
);
process.exitCode = failed === 0 ? 0 : 1;
