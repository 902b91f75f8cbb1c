import { Setting } from 'obsidian';
import { workspaceById } from '../../model/lookup.js';
import { text } from '../i18n/index.js';
import type { Savepoint } from '../savepoint.js';
import { addChoice, addText, type FormField } from '../ui/forms/fields.js';
import { FormModal, type FormTexts } from '../ui/forms/form-modal.js';
import type { FormProblem } from '../ui/forms/values.js';
import { addWorkspaceField } from '../ui/forms/workspace-field.js';
import { excludeFolder, type DeviceCapture } from './device-capture.js';
import type { CaptureLevel } from '../../capture/consent.js';

/** Asks for the absolute path of a folder on this device. */
abstract class FolderForm extends FormModal<'folder'> {
  #typed = '';
  readonly #labels: FormTexts & { readonly folderHint: string };

  constructor(
    protected readonly savepoint: Savepoint,
    labels: FormTexts & { readonly folderHint: string },
  ) {
    super(savepoint.app, labels);
    this.#labels = labels;
  }

  /** Returns false if the folder cannot be used. */
  protected abstract use(folder: string): Promise<boolean>;
  protected abstract problem(folder: string): string;

  protected override build(form: HTMLElement): Map<'folder', FormField> {
    const { folder: label } = text.capture.settings;
    const change = (value: string) => (this.#typed = value);
    const hint = this.#labels.folderHint;
    return new Map([['folder', addText(form, { label, hint, value: this.#typed, change })]]);
  }

  protected override required() {
    return new Set(['folder']);
  }

  protected override holdsUnsaved(): boolean {
    return this.#typed.trim() !== '';
  }

  protected override async submit(): Promise<FormProblem<'folder'>[]> {
    const folder = this.#typed.trim();
    if (folder !== '' && (await this.use(folder))) return [];
    return [{ field: 'folder', text: this.problem(folder) }];
  }
}

/** Links a project on this device to a workspace. */
export class LinkProjectForm extends FolderForm {
  #workspaceId: string;
  #level: CaptureLevel = 'all';
  readonly #capture: DeviceCapture;

  constructor(savepoint: Savepoint, capture: DeviceCapture) {
    super(savepoint, text.capture.settings.projects.form);
    this.#capture = capture;
    this.#workspaceId = savepoint.workspaceId.get();
  }

  protected override build(form: HTMLElement): Map<'folder', FormField> {
    const { levels, form: formTexts } = text.capture.settings.projects;
    const { workspaceHint, capture, captureHint } = formTexts;
    const fields = super.build(form);
    addWorkspaceField(form, {
      savepoint: this.savepoint,
      value: this.#workspaceId,
      change: (id) => (this.#workspaceId = id),
      hint: workspaceHint,
    });
    const row = new Setting(form).setName(capture).setDesc(captureHint);
    addChoice(row, levels, this.#level, (level) => (this.#level = level as CaptureLevel));
    return fields;
  }

  protected override async use(folder: string): Promise<boolean> {
    const workspaceId = this.#workspaceId;
    const workspace = workspaceById(this.savepoint.memory.get(), workspaceId);
    const target = { workspaceId, workspaceName: workspace.name, capture: this.#level };
    return (await this.#capture.projects?.link(folder, target)) !== undefined;
  }

  protected override problem(folder: string): string {
    return text.capture.settings.projects.form.noProject(folder);
  }
}

/** Excludes a folder of this device from capture. */
export class ExcludeFolderForm extends FolderForm {
  readonly #capture: DeviceCapture;

  constructor(savepoint: Savepoint, capture: DeviceCapture) {
    super(savepoint, text.capture.settings.excluded.form);
    this.#capture = capture;
  }

  protected override async use(typed: string): Promise<boolean> {
    const folder = await this.#capture.projects?.findFolder(typed);
    if (folder !== undefined) await excludeFolder(this.#capture, folder);
    return folder !== undefined;
  }

  protected override problem(folder: string): string {
    return text.capture.settings.excluded.form.noFolder(folder);
  }
}
