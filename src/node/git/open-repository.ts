import type { GitRepository } from '../../platform/device-access.js';
import type { NodeModules } from '../modules.js';
import { commonFolder, findRepository, readGitHead, readText } from './git-head.js';
import { configFlag, configValues, MAX_CONFIG_BYTES, readUserConfigs } from './config.js';
import { FolderRepository } from './folder-repository.js';
import { isTrusted } from './owner.js';
import { createProblems, type Problems } from './problems.js';
import { exists, isFolder } from '../real-path.js';

/**
 * Opens the git repository around a folder, an absolute and real path, called `name` in messages.
 * Reads only what git would read and runs no program. Throws a `Refusal` if there is no repository
 * or it must not or cannot be read.
 */
export async function openRepository(
  node: NodeModules,
  folder: string,
  name: string,
): Promise<GitRepository> {
  const problems = createProblems(name);
  const found = await findRepository(node, folder);
  if (!found)
    throw problems(await reasonForNone(node, folder), 'its file .git names no repository');
  const { root, own } = found;
  const { path } = node;
  if (!(await isFolder(node, own))) throw problems('damaged', 'its file .git names no repository');
  const common = await commonFolder(node, own);
  if (!(await isTrusted(node, root, [root, path.join(root, '.git'), own])))
    throw problems('foreign');
  const config = (await readText(node, path.join(common, 'config'), MAX_CONFIG_BYTES)) ?? '';
  checkFormat(config, problems);
  // A worktree may belong to a bare repository.
  if (own === common && configFlag(config, 'core', 'bare') === true) throw problems('bare');
  const head = await readGitHead(node, folder);
  if (!head) throw problems('damaged', 'its HEAD names neither a branch nor a commit');
  return new FolderRepository(node, {
    root,
    own,
    common,
    head,
    problems,
    folder: path.relative(root, folder).split(path.sep).join('/'),
    hasFileModes: configFlag(config, 'core', 'filemode') !== false,
    convertsLineEndings: await convertsLineEndings(node, root, config),
  });
}

function checkFormat(config: string, problems: Problems): void {
  const formatOf = (key: string) => configValues(config, 'extensions', key).at(-1)?.toLowerCase();
  const objects = formatOf('objectformat') ?? 'sha1';
  if (objects !== 'sha1') throw problems('unsupported', `has ids of the kind ${objects}`);
  const refs = formatOf('refstorage') ?? 'files';
  if (refs !== 'files') throw problems('unsupported', `stores its branches as ${refs}`);
}

/**
 * Returns true if git may store texts with other line endings than on disk, because a setting says
 * so (the default on Windows) or the root has a file with such rules.
 */
async function convertsLineEndings(
  node: NodeModules,
  root: string,
  config: string,
): Promise<boolean> {
  const configs = [...(await readUserConfigs(node)), config];
  const settings = configs.flatMap((text) => configValues(text, 'core', 'autocrlf'));
  const setting = settings.at(-1) ?? (node.os.platform() === 'win32' ? 'true' : 'false');
  if (setting.toLowerCase() !== 'false') return true;
  const rules = await readText(node, node.path.join(root, '.gitattributes'), MAX_CONFIG_BYTES);
  return /\b(?:text|eol|crlf)\b/.test(rules ?? '');
}

/** Returns why no repository was found around a folder. */
async function reasonForNone(
  node: NodeModules,
  folder: string,
): Promise<'none' | 'bare' | 'damaged'> {
  const { path } = node;
  for (let at = folder; ; at = path.dirname(at)) {
    if (await exists(node, path.join(at, '.git'))) return 'damaged';
    const parts = ['HEAD', 'objects', 'refs'].map((part) => exists(node, path.join(at, part)));
    if ((await Promise.all(parts)).every(Boolean)) return 'bare';
    if (path.dirname(at) === at) return 'none';
  }
}
