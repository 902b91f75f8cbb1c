/** Returns the values of a key in a git configuration, in order. The names are in lower case; a section may have a subsection. */
export function configValues(config: string, section: string, key: string): string[] {
  const values: string[] = [];
  let isInSection = false;
  for (const line of config.split('\n')) {
    const [, name, subsection] = /^\s*\[\s*([^\s\]"]+)(?:\s+"([^"]*)")?\s*\]/.exec(line) ?? [];
    if (name !== undefined)
      isInSection = section === [name.toLowerCase(), subsection].filter(Boolean).join('.');
    const [, found, value = 'true'] =
      /^\s*(?:\[[^\]]*\]\s*)?([a-z][a-z0-9-]*)\s*(?:=\s*(.*?))?\s*$/i.exec(line) ?? [];
    if (isInSection && found?.toLowerCase() === key)
      values.push(value.replace(/\s+[#;].*$/, '').replace(/^"(.*)"$/, '$1'));
  }
  return values;
}

/** Returns true or false for a boolean key; undefined if the configuration does not have it. */
export function configFlag(config: string, section: string, key: string): boolean | undefined {
  const value = configValues(config, section, key).at(-1)?.toLowerCase();
  return value === undefined ? undefined : ['true', 'yes', 'on', '1'].includes(value);
}
