import * as z from 'zod';
import { compareText } from '../../../model/event.js';
import type { VaultPath } from '../../../model/paths.js';
import { conflictOriginal } from '../../../platform/conflict-names.js';
import type { Files } from '../../../platform/files.js';
import { eachInParallel, PARALLEL_READS } from '../../../storage/read/reader.js';
import { sha256 } from '../../../platform/sha256.js';
import type { Tool } from '../../../toolkit/define-tool.js';
import { checkedText } from '../../shared/inputs.js';
import { defineTool, type Services } from '../../services.js';
import {
  FILE_LIMIT,
  fileFailures,
  folderOf,
  plan,
  planSha,
  storedPath,
  writeCall,
  type Side,
} from './side.js';
import { placeOf, readStoredPath } from './paths.js';

const folderPath = checkedText((typed) => {
  const read = readStoredPath(typed);
  return 'problem' in read ? read.problem : undefined;
});

export function storageListTool(side: Side): Tool<Services> {
  const files = [writeCall(side, 'beds/plan.md', plan), writeCall(side, 'seeds.md', plan)];
  return defineTool({
    name: `${side.name}StorageList`,
    title: `List ${side.name} files`,
    access: 'read',
    action: { resource: 'storage', name: `${side.name}List` },
    description: `List the files kept for ${side.owner}.`,
    input: z.strictObject({
      path: folderPath.optional().describe('A folder'),
      recursive: z.boolean().default(false),
    }),
    output: z.array(
      z.object({
        path: z.string().describe('Folders end with a slash'),
        size: z.number().optional().describe('Bytes'),
        sha256: z.string().optional().describe('Up to 4 MB'),
        conflictOf: z
          .string()
          .optional()
          .describe('The file of which a sync tool made this copy, going by its name'),
      }),
    ),
    failures: {
      elsewhere: fileFailures.elsewhere,
      notFound: {
        error: 'Folder "{path}" not found.',
        advice: `Use ${side.name}StorageList without path to see what is there.{hint}`,
      },
    },
    examples: [
      {
        title: 'What is kept',
        before: files,
        params: {},
        answer: {
          success: true,
          data: [{ path: 'beds/' }, { path: 'seeds.md', size: 26, sha256: planSha }],
        },
      },
      {
        title: 'In folders too',
        before: files,
        params: { recursive: true },
        answer: { success: true, data: [{ path: 'beds/plan.md' }, { path: 'seeds.md' }] },
      },
      {
        title: 'In one folder',
        before: files,
        params: { path: 'beds' },
        answer: { success: true, data: [{ path: 'beds/plan.md' }] },
      },
    ],
    async run({ path: asked = '', recursive }, call) {
      const { services, fail } = call;
      const base = await folderOf(side, call);
      const place = await placeOf(services.files, base, storedPath(asked));
      if ('elsewhere' in place) return fail('elsewhere', { path: asked });
      if ('twin' in place)
        return fail('notFound', { path: asked, hint: ` Did you mean "${place.twin}"?` });
      const info = await services.files.stat(place.path);
      if (info?.kind === 'folder') return listFiles(services.files, base, place.path, recursive);
      return place.path === base ? [] : fail('notFound', { path: asked, hint: '' });
    },
  });
}

interface Row {
  readonly path: string;
  readonly size?: number;
  readonly sha256?: string;
  readonly conflictOf?: string;
}

async function listFiles(
  files: Files,
  base: VaultPath,
  folder: VaultPath,
  isDeep: boolean,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (let open = [folder]; open.length > 0;) {
    const at = open.pop()!;
    const entries = (await files.list(at)).filter(({ name }) => !name.startsWith('.'));
    const names = new Set(entries.map(({ name }) => name));
    const shown = (name: string) => `${at}/${name}`.slice(base.length + 1);
    for (const { name, kind } of entries) {
      if (kind !== 'folder') continue;
      if (isDeep) open.push(`${at}/${name}`);
      else rows.push({ path: `${shown(name)}/` });
    }
    const found = entries.filter(({ kind }) => kind === 'file').map(({ name }) => name);
    await eachInParallel(found, PARALLEL_READS, async (name) => {
      const facts = await factsOf(files, base, `${at}/${name}`);
      const original = conflictOriginal(name, names);
      if (facts)
        rows.push({
          path: shown(name),
          ...facts,
          ...(original !== undefined && { conflictOf: shown(original) }),
        });
    });
  }
  return rows.sort((a, b) => compareText(a.path, b.path));
}

/** Undefined for what is gone meanwhile, and for a link to a folder or out of here. */
async function factsOf(
  files: Files,
  base: VaultPath,
  path: VaultPath,
): Promise<Pick<Row, 'size' | 'sha256'> | undefined> {
  const info = (await files.isInside(path, base)) ? await files.stat(path) : undefined;
  if (info?.kind !== 'file') return undefined;
  if (info.size > FILE_LIMIT) return { size: info.size };
  const bytes = await files.read(path);
  return bytes && { size: bytes.length, sha256: await sha256(bytes) };
}
