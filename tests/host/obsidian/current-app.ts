import type { App } from './app';

let app: App | null = null;

/** The app of this window, for parts that do not receive it (menus, tooltips). */
export function currentApp(): App {
  if (!app) throw new Error('There is no host in this window: call createHost first');
  return app;
}

export function setCurrentApp(next: App | null): void {
  if (app && next) throw new Error('There is a host in this window already: dispose of it first');
  app = next;
}
