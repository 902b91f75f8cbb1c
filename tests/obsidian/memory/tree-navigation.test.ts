import { describe, expect, it } from 'vitest';
import {
  treeAction,
  type KeyPress,
  type TreeContext,
} from '../../../src/obsidian/memory/tree-navigation.js';

const row = (key: string, level: number, isExpanded?: boolean) => ({
  key,
  level,
  at: 1,
  of: 1,
  isExpanded,
});
const rows = [row('a', 1, true), row('a1', 2), row('b', 1, false), row('c', 1)];

const press = (key: string, modifiers: Partial<KeyPress> = {}): KeyPress => ({
  key,
  shiftKey: false,
  altKey: false,
  ctrlKey: false,
  metaKey: false,
  ...modifiers,
});
const at = (current: number, more: Partial<TreeContext> = {}): TreeContext => ({
  rows,
  current,
  pageSize: 2,
  isRtl: false,
  hasMenu: true,
  ...more,
});

describe('a key press in a tree', () => {
  it.each([
    ['ArrowDown', 1, 2],
    ['ArrowUp', 1, 0],
    ['PageDown', 0, 2],
    ['PageUp', 3, 1],
    ['Home', 2, 0],
    ['End', 0, 3],
  ])('%s moves from row %i to row %i', (key, current, to) => {
    expect(treeAction(press(key), at(current))).toEqual({ kind: 'move', to });
  });

  it('checks a row with a check box with Space, and opens any row with Enter', () => {
    const checkable = { rows: [{ ...row('task', 1), isChecked: false }, row('state', 1)] };
    expect(treeAction(press(' '), at(0, checkable))).toEqual({ kind: 'check' });
    expect(treeAction(press('Enter'), at(0, checkable))).toEqual({ kind: 'open' });
    expect(treeAction(press(' '), at(1, checkable))).toEqual({ kind: 'open' });
  });

  it('expands with the inward arrow and collapses with the outward one', () => {
    expect(treeAction(press('ArrowRight'), at(2))).toEqual({ kind: 'toggle' });
    expect(treeAction(press('ArrowLeft'), at(0))).toEqual({ kind: 'toggle' });
    expect(treeAction(press('ArrowRight'), at(0))).toBeUndefined();
  });

  it('swaps the arrows in right-to-left text', () => {
    expect(treeAction(press('ArrowLeft'), at(2, { isRtl: true }))).toEqual({ kind: 'toggle' });
    expect(treeAction(press('ArrowRight'), at(1, { isRtl: true }))).toEqual({
      kind: 'move',
      to: 0,
    });
  });

  it('moves from a child to its parent with the outward arrow', () => {
    expect(treeAction(press('ArrowLeft'), at(1))).toEqual({ kind: 'move', to: 0 });
  });

  it.each(['Enter', ' '])('opens the row with "%s"', (key) => {
    expect(treeAction(press(key), at(3))).toEqual({ kind: 'open' });
  });

  it('opens the menu only if there is one', () => {
    expect(treeAction(press('F10', { shiftKey: true }), at(0))).toEqual({ kind: 'menu' });
    expect(treeAction(press('ContextMenu'), at(0))).toEqual({ kind: 'menu' });
    expect(treeAction(press('ContextMenu'), at(0, { hasMenu: false }))).toBeUndefined();
    expect(treeAction(press('F10'), at(0))).toBeUndefined();
  });

  it('ignores other keys, modifiers and empty trees', () => {
    expect(treeAction(press('x'), at(0))).toBeUndefined();
    expect(treeAction(press('ArrowDown', { ctrlKey: true }), at(0))).toBeUndefined();
    expect(treeAction(press('ArrowDown'), at(-1, { rows: [] }))).toBeUndefined();
  });
});
