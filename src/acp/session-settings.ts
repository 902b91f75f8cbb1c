import { isJsonObject, type Json, type JsonObject } from '../model/event.js';
import { isText, objectsIn } from '../model/text/json-fields.js';

/** A choice that the agent offers, such as its mode or model. */
export interface SessionSetting {
  readonly id: string;
  readonly name: string;
  readonly value: string;
  readonly options: readonly { readonly value: string; readonly name: string }[];
  /** True if `session/set_mode` changes the setting. */
  readonly isMode: boolean;
}

/** Sent as a message that begins with `/`. */
export interface ChatAgentCommand {
  readonly name: string;
  readonly description: string;
}

/** Stands for the agent's modes. */
export const MODE_ID = 'mode';

/** Reads `session/new`. An agent's own option named `mode` replaces its list of modes. */
export function settingsOf({ modes, configOptions }: JsonObject): SessionSetting[] {
  const options = configSettings(configOptions);
  const mode = modeSetting(modes);
  return mode && !options.some(({ id }) => id === MODE_ID) ? [mode, ...options] : options;
}

export function updatedSettings(
  settings: readonly SessionSetting[],
  update: JsonObject,
): readonly SessionSetting[] {
  const { currentModeId, configOptions } = update;
  if (update['sessionUpdate'] === 'current_mode_update' && typeof currentModeId === 'string')
    return settings.map((setting) =>
      setting.id === MODE_ID ? { ...setting, value: currentModeId } : setting,
    );
  if (update['sessionUpdate'] !== 'config_option_update') return settings;
  const modes = settings.filter(({ isMode }) => isMode);
  return [...modes, ...configSettings(configOptions)];
}

export function commandsOf(list: Json | undefined): ChatAgentCommand[] {
  return objectsIn(list).flatMap(({ name, description }) =>
    isText(name) ? [{ name, description: isText(description) ? description : '' }] : [],
  );
}

function modeSetting(modes: Json | undefined): SessionSetting | undefined {
  if (!isJsonObject(modes) || typeof modes['currentModeId'] !== 'string') return undefined;
  const options = namedValues(modes['availableModes'], 'id');
  return { id: MODE_ID, name: 'Mode', value: modes['currentModeId'], options, isMode: true };
}

function configSettings(list: Json | undefined): SessionSetting[] {
  return objectsIn(list).flatMap(({ id, name, currentValue: value, options }) =>
    isText(id) && isText(name) && isText(value)
      ? [{ id, name, value, options: namedValues(options, 'value'), isMode: false }]
      : [],
  );
}

/** Returns the values of a list, including those in its groups. */
function namedValues(list: Json | undefined, key: 'id' | 'value'): SessionSetting['options'] {
  return objectsIn(list).flatMap(({ name, options, [key]: value }) => {
    if (Array.isArray(options)) return namedValues(options, key);
    return isText(value) ? [{ value, name: isText(name) ? name : value }] : [];
  });
}
