import { findApp } from '../../../apps/index.js';
import { textsIn } from '../../../model/text/json-fields.js';
import { CAPTURE_FOLDER } from '../../capture/capture-settings-file.js';
import { failed, type HealthCheck } from '../../health-check.js';
import type { NodeModules } from '../../modules.js';
import { JsonFile } from '../../ports/json-file.js';
import { filesOf } from './installed-packages.js';
import type { ClientConfig } from '../clients.js';
import { programOfHooks } from '../hooks/hook-config.js';

type Modules = Pick<NodeModules, 'fs' | 'path' | 'crypto' | 'timers'>;

const FILE_NAME = 'hooks.json';

/** Stores that a client has got the hooks, or that the user has removed them with this program. */
export async function noteHooks(
  node: Modules,
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

/** Returns what is wrong if the client's settings switch off all hooks. */
export async function hookSwitchProblem(
  modules: Pick<NodeModules, 'fs' | 'path'>,
  config: ClientConfig,
): Promise<Pick<HealthCheck, 'text' | 'fix'> | undefined> {
  const { title, hooks } = config.app;
  if (!hooks) return undefined;
  const { file, format, name, isOff } = hooks.switch;
  if (!isOff(await filesOf(modules, config).fields(file, format))) return undefined;
  const path = modules.path.join(config.folder, file);
  return {
    text: `${title} runs no hooks, because ${name} in ${path} switches them off.`,
    fix: `change ${name} if its sessions are to be captured`,
  };
}

/**
 * Checks that the clients which had the hooks still have them, once each, and run them.
 *
 * @param isCaptured True if the sessions of any project are captured.
 */
export async function checkHooks(
  node: Modules,
  configs: readonly ClientConfig[],
  stateFolder: string,
  isCaptured: boolean,
): Promise<HealthCheck[]> {
  const noted = textsIn(await fileIn(node, stateFolder).read());
  const checks: HealthCheck[] = [];
  let isAny = false;
  for (const config of configs) {
    const { id, title, findPackage } = config.app;
    const hooks = findApp('hooks', id)?.hooks;
    if (!hooks) continue;
    const files = filesOf(node, config);
    const hasHooks = programOfHooks(await files.fields(hooks.file, hooks.format)) !== undefined;
    const hasPackage = (await findPackage?.(files)) !== undefined;
    const isNoted = noted.includes(id);
    isAny ||= hasHooks || hasPackage;
    const name = `${title} hooks`;
    const problem = await hookSwitchProblem(node, config);
    if (problem && (hasHooks || hasPackage || isNoted))
      checks.push(failed(name, problem.text, problem.fix));
    const add = `run "savepoint connect ${id} --hooks" for its vault`;
    if (isNoted && !hasHooks && !hasPackage)
      checks.push(failed(name, `were added, but are no longer in ${hooks.file}`, add));
    if (hasHooks && hasPackage)
      checks.push(
        failed(
          name,
          'are there twice, in its settings and in its package, so each session is captured twice',
          `keep one: remove the package in ${title}, or run "savepoint connect ${id} --undo" for its vault`,
        ),
      );
  }
  if (isCaptured && !isAny)
    checks.push(
      failed(
        'hooks',
        'no AI app has the hooks, so the sessions of linked projects are not captured',
        'run "savepoint connect CLIENT --hooks" for the vault',
      ),
    );
  return checks;
}

function fileIn(node: Modules, stateFolder: string): JsonFile {
  return new JsonFile(node, node.path.join(stateFolder, CAPTURE_FOLDER, FILE_NAME));
}
