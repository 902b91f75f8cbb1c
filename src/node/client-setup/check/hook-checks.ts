import type { AppHooks } from '../../../apps/ai-app.js';
import { tells, type ProjectLink } from '../../../capture/consent.js';
import { textsIn } from '../../../model/text/json-fields.js';
import { sessionsOf } from '../../capture/session-files.js';
import { CAPTURE_FOLDER } from '../../capture/capture-settings-file.js';
import { failed, passed, type HealthCheck } from '../../../apps/health-check.js';
import type { NodeModules } from '../../modules.js';
import { createJsonFile, type JsonFile } from '../../ports/json-file.js';
import { shellQuoted } from '../../shell-quoted.js';
import { findSwitches } from './find-switches.js';
import { filesOf } from './installed-packages.js';
import type { ClientConfig } from '../clients.js';
import { ownHooks } from '../hooks/hook-config.js';
import { tellEvents } from '../hooks/hook-settings.js';
import { readHookFile, shellWords } from '../hooks/hook-plan.js';
import { problemText } from '../plan.js';

const FILE_NAME = 'hooks.json';

/** Stores that a client has got the hooks, or that the user has removed them with this program. */
export async function noteHooks(
  node: NodeModules,
  stateFolder: string,
  client: string,
  hasHooks: boolean,
): Promise<void> {
  const file = fileIn(node, stateFolder);
  if (textsIn(await file.read()).includes(client) === hasHooks) return;
  await file.update((stored) => {
    const others = textsIn(stored).filter((each) => each !== client);
    return hasHooks ? [...others, client] : others;
  });
}

type HookProblem = Pick<HealthCheck, 'text' | 'fix'>;

/** Returns what certainly switches the hooks of a client off, for all projects and for some. */
export async function hooksOff(
  node: NodeModules,
  config: ClientConfig,
  projects: readonly string[],
) {
  const none = { name: '', command: '', args: [] };
  const found = await findSwitches(node, config, 'hooks', none, projects);
  return found.filter(({ isCertain }) => isCertain);
}

/** Checks that clients which had the hooks still have each of them once and run them. */
export async function checkHooks(
  node: NodeModules,
  configs: readonly ClientConfig[],
  stateFolder: string,
  links: readonly ProjectLink[],
): Promise<HealthCheck[]> {
  const noted = textsIn(await fileIn(node, stateFolder).read());
  const found = configs.map((config) =>
    checkClientHooks(node, config, noted.includes(config.app.id), links, stateFolder),
  );
  const checks = (await Promise.all(found)).flat();
  if (checks.length === 0 && links.some(({ capture }) => capture !== 'off'))
    checks.push(
      failed(
        'hooks',
        'no AI app has the hooks, so the sessions of linked projects are not captured',
        `run ${connectCommand('CLIENT', '--hooks', links)} to add them`,
      ),
    );
  return checks;
}

/** Checks a client's hooks. Returns nothing if it has none, and is not noted to have had them. */
async function checkClientHooks(
  node: NodeModules,
  config: ClientConfig,
  isNoted: boolean,
  links: readonly ProjectLink[],
  stateFolder: string,
): Promise<HealthCheck[]> {
  const { id, title, hooks, findPackage } = config.app;
  if (!hooks) return [];
  const name = `${title} hooks`;
  const own = await readOwnHooks(node, config, hooks);
  if (typeof own === 'string')
    return isNoted || links.length > 0 ? [failed(name, own, 'follow that message')] : [];
  const hasPackage = (await findPackage?.(filesOf(node, config))) !== undefined;
  const folders = links.map(({ folder }) => folder);
  const problems: HookProblem[] = await hooksOff(node, config, folders);
  if (own.length === 0 && !hasPackage && !isNoted)
    return problems.map(({ text }) => passed(name, text)); // nobody wants them yet
  const fix = `run ${connectCommand(id, '--hooks', links)} to add them`;
  if (own.length > 0) {
    const withTools = links.some((link) => tells(link, 'all'));
    const events = [
      ...Object.values(hooks.events),
      ...tellEvents(hooks, withTools).map(({ event }) => event),
    ];
    const missing = events.filter((each) => !own.some(({ event }) => event === each));
    if (missing.length > 0) {
      const verb = missing.length === 1 ? 'is' : 'are';
      problems.push({ text: `${missing.join(', ')} ${verb} missing in ${hooks.file}`, fix });
    }
    for (const file of await missingFiles(node, own))
      problems.push({ text: `There is no file "${file}", which they call in ${hooks.file}`, fix });
  } else if (!hasPackage)
    problems.push({ text: `were added, but are no longer in ${hooks.file}`, fix });
  if (own.length > 0 && hasPackage)
    problems.push({
      text: 'are there twice, in its settings and in its package, so each session is captured twice',
      fix: `keep one: remove the package in ${title}, or run ${connectCommand(id, '--undo', links)} to remove the others`,
    });
  if (problems.length > 0) return problems.map((each) => failed(name, each.text, each.fix));
  const text = `are in ${own.length > 0 ? hooks.file : 'its package'}`;
  const unseen: string[] = [];
  for (const link of links)
    if (link.capture !== 'off' && !(await sessionsOf(node, stateFolder, link).hasSeen(id)))
      unseen.push(link.folder);
  if (unseen.length === 0) return [passed(name, text)];
  const start = `start a session there. ${hooks.advice.replace(/\.$/, '')}`;
  return [{ ...passed(name, `${text}, but not seen yet in ${unseen.join(', ')}`), fix: start }];
}

/** Returns the command, for a vault with a linked project if there is one. */
function connectCommand(client: string, option: string, links: readonly ProjectLink[]): string {
  return `savepoint connect ${client} ${option} --vault ${shellQuoted(links[0]?.vault ?? 'DIR')}`;
}

/** Returns own hooks in the client's settings, or why these cannot be read. */
async function readOwnHooks(node: NodeModules, config: ClientConfig, hooks: AppHooks) {
  const read = readHookFile(node, config, { hooks }).then(({ data }) => ownHooks(data));
  return read.catch(problemText);
}

/** Returns the absolute paths in the commands of hooks at which there is no file. */
async function missingFiles(
  { fs, path }: NodeModules,
  hooks: readonly { readonly program: string }[],
): Promise<string[]> {
  const words = new Set(hooks.flatMap(({ program }) => shellWords(program)));
  const files = [...words].filter((word) => path.isAbsolute(word));
  const stats = await Promise.all(files.map((file) => fs.stat(file).catch(() => undefined)));
  return files.filter((_, at) => stats[at]?.isFile() !== true);
}

function fileIn(node: NodeModules, stateFolder: string): JsonFile {
  return createJsonFile(node, node.path.join(stateFolder, CAPTURE_FOLDER, FILE_NAME));
}
