import type { ExampleSpec } from '../../../toolkit/define-tool.js';

type Call = NonNullable<ExampleSpec['before']>[number];

const create = (params: Call['params']): Call => ({ tool: 'createRecord', params });

/** Setup calls that the examples of several tools share. */
export const createLaunch = create({ resource: 'phase', title: 'Launch' });
export const createTests = create({ resource: 'issue', title: 'Load tests' });
export const createCart = create({ resource: 'issue', title: 'Build the cart' });
export const decideOnCookies = create({ resource: 'decision', title: 'Use cookies' });
export const decideOnJwt = create({ resource: 'decision', title: 'Use JWT' });
export const planJwt = create({ resource: 'issue', title: 'Use JWT' });
export const testsNeedCart = create({
  resource: 'dependency',
  from: 'Load tests',
  to: 'Build the cart',
});
