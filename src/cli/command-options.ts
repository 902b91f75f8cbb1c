import {
  budget,
  captureLevel,
  exportFormat,
  flag,
  forgetKind,
  limit,
  optionalPath,
  port,
  required,
  restoreKind,
  sourceProgram,
  surface,
  text,
  toldLevel,
  vault,
  type OptionValues,
} from './options.js';

/** The vault's folder, in place of which a known vault is used, and the state folder. */
const place = { vault: optionalPath, state: optionalPath };

/** Options by command, for the command's row in the table and for its file. */
export const OPTIONS = {
  connect: {
    /** The vault's folder. Only the lines in AGENTS.md need none. */
    vault: text,
    surface,
    toolsets: text,
    readOnly: flag,
    create: flag,
    hooks: flag,
    agentsMd: flag,
    dryRun: flag,
    undo: flag,
  },
  link: {
    project: optionalPath,
    workspace: required('--workspace NAME, the workspace of the project'),
    vault,
    /** Level for the project's sessions; undefined to leave it as it is. */
    capture: captureLevel,
    /** Likewise for what its agents are told. */
    tell: toldLevel,
    state: optionalPath,
  },
  links: {
    pause: flag,
    resume: flag,
    exclude: optionalPath,
    include: optionalPath,
    json: flag,
    state: optionalPath,
  },
  mcp: {
    ...place,
    surface,
    toolsets: text,
    readOnly: flag,
    create: flag,
    /** The session of calls that name none; a new one if absent. */
    session: text,
    /** Name or id of the workspace in which the session starts. */
    workspace: text,
    /** The port for HTTP; standard input and output if absent. */
    http: port,
    httpTokenFile: optionalPath,
  },
  call: {
    ...place,
    workspace: text,
    session: text,
    /** The parameters as JSON text; read from standard input if absent. */
    json: text,
    create: flag,
  },
  search: {
    ...place,
    workspace: text,
    /** The vault folder in which to search. */
    in: text,
    mode: text,
    limit,
    /** True to search the memory instead of the notes. */
    memory: flag,
    json: flag,
  },
  brief: {
    ...place,
    workspace: text,
    /** The next work, as a query or as paths. */
    for: text,
    budget,
    json: flag,
  },
  restore: { ...place, kind: restoreKind, workspace: text },
  forget: {
    vault,
    kind: forgetKind,
    workspace: text,
    /** The app of a session; undefined for any. */
    client: text,
    /** True to forget what else contains the text, too. */
    also: flag,
    dryRun: flag,
    yes: flag,
    /** Id of what another device has forgotten, to remove it here, or to keep it. */
    agree: text,
    refuse: text,
    state: optionalPath,
  },
  tools: { surface, toolsets: text, json: flag },
  verify: {
    ...place,
    heal: flag,
    /** The id of a memory that was removed as a whole, or a folder next to the data folder. */
    recover: text,
    /** Writer whose missing events, or memory whose removal is no longer reported. */
    dismiss: text,
    json: flag,
  },
  devices: {
    ...place,
    /** Names of devices. Without both, devices are listed. */
    confirm: text,
    withdraw: text,
    yes: flag,
  },
  export: {
    /** The new folder. */
    to: required('--to DIR, a new or empty folder'),
    vault,
    as: exportFormat,
  },
  import: {
    /** The program that wrote it; detected from the files if absent. */
    from: sourceProgram,
    vault,
    dryRun: flag,
    merge: flag,
    create: flag,
    json: flag,
  },
};

export type ArgumentsOf<Name extends keyof typeof OPTIONS> = OptionValues<(typeof OPTIONS)[Name]>;
