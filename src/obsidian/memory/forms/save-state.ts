import { Setting } from 'obsidian';
import {
  lookupState,
  isNameTaken,
  workspaceById,
  workspaceOfNote,
  type Named,
} from '../../../model/lookup.js';
import type { State } from '../../../model/state.js';
import type { Workspace } from '../../../model/workspace.js';
import { findTool } from '../../../toolkit/toolkit.js';
import { Scheduler } from '../../../platform/scheduler.js';
import { act, noticeWithButtons } from '../../actions.js';
import { yieldToHost } from '../../host/browser-ports.js';
import type { Savepoint } from '../../savepoint.js';
import { text } from '../../i18n/index.js';
import { readStates } from '../../library/library.js';
import {
  addList,
  addText,
  addTextArea,
  bindTo,
  type BuiltList,
  type FormField,
} from '../../ui/forms/fields.js';
import { addFileList, shownFiles } from '../../ui/forms/file-list.js';
import { addFold } from '../../ui/forms/fold.js';
import { addWorkspaceField } from '../../ui/forms/workspace-field.js';
import { FormModal } from '../../ui/forms/form-modal.js';
import { isOffered } from '../../ui/forms/offered-path.js';
import { offered } from '../../ui/forms/text-suggest.js';
import {
  typedLines,
  assignError,
  firstWords,
  freeName,
  readTags,
  schemaProblems,
  type FormProblem,
} from '../../ui/forms/values.js';
import type { UnsavedState, StateDrafts } from '../../host/state-drafts.js';

type Field =
  | 'name'
  | 'conversationContext'
  | 'activeTask'
  | 'activeFiles'
  | 'nextSteps'
  | 'description'
  | 'tags';

/** Fields that are always shown. The first line of the next steps is the state's task. */
const REQUIRED = ['conversationContext', 'nextSteps'] as const;

const KEEP_DELAY_MS = 300;

/** The context that the form is opened from. */
export interface StateOrigin {
  /** Undefined for the current workspace. */
  readonly workspaceId?: string | undefined;
  /** Path of the note that it is about, whose workspace comes first. */
  readonly note?: string | undefined;
  /** Name that the user has chosen. */
  readonly name?: string | undefined;
  /** Fields that are filled in. */
  readonly typed?: Partial<UnsavedState['typed']>;
  readonly activeFiles?: readonly string[];
  readonly tags?: readonly string[];
  /** Names the state while its first field is as it was filled in. */
  readonly subject?: string | undefined;
  /** Saves the state; by default, as a call of this window. */
  readonly call?: Savepoint['call'];
  readonly saved?: (state: Named<State>) => void;
}

/** Actions that the notice about a saved state offers. */
export interface SavedStateActions {
  readonly open: (state: Named<State>) => Promise<unknown>;
  readonly resume: (state: Named<State>) => Promise<unknown>;
}

/** Saves a state, by default in the current workspace or the one that the form is opened from. */
export class SaveStateForm extends FormModal<Field> {
  #workspace: Workspace;
  #draft: UnsavedState;
  #untouched: string;
  #isDone = false;
  #cancelKeeping = () => {};
  /** Tags of the workspace's states, latest first; empty until they are read. */
  #usedTags: readonly string[] = [];
  #showParts = () => {};
  #lists: { activeFiles: BuiltList; tags: BuiltList } | undefined;
  readonly #drafts: StateDrafts;
  readonly #actions: SavedStateActions;

  constructor(
    savepoint: Savepoint,
    drafts: StateDrafts,
    actions: SavedStateActions,
    protected readonly origin: StateOrigin = {},
  ) {
    const memory = savepoint.memory.get();
    const { workspaceId = savepoint.workspaceId.get(), note } = origin;
    const workspace = workspaceOfNote(memory, note) ?? workspaceById(memory, workspaceId);
    super(savepoint, { title: text.commands.names.saveState });
    this.#drafts = drafts;
    this.#actions = actions;
    this.#workspace = workspace;
    this.#draft = this.#newDraft();
    this.#untouched = JSON.stringify(this.#draft);
    this.#draft = withTask(drafts.get(workspace.id) ?? this.#draft);
    this.#draft.typed.name = origin.name ?? this.#draft.typed.name;
    act(() => this.#readUsedTags());
  }

  override onOpen(): void {
    super.onOpen();
    this.contentEl.addEventListener('input', () => {
      this.#keepSoon();
      this.#showParts();
    });
  }

  override onClose(): void {
    this.#cancelKeeping();
    this.#keepDraft();
    super.onClose();
  }

  protected override build(form: HTMLElement): Map<Field, FormField> {
    const { labels, where, next, named, examples } = text.commands.saveState;
    const { savepoint } = this;
    const draft = this.#draft;
    const bound = bindTo(draft.typed, labels);
    const conversationContext = addTextArea(form, {
      ...bound('conversationContext'),
      label: where,
    });
    const placeholder = examples.nextSteps;
    const nextSteps = addTextArea(form, { ...bound('nextSteps'), label: next, placeholder });
    const { box, setParts } = addFold(form);
    const workspace = addWorkspaceField(box, {
      savepoint,
      value: this.#workspace.id,
      note: this.origin.note,
      change: (id) => this.#moveTo(id),
    });
    const activeFiles = addFileList(box, savepoint, {
      label: labels.activeFiles,
      entries: draft.activeFiles,
      changed: () => this.#keepSoon(),
    });
    const name = addText(box, { ...bound('name'), placeholder: named });
    const description = addText(box, bound('description'));
    const tags = addList(box, {
      label: labels.tags,
      placeholder: examples.tags,
      app: this.app,
      entries: draft.tags,
      changed: () => this.#keepSoon(),
      read: readTags,
      suggest: (typed) => this.#offeredTags(readTags(typed)),
    });
    this.#showParts = () =>
      setParts([
        [workspace, this.#workspace.name],
        [activeFiles, shownFiles(draft.activeFiles)],
        [name, draft.typed.name.trim() || named],
      ]);
    this.#showParts();
    if (this.#drafts.has(this.#workspace.id)) this.#offerStartOver(form);
    this.#lists = { activeFiles, tags };
    return new Map<Field, FormField>([
      ['conversationContext', conversationContext],
      ['nextSteps', nextSteps],
      ['activeFiles', activeFiles],
      ['name', name],
      ['description', description],
      ['tags', tags],
    ]);
  }

  protected override required() {
    return new Set<string>(REQUIRED);
  }

  protected override async submit(): Promise<FormProblem<Field>[]> {
    this.#lists?.activeFiles.addTyped();
    this.#lists?.tags.addTyped();
    const { labels, missing, taken } = text.commands.saveState;
    const { origin, savepoint } = this;
    const workspace = this.#workspace;
    const draft = this.#draft;
    const { typed, activeFiles, tags } = draft;
    const empty = REQUIRED.filter((field) => typed[field].trim() === '');
    if (empty.length > 0) return empty.map((field) => ({ field, text: missing }));
    const nextSteps = typedLines(typed.nextSteps);
    const description = typed.description.trim();
    const name = typed.name.trim() || this.#proposedName();
    const params = {
      name,
      conversationContext: typed.conversationContext.trim(),
      activeTask: nextSteps[0]!,
      activeFiles,
      nextSteps,
      tags,
      ...(description !== '' && { description }),
    };
    const problems = schemaProblems<Field>(
      findTool(savepoint.toolkit, 'createState').tool.input,
      params,
      labels,
    );
    if (problems.length > 0) return problems;
    if (isNameTaken(savepoint.memory.get(), workspace.id, name))
      return [{ field: 'name', text: taken(name) }];
    const answer = await (origin.call ?? savepoint.call.bind(savepoint))(
      'createState',
      params,
      workspace.id,
    );
    if (!answer.success) return [assignError(answer.error ?? text.general.fault, labels)];
    this.#isDone = true;
    const found = lookupState(savepoint.memory.get(), workspace.id, name);
    if ('item' in found) tellStateSaved(found.item, this.#actions);
    if ('item' in found) origin.saved?.(found.item);
    return [];
  }

  /** Moves the input to another workspace. */
  #moveTo(id: string): void {
    this.#drafts.delete(this.#workspace.id);
    this.#workspace = workspaceById(this.savepoint.memory.get(), id);
    this.#keepSoon();
    act(() => this.#readUsedTags());
  }

  /** Stores the input shortly after it has changed, because the app may be killed. */
  #keepSoon(): void {
    this.#cancelKeeping();
    this.#cancelKeeping = this.savepoint.clock.after(KEEP_DELAY_MS, () => this.#keepDraft());
  }

  /** Stores the input, with what is typed in the lists and not added yet. */
  #keepDraft(): void {
    const draft = this.#draft;
    const workspace = this.#workspace;
    const lists = this.#lists;
    const file = lists?.activeFiles.input.value.trim() ?? '';
    const typed = {
      ...draft,
      activeFiles: [...new Set([...draft.activeFiles, ...(file === '' ? [] : [file])])],
      tags: [...new Set([...draft.tags, ...readTags(lists?.tags.input.value ?? '')])],
    };
    if (this.#isDone || JSON.stringify(typed) === this.#untouched)
      this.#drafts.delete(workspace.id);
    else this.#drafts.set(workspace.id, typed);
  }

  #offerStartOver(form: HTMLElement): void {
    const { draftKept, startOver } = text.commands.saveState;
    const row = new Setting(form).setDesc(draftKept).setClass('savepoint-draft');
    row.addButton((button) => button.setButtonText(startOver).onClick(() => this.#startOver()));
  }

  #startOver(): void {
    this.#cancelKeeping();
    this.#drafts.delete(this.#workspace.id);
    this.#draft = this.#newDraft();
    this.#untouched = JSON.stringify(this.#draft);
    this.fill();
  }

  #newDraft(): UnsavedState {
    const { origin } = this;
    return withTask({
      typed: {
        name: '',
        conversationContext: '',
        activeTask: '',
        nextSteps: '',
        description: '',
        ...origin.typed,
      },
      activeFiles: [...new Set([...(origin.activeFiles ?? []), ...openFiles(this.savepoint)])],
      tags: [...(origin.tags ?? [])],
    });
  }

  #proposedName(): string {
    const { subject, typed } = this.origin;
    const { conversationContext } = this.#draft.typed;
    const isFilledIn = conversationContext === typed?.conversationContext;
    const { memory } = this.savepoint;
    return freeName(firstWords((isFilledIn && subject) || conversationContext), (name) =>
      isNameTaken(memory.get(), this.#workspace.id, name),
    );
  }

  /** Returns the typed tag and known tags that contain it; none for several, which Enter adds. */
  #offeredTags(typed: readonly string[]): string[] {
    const [tag = ''] = typed;
    if (typed.length > 1) return [];
    return [...new Set([...typed, ...offered(this.#usedTags, tag)])];
  }

  async #readUsedTags(): Promise<void> {
    const { memory, clock } = this.savepoint;
    const scheduler = new Scheduler(clock, yieldToHost);
    const states = await readStates(memory.get(), this.#workspace.id, scheduler);
    this.#usedTags = [...new Set(states.flatMap(({ item }) => item.tags ?? []))];
  }
}

/** Says that a state is saved, and offers to open or resume it. */
function tellStateSaved(state: Named<State>, actions: SavedStateActions): void {
  const { stateSaved, open, resume } = text.general;
  noticeWithButtons(stateSaved(state.displayName), [
    { label: open, run: () => actions.open(state) },
    { label: resume, run: () => actions.resume(state) },
  ]);
}

/** Returns the active file and the other open ones. */
function openFiles(savepoint: Savepoint): string[] {
  const { workspace } = savepoint.app;
  const active = workspace.getActiveFile()?.path;
  const paths = new Set(active === undefined ? [] : [active]);
  workspace.iterateAllLeaves((leaf) => {
    const file = leaf.getViewState().state?.['file']; // also for deferred views
    if (typeof file === 'string') paths.add(file);
  });
  return [...paths].filter((path) => isOffered(savepoint, path));
}

/** Returns the draft with its task as the first of the next steps. */
function withTask({ typed, ...rest }: UnsavedState): UnsavedState {
  const { activeTask } = typed;
  const nextSteps = typed.nextSteps.startsWith(activeTask)
    ? typed.nextSteps
    : `${activeTask}\n${typed.nextSteps}`.trimEnd();
  return { ...rest, typed: { ...typed, activeTask: '', nextSteps } };
}
