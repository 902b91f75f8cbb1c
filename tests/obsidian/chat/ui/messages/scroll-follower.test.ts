import { expect, it } from 'vitest';
import {
  isScrollUpKey,
  ScrollFollower,
} from '../../../../../src/obsidian/chat/ui/messages/scroll-follower.js';

const at = (scrollTop: number, scrollHeight = 1000) => ({
  scrollTop,
  scrollHeight,
  clientHeight: 300,
});

it('ScrollFollower follows while the position is near the end', () => {
  const follower = new ScrollFollower(false);
  follower.onScroll(at(641), true);
  expect(follower.isFollowing).toBe(true);
});

it('ScrollFollower stops when the user scrolls up', () => {
  const follower = new ScrollFollower(true);
  follower.onScroll(at(700), true);
  follower.onScroll(at(600), true);
  expect(follower.isFollowing).toBe(false);
});

it('ScrollFollower continues when the content changes its height', () => {
  const follower = new ScrollFollower(true);
  follower.onScroll(at(700), true);
  follower.onScroll(at(650, 1200), true);
  expect(follower.isFollowing).toBe(true);
});

it('ScrollFollower does not follow while later messages are not rendered', () => {
  const follower = new ScrollFollower(true);
  follower.onScroll(at(700), false);
  expect(follower.isFollowing).toBe(false);
});

it('ScrollFollower can be released and resumed', () => {
  const follower = new ScrollFollower(true);
  follower.release();
  expect(follower.isFollowing).toBe(false);
  follower.follow();
  expect(follower.isFollowing).toBe(true);
});

it('isScrollUpKey recognizes the keys that scroll up', () => {
  expect(['PageUp', 'ArrowUp', 'Home'].every(isScrollUpKey)).toBe(true);
  expect(['PageDown', 'ArrowDown', 'End', 'a'].some(isScrollUpKey)).toBe(false);
});
