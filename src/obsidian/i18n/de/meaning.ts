import type { meaning as english } from '../en/meaning.js';
import { counted, number } from './numbers.js';

const notes = (count: number) => counted(count, 'Notiz', 'Notizen');
const texts = (count: number) => counted(count, 'Text', 'Texte');
const tokens = (count: number) => counted(count, 'Token', 'Tokens');

export const meaning: typeof english = {
  name: 'Semantische Suche',
  desc: 'Ein eigenes Embedding-Modell anstelle des eingebauten verwenden.',
  about: 'Wie die semantische Suche funktioniert',
  aboutDesc:
    'Das eingebaute Modell versteht Englisch und läuft auf diesem Gerät. Ein eigenes Embedding-Modell kann mehr wissen und weitere Sprachen verstehen. Dazu wird der Text jeder durchsuchten Notiz einmal an seinen Server gesendet, nach jeder Änderung erneut, und ebenso die Anfragen der Suchwerkzeuge. Was du in „Notizen durchsuchen“ eingibst, wird nicht gesendet. Standardmäßig aus; gilt nur für dieses Gerät.',
  protocol: {
    name: 'Server',
    desc: 'Ollama läuft auf dem eigenen Computer. OpenAI-kompatibel sind die meisten anderen.',
  },
  protocols: { ollama: 'Ollama', openai: 'OpenAI-kompatibel' },
  address: {
    name: 'Adresse',
    desc: 'Zum Beispiel http://localhost:11434 für Ollama oder https://api.openai.com/v1.',
  },
  model: {
    name: 'Embedding-Modell',
    desc: 'Zum Beispiel nomic-embed-text für Ollama oder text-embedding-3-small für OpenAI.',
  },
  key: {
    name: 'Schlüssel',
    desc: 'Falls der Server einen verlangt. Obsidian bewahrt ihn auf diesem Gerät auf, nicht im Vault.',
  },
  test: {
    name: 'Testen',
    desc: 'Sendet einen Test mit einem Wort.',
    works: (length) => `Es funktioniert: Vektoren mit ${number(length)} Dimensionen.`,
  },
  incomplete: 'Bitte zuerst eine Adresse und ein Modell angeben.',
  silent: (seconds) =>
    `Der Embedding-Server hat nicht innerhalb von ${seconds} Sekunden geantwortet.`,
  status: {
    name: 'Alle Notizen indizieren',
    noModel: 'Kein Modell gewählt. Das eingebaute Modell wird verwendet.',
    count: 'Zählen',
    begin: 'Starten',
    ahead: (count, parts, words) =>
      `Zu senden: ${notes(count)} in etwa ${texts(parts)}, ungefähr ${tokens(words)}.`,
    stopped: (done, total) =>
      `Aus. ${number(done)} von ${notes(total)} sind indiziert und bleiben erhalten. Das eingebaute Modell wird verwendet.`,
    working: (done, total) => `Wird indiziert: ${number(done)} von ${notes(total)}.`,
    ready: (done) => `Bereit: ${notes(done)} indiziert. Änderungen werden automatisch indiziert.`,
    sent: (parts, words) => `Gesendet seit dem Start: ${texts(parts)}, ${tokens(words)}.`,
  },
  outflow: {
    name: 'Gesendet für die semantische Suche',
    off: 'Nichts: Auf diesem Gerät wird kein eigenes Modell verwendet.',
    on: (address) =>
      `Der Text der durchsuchten Notizen und die Anfragen der Suchwerkzeuge gehen an ${address} und nirgendwohin sonst.`,
  },
};
