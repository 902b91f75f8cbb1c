import type { pages as english } from '../en/pages.js';

export const pages: typeof english = {
  headings: { memory: 'Gedächtnis', search: 'Suche' },
  advanced: { name: 'Erweitert', desc: 'Werkzeuge für Agenten und Apps.' },
  agents: {
    name: 'Agenten',
    desc: 'Was Agenten im Chat tun dürfen.',
    allowed: 'Werkzeuge, die ohne Nachfrage schreiben dürfen',
    allowedEmpty:
      'Keine: Jedes Werkzeug, das schreibt, fragt zuerst, außer wenn es in einer Unterhaltung erlaubt wurde.',
  },
  excludedVault: {
    name: 'Der ganze Vault',
    desc: 'Ein Eintrag, vielleicht einer neueren Version, wird nicht verstanden; deshalb wird nichts durchsucht. Aktualisiere Savepoint oder entferne ihn.',
  },
};
