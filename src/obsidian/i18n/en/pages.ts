/** Texts of the groups and pages of the settings. */
export const pages = {
  headings: { memory: 'Memory', search: 'Search' },
  advanced: { name: 'Advanced', desc: 'Toolsets for agents and apps.' },
  agents: {
    name: 'Agents',
    desc: 'What agents in the chat may do.',
    allowed: 'Tools allowed without asking',
    allowedEmpty: 'None. Tools ask before they write, unless you allow it in a conversation.',
  },
  excludedVault: {
    name: 'The whole vault',
    desc: 'An entry is not understood, perhaps one of a newer version, so nothing is searched. Update Savepoint, or remove it.',
  },
};
