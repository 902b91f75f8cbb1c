/** Texts about Obsidian Sync. */
export const sync = {
  name: 'Obsidian Sync',
  desc: 'Obsidian Sync includes the memory only if "Sync all other types" is on, on each device.',
  leftOut:
    '"Sync all other types" is off in Obsidian Sync (Selective sync), so the memory of Savepoint stays on this device.',
  fine: 'Nothing to do on this device.',
  open: 'Open Sync settings',
};
