import type { WorkspaceLeaf } from './leaf';
import type { View } from './views';

type Creator = (leaf: WorkspaceLeaf) => View;

/** Maps view types to views, and file extensions to view types. */
export class ViewRegistry {
  #creators = new Map<string, Creator>();
  #extensions = new Map<string, string>();

  register(type: string, creator: Creator): void {
    if (this.#creators.has(type))
      throw new Error(`Attempting to register an existing view type "${type}"`);
    this.#creators.set(type, creator);
  }

  unregister(type: string): void {
    this.#creators.delete(type);
  }

  creatorOf(type: string): Creator | undefined {
    return this.#creators.get(type);
  }

  registerExtensions(extensions: readonly string[], type: string): void {
    for (const extension of extensions) {
      if (this.#extensions.has(extension))
        throw new Error(`Attempting to register an existing file extension "${extension}"`);
      this.#extensions.set(extension, type);
    }
  }

  unregisterExtensions(extensions: readonly string[]): void {
    for (const extension of extensions) this.#extensions.delete(extension);
  }

  typeOfExtension(extension: string): string | undefined {
    return this.#extensions.get(extension);
  }
}
