import { expect, it } from 'vitest';
import { consentTo, isExcluded, type CaptureSettings } from '../../src/capture/consent.js';

const NOW = Date.parse('2026-11-24T10:00:00Z');
const LINK = {
  project: 'key',
  folder: '/home/ana/app',
  keys: [],
  vault: '/vault',
  workspaceId: 'ws',
  workspaceName: 'App',
  isCaptured: true,
};
const SETTINGS: CaptureSettings = { links: [LINK], excludedFolders: ['/home/ana/app/private'] };
const OCCASION = { link: LINK, folders: ['/home/ana/app'], isPrivate: false, now: NOW };

it('captures a session if the link says so', () => {
  expect(consentTo(SETTINGS, OCCASION)).toEqual({ isCaptured: true });
  const link = { ...LINK, isCaptured: false };
  expect(consentTo(SETTINGS, { ...OCCASION, link })).toEqual({ isCaptured: false });
});

it('ignores private sessions and excluded folders', () => {
  expect(consentTo(SETTINGS, { ...OCCASION, isPrivate: true })).toBeUndefined();
  for (const folder of ['/home/ana/app/private', '/home/ana/app/private/deep']) {
    const folders = ['/home/ana/app', folder];
    expect(consentTo(SETTINGS, { ...OCCASION, folders })).toBeUndefined();
  }
  const folders = ['/home/ana/app/private2'];
  expect(consentTo(SETTINGS, { ...OCCASION, folders })).toBeDefined();
  expect(isExcluded({ ...SETTINGS, excludedFolders: ['C:\\a'] }, 'C:\\a\\b')).toBe(true);
});

it('captures nothing before a pause is over', () => {
  const pausedUntil = '2026-11-24T11:00:00.000Z';
  const paused = { ...SETTINGS, pausedUntil };
  expect(consentTo(paused, OCCASION)).toMatchObject({ isCaptured: false });
  const later = { ...OCCASION, now: Date.parse(pausedUntil) };
  expect(consentTo(paused, later)).toMatchObject({ isCaptured: true });
});
