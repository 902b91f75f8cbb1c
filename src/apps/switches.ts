import { isJsonObject, type JsonObject } from '../model/event.js';
import { isTextList, objectsIn, textsIn } from '../model/text/json-fields.js';

/** A setting that keeps an app from starting a server, using its tools or running hooks. */
export interface AppSwitch {
  readonly stops: 'server' | 'tools' | 'hooks';
  /** Page or issue that documents it. */
  readonly source: string;
  /**
   * Files that can have it; a later one overrides earlier ones. Relative paths are in the app's
   * folder, with `./` in that of a project. All JSON files count in a folder, which ends in `/`.
   * After `$` is the name of a variable that contains the text itself.
   */
  readonly files: readonly string[];
  /** Keys separated by `/`. `NAME` is the server's name, and `*` any project. */
  readonly setting: string;
  /** Returns undefined for a value that says nothing, and leaves it to earlier files. */
  readonly isOff: (
    value: unknown,
    server: SwitchedServer,
    layers: readonly SettingsLayer[],
  ) => boolean | undefined;
  /** True if the app's own list of servers does not show its effect. */
  readonly isUnlisted?: boolean;
  /** Says what one does that switches nothing off for certain. */
  readonly caution?: (
    title: string,
    place: string,
    where: string,
  ) => { says: string; fix?: string };
}

/** A server as an app starts it. */
export interface SwitchedServer {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
}

/** Settings of one of the files of a switch. */
export interface SettingsLayer {
  readonly settings: JsonObject;
  /** True for a file of an administrator. */
  readonly isOfSystem: boolean;
}

/** Returns a switch for each setting, with what says that it is off. */
export function switchesOf(
  stops: AppSwitch['stops'],
  source: string,
  files: readonly string[],
  settings: Readonly<Record<string, AppSwitch['isOff']>>,
  more: Pick<AppSwitch, 'isUnlisted' | 'caution'> = {},
): AppSwitch[] {
  return Object.entries(settings).map(([setting, isOff]) => ({
    stops,
    source,
    files,
    setting,
    isOff,
    ...more,
  }));
}

export function isTrue(value: unknown): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined;
}

export function isFalse(value: unknown): boolean | undefined {
  return typeof value === 'boolean' ? !value : undefined;
}

/** Returns true if a list includes the server's name, in any case. */
export function namesServer(list: unknown, { name }: SwitchedServer): true | undefined {
  const isNamed = (text: string) => text.trim().toLowerCase() === name.toLowerCase();
  return textsIn(list).some(isNamed) || undefined;
}

/** Returns true for a list that lacks the server's name. */
export function lacksServer(list: unknown, server: SwitchedServer): true | undefined {
  return (Array.isArray(list) && !namesServer(list, server)) || undefined;
}

/** Returns true for an entry that starts something else than the server. */
const startsOther: AppSwitch['isOff'] = (entry, { command, args }) => {
  const { command: program, args: more, url, httpUrl } = isJsonObject(entry) ? entry : {};
  if ((program ?? url ?? httpUrl) === undefined) return undefined;
  const words = [program, more ?? []].flat();
  // another copy of the program may have the same options
  const optionsIn = (all: readonly unknown[]) => JSON.stringify(all.slice(all.indexOf('mcp')));
  return optionsIn(words) !== optionsIn([command, ...args]) || undefined;
};

/** Returns the places whose servers hide one of the user's with the same name. */
export function shadowsOf(source: string, files: readonly string[], section: string) {
  const caution: AppSwitch['caution'] = (title, place, where) => ({
    says: `${title} starts another server of that name${where}, which ${place} declares.`,
    fix: 'rename or remove one of the two',
  });
  return switchesOf('server', source, files, { [`${section}/NAME`]: startsOther }, { caution });
}

/** Returns the lists by name or command that Claude Code has introduced and others have adopted. */
export function policyLists(files: readonly string[], source: string): AppSwitch[] {
  const isNamed = ({ serverName }: JsonObject, { name }: SwitchedServer) => serverName === name;
  const isStarted = ({ serverCommand }: JsonObject, { command, args }: SwitchedServer) =>
    isTextList(serverCommand) &&
    JSON.stringify(serverCommand) === JSON.stringify([command, ...args]);
  return switchesOf('server', source, files, {
    deniedMcpServers: (list, server) =>
      objectsIn(list).some((each) => isNamed(each, server) || isStarted(each, server)) || undefined,
    allowedMcpServers(_, server, layers) {
      const isLocked = layers.some(
        ({ settings, isOfSystem }) => isOfSystem && settings['allowManagedMcpServersOnly'] === true,
      );
      const lists = layers
        .filter(({ isOfSystem }) => isOfSystem || !isLocked)
        .map(({ settings }) => settings['allowedMcpServers'])
        .filter(Array.isArray);
      const allowed = lists.flatMap(objectsIn);
      // a name counts only if no command is listed
      const hasCommands = allowed.some((each) => each['serverCommand'] !== undefined);
      const isAllowed = hasCommands ? isStarted : isNamed;
      return (lists.length > 0 && !allowed.some((each) => isAllowed(each, server))) || undefined;
    },
  });
}

export function isEmptyList(value: unknown): boolean | undefined {
  return Array.isArray(value) ? value.length === 0 : undefined;
}

/** Returns true if a list has a pattern for all tools whose names begin with a prefix. */
export function deniesPrefix(patterns: unknown, prefix: string): true | undefined {
  return textsIn(patterns).some((pattern) => isForAll(pattern, prefix)) || undefined;
}

function isForAll(pattern: string, prefix: string): boolean {
  return pattern.endsWith('*') && prefix.startsWith(pattern.slice(0, -1));
}

/** Returns whether the last pattern for all tools of a server has the value that denies them. */
export function deniesTools(denied: unknown): AppSwitch['isOff'] {
  return (patterns, { name }) => {
    const all = isJsonObject(patterns) ? Object.entries(patterns) : [];
    const found = all.findLast(([key]) => isForAll(key, `${name}_`));
    return found ? found[1] === denied : undefined;
  };
}
