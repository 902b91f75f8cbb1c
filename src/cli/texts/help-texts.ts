/** How a command is called and what it does. */
export interface HelpText {
  /** The command with its arguments and options. */
  readonly syntax: string;
  /** Its first sentence is the summary. */
  readonly help: string;
}

const LINE_WIDTH = 80;

/** Help that applies to all commands. */
const COMMON_HELP = `--vault is a folder that contains .obsidian or Savepoint; --create allows any other. Commands that can do without take the vault of SAVEPOINT_VAULT, of the link of the project in the current folder, that of all links on this device if they have the same, or the only one that Obsidian lists. --state (or SAVEPOINT_STATE) is the folder for data that belongs to this device and not to the vault. SAVEPOINT_DEVICE is the device's name in saved states. Exit code: 0 success, 1 failure, 2 wrong usage.`;

export function overviewText(commands: Readonly<Record<string, HelpText>>): string {
  const indent = Math.max(...Object.keys(commands).map((name) => name.length)) + 4;
  const rows = Object.entries(commands).map(([name, { help }]) => {
    const [summary] = help.split('. ');
    return wrapped(`${`  ${name}`.padEnd(indent)}${summary}`, indent).replace(/\.?$/, '.');
  });
  return `Usage: savepoint COMMAND [OPTIONS]

${rows.join('\n')}

${wrapped('Run "savepoint help COMMAND" for the options of a command.', 0)}

${wrapped(COMMON_HELP, 0)}
`;
}

/** Returns what is known about the commands, for programs. */
export function helpFields(commands: Readonly<Record<string, HelpText>>) {
  return {
    commands: Object.entries(commands).map(([name, { syntax, help }]) => ({ name, syntax, help })),
    options: COMMON_HELP,
  };
}

export function commandText({ syntax, help }: HelpText): string {
  return `${wrapped(`Usage: savepoint ${syntax}`, 9)}\n\n${wrapped(help, 0)}\n`;
}

/** Indents all lines but the first. Keeps brackets together with what they contain. */
function wrapped(text: string, indent: number): string {
  const words = text.match(/ *(?:\[[^\]]*\](?:\])?|\S+)/g) ?? [];
  const lines: string[] = [];
  let line = '';
  for (const word of words) {
    if (line !== '' && line.length + word.length > LINE_WIDTH) {
      lines.push(line);
      line = ' '.repeat(indent) + word.trimStart();
    } else line += word;
  }
  return [...lines, line].join('\n');
}
