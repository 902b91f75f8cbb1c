import { Refusal } from '../../model/refusal.js';

/**
 * Writes bugs and failures of background work to the developer console. Nothing else writes there.
 */
export function report(error: unknown): void {
  if (error instanceof Refusal || typeof error === 'string')
    console.warn('Savepoint:', error instanceof Refusal ? error.message : error);
  else console.error('Savepoint:', error);
}
