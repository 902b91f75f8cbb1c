import { Refusal } from '../../model/refusal.js';

/** The one place that writes to the developer console: faults of the program, and what failed in the background. */
export function report(error: unknown): void {
  if (error instanceof Refusal || typeof error === 'string')
    console.warn('Savepoint:', error instanceof Refusal ? error.message : error);
  else console.error('Savepoint:', error);
}
