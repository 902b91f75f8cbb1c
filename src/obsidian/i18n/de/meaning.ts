import type { meaning as english } from '../en/meaning.js';
import { counted, number } from './numbers.js';

const notes = (count: number) => counted(count, 'Notiz', 'Notizen');
const texts = (count: number) => counted(count, 'Text', 'Texte');
const tokens = (count: number) => counted(count, 'Token', 'Tokens');

export const meaning: typeof english = {
  name: 'Suche nach Bedeutung',
  desc: 'Ein eigenes Modell anstelle der Tabelle, die Savepoint mitbringt.',
  about: 'Wie Notizen nach ihrer Bedeutung gefunden werden',
  aboutDesc:
    'Savepoint bringt eine kleine Tabelle mit, die die Bedeutung englischer Wörter kennt; dafür verlässt nichts dieses Gerät. Ein eigenes Embedding-Modell weiß mehr und versteht weitere Sprachen. Dazu wird der Text jeder durchsuchten Notiz einmal an seinen Server gesendet, nach jeder Änderung erneut, und ebenso jede Suchanfrage. Aus, bis es begonnen wird; gilt nur für dieses Gerät.',
  protocol: {
    name: 'Server',
    desc: 'Ollama läuft auf dem eigenen Computer. OpenAI-kompatibel sind die meisten anderen.',
  },
  protocols: { ollama: 'Ollama', openai: 'OpenAI-kompatibel' },
  address: {
    name: 'Adresse',
    desc: 'Zum Beispiel http://localhost:11434 für Ollama oder https://api.openai.com/v1.',
  },
  badAddress: 'Bitte eine Adresse angeben, die mit http:// oder https:// beginnt.',
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
    desc: 'Sendet ein einziges Wort.',
    button: 'Testen',
    works: (length) => `Es antwortet: Vektoren aus ${number(length)} Zahlen.`,
  },
  nothingChosen: 'Bitte zuerst eine Adresse und ein Modell angeben.',
  silent: (seconds) =>
    `Der Embedding-Server hat nicht innerhalb von ${seconds} Sekunden geantwortet.`,
  status: {
    name: 'Das Modell zu jeder Notiz befragen',
    noModel: 'Kein Modell gewählt. Die Tabelle wird verwendet.',
    count: 'Zählen',
    begin: 'Beginnen',
    stop: 'Stopp',
    ahead: (count, parts, words) =>
      `Zu senden: ${notes(count)} in etwa ${texts(parts)}, ungefähr ${tokens(words)}.`,
    stopped: (done, total) =>
      `Aus. Für ${number(done)} von ${notes(total)} liegen Antworten vor; sie bleiben erhalten. Die Tabelle wird verwendet.`,
    working: (done, total) =>
      `Läuft: Für ${number(done)} von ${notes(total)} liegen Antworten vor.`,
    ready: (done) =>
      `Bereit: Antworten für ${notes(done)}. Was sich ändert, wird von selbst nachgefragt.`,
    sent: (parts, words) => `Gesendet seit dem Start: ${texts(parts)}, ${tokens(words)}.`,
  },
  outflow: {
    name: 'Gesendet, um Notizen nach Bedeutung zu finden',
    off: 'Nichts: Auf diesem Gerät wird kein eigenes Modell verwendet.',
    on: (address) =>
      `Der Text der durchsuchten Notizen und jede Suchanfrage gehen an ${address}; an niemanden sonst.`,
  },
};
