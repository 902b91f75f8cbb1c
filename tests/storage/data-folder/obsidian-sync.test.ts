import { describe, expect, it } from 'vitest';
import { isLeftOutBySync } from '../../../src/storage/data-folder/obsidian-sync.js';

const MEDIA = ['image', 'audio', 'pdf', 'video'];
const LEFT_OUT = {
  vaultId: '5495a8fb',
  allowTypes: MEDIA,
  path: '/home/ana/Notes',
  names: ['Plan.md', '.obsidian'],
  plugins: ['savepoint'],
};

describe('isLeftOutBySync', () => {
  it('is true if Sync is connected without other types', () => {
    expect(isLeftOutBySync(LEFT_OUT)).toBe(true);
    expect(isLeftOutBySync({ ...LEFT_OUT, path: '/home/ana/Dropboxes of mail' })).toBe(true);
  });

  it.each([
    ['other types are on', { allowTypes: [...MEDIA, 'unsupported'] }],
    ['Sync is not connected', { vaultId: null }],
    ['Sync has been disconnected', { vaultId: '' }],
    ['the types are unknown', { allowTypes: undefined }],
    ['the vault is in iCloud', { path: '/Users/ana/Library/Mobile Documents/x/Notes' }],
    ['the vault is in OneDrive', { path: 'C:\\Users\\ana\\OneDrive - Garden\\Notes' }],
    ['the vault is a Dropbox', { path: '/home/ana/Dropbox' }],
    ['the vault is in Google Drive', { path: '/Users/ana/GoogleDrive/Notes' }],
  ])('is false if %s', (_, changes) => {
    expect(isLeftOutBySync({ ...LEFT_OUT, ...changes })).toBe(false);
  });

  it.each([
    ['git', '.git'],
    ['Syncthing', '.stfolder'],
    ['Dropbox', '.dropbox'],
    ['Resilio Sync', '.sync'],
    ['Nextcloud', '.nextcloudsync.log'],
  ])('is false if %s has an entry among those of the vault', (_, entry) => {
    expect(isLeftOutBySync({ ...LEFT_OUT, names: [...LEFT_OUT.names, entry] })).toBe(false);
  });

  it.each(['obsidian-livesync', 'obsidian-git', 'remotely-save', 'syncthing'])(
    'is false if the plugin %s is among those that are enabled',
    (plugin) => {
      expect(isLeftOutBySync({ ...LEFT_OUT, plugins: ['savepoint', plugin] })).toBe(false);
    },
  );
});
