import type { AxeResults } from 'axe-core';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { isFull } from '../tier.js';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * Rules about the page as a whole, which belongs to the app: it has no landmarks, and the headings
 * of several notes. A page of our own must keep them.
 */
const WHOLE_PAGE_RULES = ['heading-order', 'landmark-one-main', 'page-has-heading-one', 'region'];

const DEVICES = [
  ['a desktop', false],
  ['a phone', true],
] as const;

/**
 * Devices on which a screen is checked, each with whether it is mobile. The quick tier checks every
 * screen once.
 */
export const AXE_DEVICES = isFull ? DEVICES : DEVICES.slice(0, 1);
/** Themes in which a screen is checked. */
export const AXE_THEMES = isFull ? (['dark', 'light'] as const) : (['dark'] as const);
/** Widths in CSS pixels at which a screen is checked. */
export const AXE_WIDTHS = isFull ? [1280, 400] : [1280];

declare global {
  interface Window {
    axe: typeof import('axe-core');
  }
}

/** Throws a list of the violations in the page, or in the part that `selector` matches. */
export function expectNoViolations(page: Page, selector?: string): Promise<void> {
  return expectRules(page, selector, WHOLE_PAGE_RULES);
}

/** Throws a list of the violations in a page that is completely ours. */
export function expectNoViolationsInOwnPage(page: Page): Promise<void> {
  return expectRules(page, undefined, []);
}

async function expectRules(
  page: Page,
  selector: string | undefined,
  disabled: readonly string[],
): Promise<void> {
  // the page's policy forbids a script element
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source);
  const rules = Object.fromEntries(disabled.map((id) => [id, { enabled: false }]));
  const { violations } = await page.evaluate(
    ([part, rules]) => window.axe.run(part ?? document, { rules }),
    [selector, rules] as const,
  );
  if (violations.length > 0)
    throw new Error(
      `axe-core finds ${violations.length} kinds of violations:\n${violations.map(tell).join('\n')}`,
    );
}

function tell({ id, help, nodes }: AxeResults['violations'][number]): string {
  const places = nodes.map(({ target, html, failureSummary = '' }) => {
    const why = failureSummary.split('\n').slice(1).join(';').trim();
    return `    ${target.join(' ')}\n      ${html.slice(0, 160)}\n      ${why}`;
  });
  return `  ${id}: ${help}\n${places.join('\n')}`;
}
