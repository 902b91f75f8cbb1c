import type { ToolDescription } from '../../chat/language-model.js';
import { inputSchema } from '../../toolkit/schema.js';
import { allTools } from '../../toolkit/toolkit.js';
import type { Savepoint } from '../savepoint.js';

/** Returns all tools but the tool manager's, which serve clients that cannot list many tools. */
export function chatTools({ toolkit }: Pick<Savepoint, 'toolkit'>) {
  return allTools(toolkit).flatMap(({ toolset, tool }) =>
    toolset.name === 'toolManager' ? [] : [tool],
  );
}

/** Returns the chat's tools as a model sees them. The chat chooses the workspace. */
export function toolDescriptions(savepoint: Pick<Savepoint, 'toolkit'>): ToolDescription[] {
  return chatTools(savepoint).map((tool) => ({
    name: tool.name,
    description: tool.description,
    inputSchema: inputSchema(tool),
  }));
}
