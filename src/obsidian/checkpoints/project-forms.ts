import { Setting } from 'obsidian';
import type { CaptureLevel } from '../../capture/consent.js';
import { workspaceById } from '../../model/lookup.js';
import { text } from '../i18n/index.js';
import type { Savepoint } from '../savepoint.js';
import { addChoice, addText, type FormField } from '../ui/forms/fields.js';
import { FormModal, type FormTexts } from '../ui/forms/form-modal.js';
import type { FormProblem } from '../ui/forms/values.js';
import { addWorkspaceField } from '../ui/forms/workspace-field.js';
import { openModal } from '../ui/modals.js';
import type { DeviceCapture } from './device-capture.js';

interface FolderFormOptions {
  readonly texts: FormTexts & { readonly folderHint: string };
  /** Adds other fields below the folder's. */
  readonly addFields?: (form: HTMLElement) => void;
  /** Resolves with false if the folder cannot be used, as `problem` says. */
  readonly use: (folder: string) => Promise<boolean>;
  readonly problem: (folder: string) => string;
}

/** Asks for the absolute path of a folder on this device. */
class FolderForm extends FormModal<'folder'> {
  #typed = '';
  readonly #options: FolderFormOptions;

  constructor(savepoint: Savepoint, options: FolderFormOptions) {
    super(savepoint, options.texts);
    this.#options = options;
  }

  protected override build(form: HTMLElement): Map<'folder', FormField> {
    const { folder: label } = text.capture.settings;
    const { texts, addFields } = this.#options;
    const change = (value: string) => (this.#typed = value);
    const field = addText(form, { label, hint: texts.folderHint, value: this.#typed, change });
    addFields?.(form);
    return new Map([['folder', field]]);
  }

  protected override required() {
    return new Set(['folder']);
  }

  protected override holdsUnsaved(): boolean {
    return this.#typed.trim() !== '';
  }

  protected override async submit(): Promise<FormProblem<'folder'>[]> {
    const { use, problem } = this.#options;
    const folder = this.#typed.trim();
    if (folder !== '' && (await use(folder))) return [];
    return [{ field: 'folder', text: problem(folder) }];
  }
}

/** Lets the user link a project on this device to a workspace. */
export function openLinkProject(savepoint: Savepoint, { projects }: DeviceCapture): void {
  const { levels, form: texts } = text.capture.settings.projects;
  let workspaceId = savepoint.workspaceId.get();
  let capture: CaptureLevel = 'all';
  const addFields = (form: HTMLElement) => {
    addWorkspaceField(form, {
      savepoint,
      value: workspaceId,
      change: (id) => (workspaceId = id),
      hint: texts.workspaceHint,
    });
    const row = new Setting(form).setName(texts.capture).setDesc(texts.captureHint);
    addChoice(row, levels, capture, (level) => (capture = level as CaptureLevel));
  };
  const use = async (folder: string) => {
    const { name: workspaceName } = workspaceById(savepoint.memory.get(), workspaceId);
    const link = await projects?.link(folder, { workspaceId, workspaceName, capture });
    return link !== undefined;
  };
  openModal(new FolderForm(savepoint, { texts, addFields, use, problem: texts.noProject }));
}

/** Lets the user exclude a folder of this device from capture. */
export function openExcludeFolder(savepoint: Savepoint, capture: DeviceCapture): void {
  const { form: texts } = text.capture.settings.excluded;
  const use = async (typed: string) => {
    const folder = await capture.projects?.findFolder(typed);
    if (folder === undefined) return false;
    await capture.update((settings) => ({
      ...settings,
      excludedFolders: [...new Set([...settings.excludedFolders, folder])],
    }));
    return true;
  };
  openModal(new FolderForm(savepoint, { texts, use, problem: texts.noFolder }));
}
