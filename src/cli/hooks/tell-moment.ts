import type { TellMoment } from '../../apps/ai-app.js';
import type { AppWith } from '../../apps/index.js';
import { ActivityRecorder } from '../../apps/transcripts/activity.js';
import { recordToolCall } from '../../apps/transcripts/tool-call.js';
import { readRecall, type RecallIndex } from '../../brief/recall/recall-index.js';
import { recall, recallCommand, recallFile, type RecallItem } from '../../brief/recall/recall.js';
import { fittingLines, TOLD_TOKENS, toldLine, toldText } from '../../brief/recall/told-text.js';
import { withoutFolders } from '../../capture/build-checkpoint.js';
import { isInFolder, isPaused, tells } from '../../capture/consent.js';
import { storedPath } from '../../capture/stored-path.js';
import { OUTSIDE_PREFIX } from '../../model/paths.js';
import { estimateTokens } from '../../model/text/estimate-tokens.js';
import { briefFiles, readStoredRecall, stampOfRecall } from '../../node/capture/brief-cache.js';
import { logTold, toldKey, createToldItems, type ToldLine } from '../../node/capture/told-items.js';
import { realPath } from '../../node/real-path.js';
import type { ProgramHost } from '../program.js';
import type { HookInput } from './hook-input.js';
import type { LinkedSession } from './linked-session.js';

/** A client waits for its hooks: what is later is not told. In milliseconds. */
const MAX_RUN_MS = 300;
const MAX_LIFE_MS = 1000;
/** Lines that a new subagent is told of those that its session was told last. */
const MAX_SUBAGENT_LINES = 3;

/**
 * Tells the agent what the memory says about this moment, if anything, and nothing twice in one
 * session. `startedAt`: when the first line of this program ran, as `performance.now()`.
 */
export async function tellMoment(
  program: ProgramHost,
  linked: LinkedSession,
  moment: TellMoment,
  app: AppWith<'hooks'>,
  input: HookInput,
  startedAt: number,
): Promise<void> {
  const { node, stdout } = program;
  const { link, settings, stateFolder, isPrivate } = linked;
  const isWanted = tells(link, moment === 'prompt' ? 'prompt' : 'all');
  if (!isWanted || isPrivate || isPaused(settings, input.at)) return;
  const files = briefFiles(node, { ...link, stateFolder, project: linked.project });
  const session = [app.id, input.session];
  const told = createToldItems(node, files.told, input.agent ? [...session, input.agent] : session);
  const stored = await readStoredRecall(node, files.recall);
  const found =
    moment === 'subagent'
      ? await createToldItems(node, files.told, session).newest(MAX_SUBAGENT_LINES)
      : await findLines(program, linked, { moment, app, input, recallText: stored.text });
  const fresh: ToldLine[] = [];
  for (const line of found) if (!(await told.has(line))) fresh.push(line);
  const fitting = fittingLines(
    fresh.map(({ text }) => text),
    TOLD_TOKENS[moment],
  );
  if (fitting.length === 0) return;
  // a decision may have been replaced meanwhile, or the vault is gone
  if ((await stampOfRecall(node, link.vault)) !== stored.stamp) return;
  const now = performance.now();
  if (now - startedAt > MAX_RUN_MS || now > MAX_LIFE_MS) {
    await logTold(node, stateFolder, 'late');
    return;
  }
  const lines: string[] = [];
  for (const [at, text] of fitting.entries())
    if (await told.add({ key: fresh[at]!.key, text })) lines.push(text);
  if (lines.length === 0) return;
  const text = toldText(lines);
  const output = { hookEventName: input.event, additionalContext: text };
  stdout.write(`${JSON.stringify({ hookSpecificOutput: output })}\n`);
  await logTold(node, stateFolder, estimateTokens(text));
}

interface Request {
  readonly moment: 'prompt' | 'tool';
  readonly app: AppWith<'hooks'>;
  readonly input: HookInput;
  readonly recallText: string;
}

async function findLines(
  { node }: ProgramHost,
  linked: LinkedSession,
  { moment, app, input, recallText }: Request,
): Promise<ToldLine[]> {
  const index = readRecall(recallText);
  if (!index) return [];
  const items =
    moment === 'prompt'
      ? recall(input.prompt, index, input)
      : await itemsOfCall(node, linked, app, index, input);
  return items.map((item) => ({ key: toldKey(node, item), text: toldLine(item) }));
}

/** Returns what is known of the first file that a call touches, or of the command that failed. */
async function itemsOfCall(
  node: ProgramHost['node'],
  { link, project }: LinkedSession,
  { hooks }: AppWith<'hooks'>,
  index: RecallIndex,
  input: HookInput,
): Promise<RecallItem[]> {
  const recorder = new ActivityRecorder();
  if (hooks.transcript.readCall) hooks.transcript.readCall(input.params, input.result, recorder);
  else recordToolCall('', input.params, recorder);
  const { files, commands } = recorder.activity();
  const folder = await realPath(node, input.folder);
  const places = { project: [project.folder ?? link.folder, link.folder], vault: [link.vault] };
  const sessionFolders = {
    ...places,
    project: [...places.project, input.folder],
    home: node.os.homedir(),
    roots: await node.fs.readdir(node.path.parse(folder).root).catch((): string[] => []),
  };
  for (const { command, isSuccess } of commands) {
    const hasFailed = isSuccess === false || input.error !== '';
    const reader = { session: input.session, output: hasFailed ? undefined : input.result };
    const stored = withoutFolders(command, sessionFolders);
    const items = isSuccess === true ? [] : recallCommand(stored, index, reader);
    if (items.length > 0) return items;
  }
  const words = commands.flatMap(({ command }) => command.split(/[\s'"]+/));
  for (const path of [...files.map((file) => file.path), ...words]) {
    const isNamed = isInFolder(path, input.folder);
    const real = isNamed ? `${folder}${path.slice(input.folder.length)}` : path;
    const stored = storedPath(node.path.resolve(folder, real), places);
    // of a file elsewhere, only the name is known
    const items = stored.startsWith(OUTSIDE_PREFIX) ? [] : recallFile(stored, index, input);
    if (items.length > 0) return items;
  }
  return [];
}
