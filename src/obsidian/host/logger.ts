import { Refusal } from '../../model/refusal.js';
import { text } from '../i18n/index.js';

/** Writes bugs and failures of background work to the console; nothing else writes there. */
export function report(error: unknown): void {
  if (error instanceof Refusal || typeof error === 'string')
    console.warn('Savepoint:', error instanceof Refusal ? error.message : error);
  else console.error('Savepoint:', error);
}

/** Returns the message of an error; logs it if it is a bug. */
export function faultText(error: unknown): string {
  if (error instanceof Refusal) return error.message;
  report(error);
  return text.general.fault;
}
