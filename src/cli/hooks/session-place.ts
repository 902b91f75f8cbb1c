import type { AppWith } from '../../apps/index.js';
import { consentTo, isExcluded, type ProjectLink } from '../../capture/consent.js';
import { clip, Refusal } from '../../model/refusal.js';
import { createCaptureSettingsFile } from '../../node/capture/capture-settings-file.js';
import { goneExclusions } from '../../node/capture/moved-exclusions.js';
import { sessionsOf } from '../../node/capture/session-files.js';
import { environmentVault, envValue, isPrivateEnvironment } from '../../node/environment.js';
import { stateFolderFrom } from '../../node/ports/state-folder.js';
import { clientProject } from '../../node/projects/client-project.js';
import { findProjectAndLink, updateLink } from '../../node/projects/find-link.js';
import { realPath } from '../../node/real-path.js';
import type { ClientProject } from '../../toolkit/context-defaults.js';
import type { ProgramHost } from '../program.js';
import type { HookInput } from './hook-input.js';
import type { LinkedSession } from './linked-session.js';

/** How sessions start whose transcripts do not exist yet. */
export const NEW_SOURCES = new Set(['startup', 'clear']);

/**
 * Returns the session of a hook, and its input with the folder in which it began, which decides on
 * its project for good; or what to say instead of a brief if the link is only claimed. Undefined if
 * there is no link or the folder is excluded. A vault in the environment limits hooks to its links.
 */
export async function findSessionPlace(
  program: ProgramHost,
  given: HookInput,
  app: AppWith<'hooks'>,
  isBackground: boolean,
): Promise<{ linked: LinkedSession; input: HookInput } | { claimed: string } | undefined> {
  const { node, env } = program;
  const stateFolder = stateFolderFrom(node, env, program.platform);
  const store = createCaptureSettingsFile(node, stateFolder);
  const stored = await store.read();
  if (stored.links.length === 0) return undefined;
  const named = app.projectVariable && envValue(env, app.projectVariable);
  const isNew = NEW_SOURCES.has(given.source);
  // a session that starts does not have to load what reads transcripts
  const transcripts = isNew
    ? undefined
    : await import('../../node/capture/read-transcript-file.js');
  const first = await transcripts?.firstFolder(node, app.id, given.transcript);
  const folder = named ?? first ?? given.folder;
  if (!node.path.isAbsolute(folder)) return undefined;
  const limit = environmentVault(node, env);
  if (limit && 'problem' in limit) throw new Refusal(limit.problem);
  const realVault = limit && (await realPath(node, limit.vault));
  const links = stored.links.filter((link) => [link.vault, undefined].includes(realVault));
  const began = named ?? first;
  const at = began === undefined ? undefined : await findProjectAndLink(node, links, began);
  const { project, found } =
    at ??
    (await findRegistered(node, stateFolder, links, app.id, given, began !== undefined)) ??
    {};
  if (!project || !found) return undefined;
  // a worktree elsewhere is part of the linked folder
  const places = [project.place.named, found.link.folder];
  const ids = { id: found.link.project, folders: [project.place.folder, found.link.folder] };
  const settings = await store.locate(stored, [...places, given.folder], ids);
  if (places.some((each) => isExcluded(settings, each))) return undefined;
  if (!found.isProved) return { claimed: claimedText(clientProject(project, found)) };
  const { link } = found;
  // the transcript of another project
  if (named !== undefined && first !== undefined) {
    const other = await findProjectAndLink(node, links, first);
    if (other?.found?.link.project !== link.project) return undefined;
  }
  const gone = await goneExclusions(node, stored, link.project, ids.folders);
  if (gone.length > 0) await store.update((same) => same, given.at);
  if (isBackground) await updateLink(node, store, found, project);
  const folders = [project.place.named, await realPath(node, given.folder)];
  const consent = consentTo(settings, link, folders, given.at);
  if (!consent) return undefined;
  const isPrivate = isPrivateEnvironment(env);
  const hasConsent = consent.isCaptured && given.hasConsent && gone.length === 0;
  const isCaptured = hasConsent && !isPrivate;
  const files = sessionsOf(node, stateFolder, link);
  const place = { stateFolder, settings, link, files, project: clientProject(project, found) };
  return { linked: { ...place, isCaptured, isPrivate }, input: { ...given, folder, hasConsent } };
}

/**
 * Returns the project in which a session was registered, also if it has moved; if it is not known
 * where it began, and nowhere registered, that of the hook's folder.
 */
async function findRegistered(
  node: ProgramHost['node'],
  stateFolder: string,
  links: readonly ProjectLink[],
  client: string,
  given: HookInput,
  isKnown: boolean,
): ReturnType<typeof findProjectAndLink> {
  const registered = await registeredLink(node, stateFolder, links, client, given);
  if (!registered && isKnown) return undefined;
  if (!registered) return findProjectAndLink(node, links, given.folder);
  const own = await findProjectAndLink(node, links, registered.folder);
  if (own?.found) return own;
  const here = await findProjectAndLink(node, links, given.folder);
  return here?.found?.link.project === registered.project ? here : undefined;
}

/** Returns the link in whose project the session was registered when it began. */
async function registeredLink(
  node: ProgramHost['node'],
  stateFolder: string,
  links: readonly ProjectLink[],
  client: string,
  { session, source }: HookInput,
): Promise<ProjectLink | undefined> {
  if (session === '' || NEW_SOURCES.has(source)) return undefined;
  const has = await Promise.all(
    links.map((link) => sessionsOf(node, stateFolder, link).has(client, session)),
  );
  return links.find((_, index) => has[index]);
}

function claimedText({ link }: ClientProject): string {
  return `This folder may belong to the workspace "${clip(link?.workspaceName ?? '')}", but only its git remote or first commit says so, so nothing of it is shown and this session is not captured. To confirm it, the user can run: ${link?.confirmCommand}`;
}
