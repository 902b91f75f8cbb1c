import { expect, it } from 'vitest';
import { consentTo, isExcluded, type CaptureSettings } from '../../src/capture/consent.js';

const NOW = Date.parse('2026-11-24T10:00:00Z');
const LINK = {
  project: 'key',
  folder: '/home/ana/app',
  vault: '/vault',
  workspaceId: 'ws',
  workspaceName: 'App',
  isCaptured: true,
};
const SETTINGS: CaptureSettings = { links: [LINK], excludedFolders: ['/home/ana/app/private'] };
const OCCASION = {
  projects: ['inner', 'key'],
  folder: '/home/ana/app',
  isPrivate: false,
  now: NOW,
};

it('captures a session in a linked project only', () => {
  expect(consentTo(SETTINGS, OCCASION)).toEqual({ link: LINK, isCaptured: true });
  expect(consentTo(SETTINGS, { ...OCCASION, projects: ['other'] })).toBeUndefined();
  const off = { ...LINK, isCaptured: false };
  expect(consentTo({ ...SETTINGS, links: [off] }, OCCASION)).toEqual({
    link: off,
    isCaptured: false,
  });
});

it('ignores private sessions and excluded folders', () => {
  expect(consentTo(SETTINGS, { ...OCCASION, isPrivate: true })).toBeUndefined();
  for (const folder of ['/home/ana/app/private', '/home/ana/app/private/deep'])
    expect(consentTo(SETTINGS, { ...OCCASION, folder })).toBeUndefined();
  expect(consentTo(SETTINGS, { ...OCCASION, folder: '/home/ana/app/private2' })).toBeDefined();
  expect(isExcluded({ ...SETTINGS, excludedFolders: ['C:\\a'] }, 'C:\\a\\b')).toBe(true);
});

it('captures nothing before a pause is over', () => {
  const pausedUntil = '2026-11-24T11:00:00.000Z';
  const paused = { ...SETTINGS, pausedUntil };
  expect(consentTo(paused, OCCASION)).toMatchObject({ isCaptured: false });
  const later = { ...OCCASION, now: Date.parse(pausedUntil) };
  expect(consentTo(paused, later)).toMatchObject({ isCaptured: true });
});
