import { readHostWorkspace } from '../../bridge/call-router.js';
import { captureText, type CaptureSettings, type ProjectLink } from '../../capture/consent.js';
import type { Memory } from '../../model/memory.js';
import { clip, Refusal } from '../../model/refusal.js';
import { createCaptureSettingsFile } from '../../node/capture/capture-settings-file.js';
import { failed, passed, type HealthCheck } from '../../apps/health-check.js';
import { findKnownVault } from '../../node/known-vault.js';
import { goneExclusions } from '../../node/capture/moved-exclusions.js';
import { clientProject } from '../../node/projects/client-project.js';
import { findProjectAndLink, type FoundLink } from '../../node/projects/find-link.js';
import { connectIpc, ipcLocation } from '../../node/serve/ipc-server.js';
import { shellQuoted } from '../../node/shell-quoted.js';
import { resolveCallContext, type CallPlace } from '../../toolkit/context.js';
import type { ClientProject } from '../../toolkit/context-defaults.js';
import { Sessions } from '../../toolkit/sessions.js';
import { stateFolderOf, type ProgramHost } from '../program.js';
import { HERE, openProjects } from '../projects.js';
import { openVaultLog, placesOf } from '../vault-log.js';

/** Reports the workspace of a session that starts now, for each link and the current folder. */
export async function reportLinks(
  program: ProgramHost,
  state?: string,
): Promise<readonly HealthCheck[]> {
  const stateFolder = stateFolderOf(program, state);
  const settings = await createCaptureSettingsFile(program.node, stateFolder).read();
  const { links } = settings;
  const memories = new Map<string, Promise<Memory | Refusal>>();
  const memoryOf = (vault: string) => {
    const memory = memories.get(vault) ?? readMemory(program, vault, state);
    memories.set(vault, memory);
    return memory;
  };
  const checks: HealthCheck[] = [];
  for (const link of links) checks.push(await checkLink(program, settings, link, memoryOf));
  const here = await checkHere(program, links, state, memoryOf);
  return here ? [...checks, here] : checks;
}

type MemoryOf = (vault: string) => Promise<Memory | Refusal>;

async function readMemory(
  program: ProgramHost,
  vault: string,
  state: string | undefined,
): Promise<Memory | Refusal> {
  const report = () => undefined; // what it reports is not about the link
  const { log } = await openVaultLog(program, { vault, state, isReadOnly: true, report });
  const memory: Promise<Memory | Refusal> = log.memory().catch(ifRefused);
  return memory.finally(() => log.close());
}

function ifRefused(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  throw error;
}

async function checkLink(
  { node }: ProgramHost,
  settings: CaptureSettings,
  link: ProjectLink,
  memoryOf: MemoryOf,
): Promise<HealthCheck> {
  const { folder, vault } = link;
  const capture = captureText(settings, link, Date.now());
  const project = `--project ${shellQuoted(folder)}`;
  const relink = `run "savepoint link --workspace NAME --vault ${shellQuoted(vault)} ${project}"`;
  const unlink = `run "savepoint unlink ${project}"`;
  const describe = (name: string) =>
    `${folder} is linked to "${clip(name)}" in ${vault}; ${capture}`;
  const failedLink = (problem: string, fix: string) =>
    failed('link', `${describe(link.workspaceName)}. ${problem}`, fix);
  const memory = await memoryOf(vault);
  // while memory is missing, the workspace may be, too
  const choices = `${verifyAdvice(vault)}, ${relink}, or ${unlink}`;
  if (memory instanceof Refusal) return failedLink(memory.message, choices);
  const ofVault = settings.links.filter((each) => each.vault === vault);
  const at = await findProjectAndLink(node, ofVault, folder);
  if (!at?.found)
    return failedLink(
      'There is no project in this folder any more.',
      `if it was renamed, start a session there, which finds the link again; otherwise ${unlink}`,
    );
  const place = placeIn(memory, clientProject(at.project, at.found));
  if (place.problem !== undefined)
    return failedLink('This vault does not have that workspace.', choices);
  const [gone] = await goneExclusions(node, settings, link.project, [folder]);
  if (gone !== undefined)
    return failedLink(
      `The excluded folder ${gone} is gone, so nothing in this project is captured.`,
      `run "savepoint links --exclude DIR" for the folder where its files are now, and "savepoint links --include ${shellQuoted(gone)}"`,
    );
  if (place.workspace.item.isArchived)
    return failedLink('This workspace is archived.', `restore it in Obsidian, or ${relink}`);
  const also = at.found.other ? `. ${otherLinkText(at.found.other)}` : '';
  return passed('link', `${describe(place.workspace.displayName)}${also}`);
}

/** Returns how to begin if a workspace is not found. */
function verifyAdvice(vault: string): string {
  return `run "savepoint verify --vault ${shellQuoted(vault)}"; if nothing is missing`;
}

function otherLinkText({ folder, workspaceName }: ProjectLink): string {
  return `Its git repository also belongs to ${folder}, which is linked to "${clip(workspaceName)}"; the folder decides`;
}

/** Returns where a new session's calls happen. */
function placeIn(
  memory: Memory,
  project: ClientProject | undefined,
  hostWorkspaceId?: string,
): CallPlace {
  const defaults = { sessionId: '', project };
  return resolveCallContext(memory, new Sessions(), {}, defaults, hostWorkspaceId);
}

/** Checks the current folder. Returns undefined if it is no project, or its link is reported. */
async function checkHere(
  program: ProgramHost,
  links: readonly ProjectLink[],
  state: string | undefined,
  memoryOf: MemoryOf,
): Promise<HealthCheck | undefined> {
  const { node, env, platform } = program;
  const folder = node.path.resolve();
  const stateFolder = stateFolderOf(program, state);
  const known = await findKnownVault(node, { env, platform, stateFolder, folder });
  if (!('vault' in known)) return checkUnknown(program, links, folder);
  const { vault, deviceFolder } = await placesOf(program, { vault: known.vault, state });
  const projects = await openProjects(program, { vault, state });
  const project = await projects.find(HERE);
  const memory = await memoryOf(vault);
  if (!project || memory instanceof Refusal) return undefined;
  const ofVault = links.filter((link) => link.vault === vault);
  const { found } = (await findProjectAndLink(node, ofVault, folder)) ?? {};
  if (found?.evidence === 'folder') return undefined;
  const connection = await connectIpc(node, ipcLocation(node, deviceFolder, env, platform));
  const hostId = connection && (await readHostWorkspace(connection));
  connection?.close();
  const place = placeIn(memory, project, hostId);
  return hereCheck(project, place, found, vault);
}

/** Checks the current folder if no vault is known for it. */
async function checkUnknown(
  { node }: ProgramHost,
  links: readonly ProjectLink[],
  folder: string,
): Promise<HealthCheck | undefined> {
  if (links.length === 0) return undefined;
  const { project } = (await findProjectAndLink(node, links, folder)) ?? {};
  if (!project) return undefined;
  const advice = 'To link it, run "savepoint link --workspace NAME --vault DIR" here';
  const text = `${project.place.folder} is not linked, and the links of this device lead to several vaults, so a session here gets no brief and is not captured. ${advice}`;
  return passed('here', text);
}

function hereCheck(
  { folder = '', link }: ClientProject,
  { workspace, source, problem }: CallPlace,
  found: FoundLink | undefined,
  vault: string,
): HealthCheck {
  const text = `a session in ${folder} happens in "${workspace.displayName}"`;
  const linkCommand = `savepoint link --workspace NAME --vault ${shellQuoted(vault)}`;
  if (problem !== undefined) {
    const linked = `${folder} belongs to the link of ${found?.link.folder ?? folder}`;
    const gone = `${linked}, and ${vault} does not have the workspace "${clip(link?.workspaceName ?? '')}".`;
    return failed('here', gone, `${verifyAdvice(vault)}, run "${linkCommand}" here`);
  }
  switch (source) {
    case 'session':
    case 'link': {
      const by = `${text}, by the link of ${found?.link.folder}`;
      if (link?.confirmCommand === undefined) return passed('here', by);
      const why = 'Only its git remote or first commit says so; it gets no brief and no capture';
      return failed('here', `${by}. ${why}.`, `run "${link.confirmCommand}" if that is right`);
    }
    case 'client':
    case 'project':
      return passed('here', `${text}, which was used there last, unless its app last used another`);
    case 'host':
      return passed('here', `${text}, which is current in Obsidian`);
    case 'default': {
      const advice = `To change that, run "${linkCommand}" here`;
      return passed('here', `${text}, because nothing else is known. ${advice}`);
    }
  }
}
