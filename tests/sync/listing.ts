import { allPages } from '../fakes/all-pages.js';
import { connect, temporaryFolder, type Connection } from '../fakes/program.js';

export interface ListedState {
  readonly name: string;
  readonly description: string;
  readonly isArchived: boolean;
}

export interface ListedWorkspace {
  readonly name: string;
  readonly description: string;
  readonly purpose: string;
  readonly isArchived: boolean;
  readonly preferences: Record<string, unknown>;
  readonly states: readonly ListedState[];
}

interface Shown {
  readonly name: string;
  readonly description?: string;
  readonly isArchived?: true;
}

/** Returns everything that an agent can list with a newly started read-only program. */
export async function listAfresh(vault: string): Promise<ListedWorkspace[]> {
  const connection = await connect(vault, temporaryFolder('state'), '--read-only', '--create');
  try {
    return await list(connection);
  } finally {
    await connection.client.close();
  }
}

/**
 * Returns everything that an agent can list, including archived items. The last workspace stays
 * current.
 */
export async function list(connection: Connection): Promise<ListedWorkspace[]> {
  const workspaces: ListedWorkspace[] = [];
  for (const shown of await ask<Shown[]>(connection, 'listWorkspaces', { includeArchived: true })) {
    const name = await unambiguous(connection, 'loadWorkspace', shown.name);
    const { description, purpose, isArchived, preferences } = await ask<ListedWorkspace>(
      connection,
      'loadWorkspace',
      { name },
    );
    const states = await allPages<Shown>((page) =>
      connection.call('listStates', { includeArchived: true, ...page }),
    );
    const listed: ListedState[] = [];
    for (const state of states)
      listed.push({
        name: state.name,
        description: state.description ?? (await descriptionOf(connection, state.name)),
        isArchived: state.isArchived === true,
      });
    workspaces.push({ name, description, purpose, isArchived, preferences, states: listed });
  }
  return workspaces;
}

/** A list leaves out what would make its row too long. */
async function descriptionOf(connection: Connection, state: string): Promise<string> {
  const name = await unambiguous(connection, 'loadState', state);
  const { description } = await ask<Shown>(connection, 'loadState', { name });
  return description ?? '';
}

/**
 * The earliest of several items of the same name is listed by its bare name, which is ambiguous.
 * The refusal contains its full name.
 */
async function unambiguous(
  { call }: Connection,
  tool: 'loadWorkspace' | 'loadState',
  name: string,
): Promise<string> {
  const answer = await call(tool, { name });
  const found = answer.success ? undefined : /is ambiguous: "([^"]+)"/.exec(answer.error ?? '');
  return found?.[1] ?? name;
}

async function ask<T>(
  { call }: Connection,
  tool: string,
  params: Record<string, unknown>,
): Promise<T> {
  const answer = await call(tool, params);
  if (!answer.success) throw new Error(`${tool} ${JSON.stringify(params)} fails: ${answer.error}`);
  return answer.data as T;
}
