import { findInAddresses } from './addresses.js';
import { findNamed } from './assignments.js';
import { findInCalls, findInCommands } from './commands.js';
import { findCodes } from './codes.js';
import { findCookies, findSchemes } from './headers.js';
import { findAddresses, findPrefixed, findWebTokens } from './known-forms.js';
import { findInPhrases } from './phrases.js';
import { findPrivateKeys } from './private-keys.js';
import type { AddSpan } from './characters.js';
import { findInManifests, findInTables } from './tables.js';

/** Rules, each of which takes linear time. They read a text without escapes; see `unescaped`. */
export const RULES: readonly ((text: string, add: AddSpan) => void)[] = [
  findPrivateKeys,
  findPrefixed,
  findWebTokens,
  findAddresses,
  findInAddresses,
  findSchemes,
  findCookies,
  findCodes,
  findInCommands,
  findInCalls,
  findInTables,
  findInManifests,
  findInPhrases,
  findNamed,
];
