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
import { readLibrary } from '../library.js';
import {
  addList,
  addText,
  addTextArea,
  type BuiltList,
  type FormField,
} from '../../ui/forms/fields.js';
import { addWorkspaceField } from '../../ui/forms/workspace-field.js';
import { FormModal } from '../../ui/forms/form-modal.js';
import { isOffered } from '../../ui/forms/offered-path.js';
import { filePaths, offered, offeredPaths } from '../../ui/forms/text-suggest.js';
import {
  typedLines,
  assignError,
  proposeName,
  readTags,
  requiredFields,
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
  #proposedName = '';
  #isDone = false;
  #cancelKeeping = () => {};
  /** Tags of the workspace's states, latest first; empty until they are read. */
  #usedTags: readonly string[] = [];
  #lists: { activeFiles: BuiltList; tags: BuiltList } | undefined;
  readonly #savepoint: Savepoint;
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
    super(savepoint.app, text.commands.saveState);
    this.#savepoint = savepoint;
    this.#drafts = drafts;
    this.#actions = actions;
    this.#workspace = workspace;
    this.#draft = this.#newDraft();
    this.#untouched = JSON.stringify(this.#draft);
    this.#draft = drafts.get(workspace.id) ?? this.#draft;
    this.#draft.typed.name = origin.name ?? this.#draft.typed.name;
    act(() => this.#readUsedTags());
  }

  override onOpen(): void {
    super.onOpen();
    this.contentEl.addEventListener('input', () => this.#keepSoon());
  }

  override onClose(): void {
    this.#cancelKeeping();
    this.#keepDraft();
    super.onClose();
  }

  protected override build(form: HTMLElement): Map<Field, FormField> {
    const { labels, hints, examples, draftKept, startOver } = text.commands.saveState;
    const { app } = this;
    const draft = this.#draft;
    if (this.#drafts.has(this.#workspace.id)) {
      const kept = new Setting(form).setDesc(draftKept).setClass('savepoint-draft');
      kept.addButton((button) => button.setButtonText(startOver).onClick(() => this.#startOver()));
    }
    const textsOf = (field: Field) => ({ label: labels[field], hint: hints[field] });
    const bound = (field: keyof typeof draft.typed) => ({
      ...textsOf(field),
      value: draft.typed[field],
      change: (value: string) => (draft.typed[field] = value),
    });
    const name = addText(form, bound('name'));
    addWorkspaceField(form, {
      savepoint: this.#savepoint,
      value: this.#workspace.id,
      note: this.origin.note,
      change: (id) => this.#moveTo(id, name.input),
    });
    const conversationContext = addTextArea(form, bound('conversationContext'));
    const activeTask = addText(form, bound('activeTask'));
    const nextSteps = addTextArea(form, bound('nextSteps'));
    const files = filePaths(this.#savepoint);
    const activeFiles = addList(form, {
      ...textsOf('activeFiles'),
      placeholder: examples.activeFiles,
      app,
      entries: draft.activeFiles,
      changed: () => this.#keepSoon(),
      suggest: (path: string) => offeredPaths(files, path),
      read: (path: string) => [path.trim()],
    });
    const description = addText(form, bound('description'));
    const tags = addList(form, {
      ...textsOf('tags'),
      placeholder: examples.tags,
      app,
      entries: draft.tags,
      changed: () => this.#keepSoon(),
      read: readTags,
      suggest: (typed) => this.#offeredTags(readTags(typed)),
    });
    this.#lists = { activeFiles, tags };
    return new Map<Field, FormField>(
      Object.entries({
        name,
        conversationContext,
        activeTask,
        nextSteps,
        activeFiles,
        description,
        tags,
      }) as [Field, FormField][],
    );
  }

  protected override required() {
    return requiredFields(findTool(this.#savepoint.toolkit, 'createState').tool.input);
  }

  /** Always returns false, because input is kept as a draft and closing needs no confirmation. */
  protected override holdsUnsaved(): boolean {
    return false;
  }

  protected override async submit(): Promise<FormProblem<Field>[]> {
    this.#addTyped();
    const { labels, taken } = text.commands.saveState;
    const { origin } = this;
    const savepoint = this.#savepoint;
    const workspace = this.#workspace;
    const draft = this.#draft;
    const { typed, activeFiles, tags } = draft;
    const [name, description] = [typed.name.trim(), typed.description.trim()];
    const params = {
      name,
      conversationContext: typed.conversationContext.trim(),
      activeTask: typed.activeTask.trim(),
      activeFiles,
      nextSteps: typedLines(typed.nextSteps),
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

  /** Moves the input to another workspace. A name that was only proposed is proposed again. */
  #moveTo(id: string, nameInput: FormField['input']): void {
    const draft = this.#draft;
    const workspace = this.#workspace;
    this.#drafts.delete(workspace.id);
    const wasProposed = draft.typed.name === this.#proposedName;
    const wasUntouched = JSON.stringify(draft) === this.#untouched;
    this.#workspace = workspaceById(this.#savepoint.memory.get(), id);
    this.#proposedName = this.#newName();
    if (wasProposed) nameInput.value = draft.typed.name = this.#proposedName;
    if (wasUntouched) this.#untouched = JSON.stringify(draft);
    this.#keepSoon();
    act(() => this.#readUsedTags());
  }

  /** Stores the input shortly after it has changed, because the app may be killed. */
  #keepSoon(): void {
    this.#cancelKeeping();
    this.#cancelKeeping = this.#savepoint.clock.after(KEEP_DELAY_MS, () => this.#keepDraft());
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

  #addTyped(): void {
    this.#lists?.activeFiles.addTyped();
    this.#lists?.tags.addTyped();
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
    this.#proposedName = this.#newName();
    return {
      typed: {
        name: this.#proposedName,
        conversationContext: '',
        activeTask: '',
        nextSteps: '',
        description: '',
        ...origin.typed,
      },
      activeFiles: [...new Set([...(origin.activeFiles ?? []), ...openFiles(this.#savepoint)])],
      tags: [...(origin.tags ?? [])],
    };
  }

  #newName(): string {
    const workspace = this.#workspace;
    const isTaken = (name: string) => isNameTaken(this.#savepoint.memory.get(), workspace.id, name);
    return proposeName(workspace.name, new Date(this.#savepoint.clock.now()), isTaken);
  }

  /** Returns the typed tag and known tags that contain it; none for several, which Enter adds. */
  #offeredTags(typed: readonly string[]): string[] {
    const [tag = ''] = typed;
    if (typed.length > 1) return [];
    return [...new Set([...typed, ...offered(this.#usedTags, tag)])];
  }

  async #readUsedTags(): Promise<void> {
    const { memory, clock } = this.#savepoint;
    const library = await readLibrary(memory.get(), new Scheduler(clock, yieldToHost));
    const states = library.find(({ id }) => id === this.#workspace.id)?.states ?? [];
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
