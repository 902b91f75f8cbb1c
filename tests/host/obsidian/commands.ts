import type { Command, Editor, MarkdownFileInfo } from 'obsidian';
import type { App } from './app';
import { MarkdownView } from './markdown-view';
import { Platform } from './platform';

/** The commands of the app and of its plugins, under their full ids. */
export class Commands {
  readonly commands: Record<string, Command> = {};
  readonly #app: App;
  #undo = new Map<string, () => void>();

  constructor(app: App) {
    this.#app = app;
  }

  addCommand(command: Command): void {
    this.commands[command.id] = command;
    const handlers = (command.hotkeys ?? []).map(({ modifiers, key }) =>
      this.#app.scope.register(modifiers, key, (event) => {
        if (event.repeat && !command.repeatable) return false;
        return this.executeCommandById(command.id) ? false : undefined;
      }),
    );
    this.#undo.set(command.id, () =>
      handlers.forEach((handler) => this.#app.scope.unregister(handler)),
    );
  }

  removeCommand(id: string): void {
    this.#undo.get(id)?.();
    this.#undo.delete(id);
    delete this.commands[id];
  }

  findCommand(id: string): Command | undefined {
    return this.commands[id];
  }

  /** Returns the commands that the palette lists now. */
  listCommands(): Command[] {
    return Object.values(this.commands).filter((command) => this.#run(command, true));
  }

  /** Returns whether the command could be run. */
  executeCommandById(id: string): boolean {
    const command = this.commands[id];
    return command !== undefined && this.#run(command, true) && this.#run(command, false);
  }

  #run(command: Command, checking: boolean): boolean {
    if (command.mobileOnly && !Platform.isMobile) return false;
    const view = this.#app.workspace.getActiveViewOfType(MarkdownView);
    const editor = view?.editor as unknown as Editor | undefined;
    const info = view as unknown as MarkdownFileInfo;
    if (command.editorCheckCallback)
      return editor !== undefined && command.editorCheckCallback(checking, editor, info) === true;
    if (command.editorCallback) {
      if (editor && !checking) void command.editorCallback(editor, info);
      return editor !== undefined;
    }
    if (command.checkCallback) return command.checkCallback(checking) === true || !checking;
    if (!checking) void command.callback?.();
    return command.callback !== undefined;
  }
}
