import * as z from 'zod';
import { compareText } from '../../../model/event.js';
import type { VaultPath } from '../../../model/paths.js';
import { conflictOriginal } from '../../../platform/conflict-names.js';
import type { Files } from '../../../platform/files.js';
import { eachInParallel } from '../../../platform/parallel.js';
import { MAX_PARALLEL_READS } from '../../../storage/index.js';
import { sha256 } from '../../../platform/sha256.js';
import type { Tool } from '../../../toolkit/define-tool.js';
import { validatedText } from '../../shared/inputs.js';
import { defineTool, type Services } from '../../services.js';
import {
  MAX_FILE_BYTES,
  fileFailures,
  storageFolder,
  EXAMPLE_TEXT,
  EXAMPLE_SHA256,
  toStoredPath,
  exampleWrite,
  type StorageScope,
  storageTool,
} from './storage-scope.js';
import { resolveStoredPath, parseStoredPath } from './paths.js';

const folderPath = validatedText((typed) => {
  const read = parseStoredPath(typed);
  return 'problem' in read ? read.problem : undefined;
});

const fileRow = z.object({
  path: z.string().describe('Folders end with a slash'),
  size: z.number().optional().describe('In bytes'),
  sha256: z.string().optional().describe('Only for files up to 4 MB'),
  conflictOf: z
    .string()
    .optional()
    .describe("The original file, if the name marks this one as a sync tool's conflict copy"),
});

type FileRow = z.infer<typeof fileRow>;

export function storageListTool(scope: StorageScope): Tool<Services> {
  const files = [
    exampleWrite(scope, 'beds/plan.md', EXAMPLE_TEXT),
    exampleWrite(scope, 'seeds.md', EXAMPLE_TEXT),
  ];
  return defineTool({
    ...storageTool(scope, 'List', 'storage_list'),
    title: `List ${scope.name} files`,
    access: 'read',
    description: `List the files stored for ${scope.owner}.`,
    input: z.strictObject({
      path: folderPath.optional().describe('A folder'),
      recursive: z.boolean().default(false),
    }),
    output: z.array(fileRow),
    failures: {
      aliasPath: fileFailures.aliasPath,
      notFound: {
        error: 'Folder "{path}" not found.',
        advice: `Use ${scope.name}StorageList without path to see the files.{hint}`,
      },
    },
    examples: [
      {
        title: 'All stored files',
        before: files,
        params: {},
        data: [{ path: 'beds/' }, { path: 'seeds.md', size: 26, sha256: EXAMPLE_SHA256 }],
      },
      {
        title: 'Including subfolders',
        before: files,
        params: { recursive: true },
        data: [{ path: 'beds/plan.md' }, { path: 'seeds.md' }],
      },
      {
        title: 'One folder',
        before: files,
        params: { path: 'beds' },
        data: [{ path: 'beds/plan.md' }],
      },
    ],
    async run({ path: typed = '', recursive }, call) {
      const { services, fail } = call;
      const base = await storageFolder(scope, call);
      const resolved = await resolveStoredPath(services.files, base, toStoredPath(typed));
      if ('isAlias' in resolved) return fail('aliasPath', { path: typed });
      if ('collidesWith' in resolved)
        return fail('notFound', { path: typed, hint: ` Did you mean "${resolved.collidesWith}"?` });
      const info = await services.files.stat(resolved.path);
      if (info?.kind === 'folder') return listFiles(services.files, base, resolved.path, recursive);
      return resolved.path === base ? [] : fail('notFound', { path: typed, hint: '' });
    },
  });
}

async function listFiles(
  files: Files,
  base: VaultPath,
  folder: VaultPath,
  isRecursive: boolean,
): Promise<FileRow[]> {
  const rows: FileRow[] = [];
  for (let open = [folder]; open.length > 0;) {
    const at = open.pop()!;
    const entries = (await files.list(at)).filter(({ name }) => !name.startsWith('.'));
    const names = new Set(entries.map(({ name }) => name));
    const storedPath = (name: string) => `${at}/${name}`.slice(base.length + 1);
    for (const { name, kind, isLink } of entries) {
      // A linked folder may lead out of the storage, or back up.
      if (kind !== 'folder' || isLink) continue;
      if (isRecursive) open.push(`${at}/${name}`);
      else rows.push({ path: `${storedPath(name)}/` });
    }
    const found = entries.filter(({ kind }) => kind === 'file').map(({ name }) => name);
    await eachInParallel(found, MAX_PARALLEL_READS, async (name) => {
      const info = await readFileInfo(files, base, `${at}/${name}`);
      const original = conflictOriginal(name, names);
      if (info)
        rows.push({
          path: storedPath(name),
          ...info,
          ...(original !== undefined && { conflictOf: storedPath(original) }),
        });
    });
  }
  return rows.sort((a, b) => compareText(a.path, b.path));
}

/** Undefined if the file was deleted meanwhile, or is a symbolic link out of `base`. */
async function readFileInfo(
  files: Files,
  base: VaultPath,
  path: VaultPath,
): Promise<Pick<FileRow, 'size' | 'sha256'> | undefined> {
  const info = (await files.isInside(path, base)) ? await files.stat(path) : undefined;
  if (info?.kind !== 'file') return undefined;
  if (info.size > MAX_FILE_BYTES) return { size: info.size };
  const bytes = await files.read(path);
  return bytes && { size: bytes.length, sha256: await sha256(bytes) };
}
