import { isJsonObject, type Json } from '../../model/event.js';
import { isNameTaken } from '../../model/lookup.js';
import { VAULT_SCOPE, type Memory } from '../../model/memory.js';
import { Refusal } from '../../model/refusal.js';
import type { Tool } from '../../toolkit/define-tool.js';
import { acceptInput, readInput } from '../../toolkit/explain.js';

/** The scope in which the `name` of a new item is unique, by tool; `workspace` for the call's. */
const NAME_SCOPES: Readonly<Record<string, 'workspace' | 'vault'>> = {
  createState: 'workspace',
  createWorkspace: 'vault',
};

/** Returns true for a call not worth approving: its parameters are invalid or its name is taken. */
export function mustFail(
  memory: Memory,
  workspaceId: string,
  { name: tool, input }: Pick<Tool<unknown>, 'name' | 'input'>,
  params: Json,
): boolean {
  const { context: _, ...own } = isJsonObject(params) ? params : {};
  try {
    const { name } = readInput(input, acceptInput(input, own).params);
    const scope = NAME_SCOPES[tool];
    if (scope === undefined || typeof name !== 'string') return false;
    return isNameTaken(memory, scope === 'vault' ? VAULT_SCOPE : workspaceId, name);
  } catch (error) {
    if (error instanceof Refusal) return true;
    throw error;
  }
}
