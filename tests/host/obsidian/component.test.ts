// Tier full: tests the simulated Obsidian, not the plugin
// @vitest-environment happy-dom
import { expect, test, vi } from 'vitest';
import { Component } from './component.js';
import { Events } from './events.js';

class Told extends Component {
  constructor(
    private readonly name: string,
    private readonly log: string[],
  ) {
    super();
  }

  override onload(): void {
    this.log.push(`load ${this.name}`);
  }

  override onunload(): void {
    this.log.push(`unload ${this.name}`);
  }
}

test('a component loads and unloads its children once', () => {
  const log: string[] = [];
  const parent = new Told('parent', log);
  parent.addChild(new Told('early', log));
  void parent.load();
  void parent.load();
  const late = parent.addChild(new Told('late', log));
  parent.removeChild(late);
  parent.unload();
  parent.unload();
  expect(log).toEqual([
    'load parent',
    'load early',
    'load late',
    'unload late',
    'unload early',
    'unload parent',
  ]);
});

test('a component removes its registered listeners and timers on unload', () => {
  const component = new Component();
  const events = new Events();
  const heard = vi.fn();
  void component.load();
  component.registerEvent(events.on('x', heard));
  component.registerDomEvent(window, 'resize', heard);
  component.registerInterval(window.setInterval(heard, 1));
  component.unload();
  events.trigger('x');
  window.dispatchEvent(new Event('resize'));
  expect(heard).not.toHaveBeenCalled();
});

test('an error in a listener reaches the window, and not other listeners', () => {
  vi.useFakeTimers();
  const events = new Events();
  const heard = vi.fn();
  events.on('x', () => {
    throw new Error('mine');
  });
  events.on('x', heard, 'context');
  events.trigger('x', 1, 2);
  expect(heard).toHaveBeenCalledWith(1, 2);
  expect(heard.mock.contexts).toEqual(['context']);
  expect(() => vi.runAllTimers()).toThrow('mine');
  vi.useRealTimers();
});
