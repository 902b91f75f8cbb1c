import manifest from '../../manifest.json';
import { createFileNoteSource } from '../../src/indexing/notes/note-source.js';
import { openToolkit } from '../../src/agents/open.js';
import { createSearchService, DESKTOP_LIMITS } from '../../src/indexing/search-service.js';
import { createLog } from '../../src/storage/vault-log.js';
import { callTool } from '../../src/toolkit/call-tool.js';
import {
  createMemoryIdentities,
  createTestClock,
  createTestRandom,
} from '../fakes/deterministic.js';
import { createMemoryFiles, type MemoryFiles } from '../fakes/memory-files.js';
import { guide } from './sample-guide.js';
import { noteTimes, story, STORY_START, type StoryCall } from './sample-story.js';

export { noteTimes, STORY_START } from './sample-story.js';

const DATA_FOLDER = 'Savepoint';

/** A file of the sample vault, with the time it was last changed (milliseconds since 1970). */
export interface SampleFile {
  readonly text: string;
  readonly mtime: number;
}

/**
 * Returns the guide and a data folder that the real tools write for the calls of the story, in a
 * vault with the given notes, by path. The bytes are the same each time. Throws if a call does not
 * end as the story says.
 */
export async function tellStory(
  notes: Readonly<Record<string, string>>,
): Promise<Record<string, SampleFile>> {
  const clock = createTestClock(Date.parse(story[0]!.at));
  const files = createMemoryFiles(() => clock.now());
  const devices = {
    laptop: openDevice(files, clock, 'Laptop', 1),
    phone: openDevice(files, clock, 'Phone', 2),
  };
  for (const [path, text] of Object.entries(notes))
    files.put(path, path in noteTimes ? firstHalf(text) : text);
  const edits = Object.entries(noteTimes);
  for (const call of story) {
    const now = Date.parse(call.at);
    for (const [path, time] of edits) if (time <= now) files.put(path, notes[path] ?? '');
    clock.set(now);
    await devices[call.as].make(call);
  }
  for (const device of Object.values(devices)) await device.close();
  const paths = files.paths().filter((path) => path.startsWith(`${DATA_FOLDER}/`));
  const told = await Promise.all(
    paths.map(
      async (path) =>
        [path, { text: files.text(path), mtime: (await files.stat(path))?.mtime ?? 0 }] as const,
    ),
  );
  const pages = Object.entries(guide).map(
    ([path, text]) => [path, { text, mtime: STORY_START }] as const,
  );
  return Object.fromEntries([...pages, ...told]);
}

/** Returns a note as it was before it was finished. */
function firstHalf(text: string): string {
  return text.slice(0, text.length / 2);
}

function openDevice(
  files: MemoryFiles,
  clock: ReturnType<typeof createTestClock>,
  device: string,
  seed: number,
) {
  const random = createTestRandom(seed);
  const app = `savepoint/${manifest.version}`;
  const warn = (trouble: unknown) => {
    throw new Error(`The story met trouble: ${String(trouble)}`);
  };
  const log = createLog({
    files,
    root: DATA_FOLDER,
    clock,
    random,
    identities: createMemoryIdentities(),
    app,
    device,
    warn,
  });
  const search = createSearchService({
    log,
    notes: createFileNoteSource(files),
    clock,
    random,
    warn,
    limits: DESKTOP_LIMITS,
    maxWaitMs: { words: Infinity, embeddings: 0 },
    skippedFolders: () => Promise.resolve([DATA_FOLDER]),
  });
  const toolkit = openToolkit({
    services: {
      log,
      files,
      dataFolder: DATA_FOLDER,
      clock,
      random,
      search,
      device: { program: 'Obsidian', name: () => device },
    },
    refuse: () => Promise.resolve(undefined),
    report: warn,
    isReadOnly: false,
  });
  return {
    close: () => log.close(),
    async make({ session, workspace, tool, params, goal, isRefused }: StoryCall): Promise<void> {
      const context = {
        workspaceId: workspace,
        sessionId: session,
        ...(goal !== undefined && { goal }),
      };
      const answer = await callTool(toolkit, {
        tool,
        params: { ...params, context },
        defaults: { sessionId: session },
      });
      if (answer.success === isRefused)
        throw new Error(`The story's ${tool} in "${session}" answered ${JSON.stringify(answer)}.`);
      await log.traceEntries(''); // a trace gets its time when it is written
    },
  };
}
