import { beforeEach, inject } from 'vitest';

beforeEach(({ skip }) => skip(inject('chromium') === ''));
