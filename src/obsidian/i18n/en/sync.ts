/** Texts about Obsidian Sync. */
export const sync = {
  name: 'Obsidian Sync',
  desc: 'Obsidian Sync includes the memory only if "Sync all other types" is on, on each device.',
  leftOut:
    'Obsidian Sync does not include the memory of Savepoint on this device, so it stays here: "Sync all other types" is off under Settings, Sync, Selective sync.',
  fine: 'Nothing to do on this device.',
  open: 'Open Sync settings',
};
