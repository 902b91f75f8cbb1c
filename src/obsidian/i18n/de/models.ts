import type { failures as englishFailures, models as englishModels } from '../en/models.js';
import { counted } from './numbers.js';

export const failures: typeof englishFailures = {
  said: (words) => ` Antwort des Anbieters: „${words}“`,
  again: 'In einer Minute erneut versuchen.',
  againIn: (seconds) => `In ${seconds} Sekunden erneut versuchen.`,
  key: (provider) =>
    `${provider} nimmt den Schlüssel nicht an. Ihn unter Einstellungen, Savepoint, Modelle prüfen.`,
  tooLong: (model) =>
    `Die Unterhaltung ist zu lang für ${model}. Einen Stand speichern und in einer neuen Unterhaltung weitermachen.`,
  quota: (provider) =>
    `${provider} hat für diesen Schlüssel kein Guthaben mehr. Dort welches hinzufügen oder einen anderen Anbieter wählen.`,
  model: (provider, model) =>
    `${provider} kennt das Modell „${model}“ nicht. Bitte eines aus der Liste wählen.`,
  tooMuch: (provider) => `Die Nachricht ist zu lang für ${provider}. Weniger auf einmal senden.`,
  tooMany: (provider, again) =>
    `${provider} begrenzt gerade die Anfragen dieses Schlüssels. ${again}`,
  overloaded: (provider, again) => `${provider} ist überlastet. ${again}`,
  broken: (provider, status, again) => `Serverfehler bei ${provider} (${status}). ${again}`,
  refused: (provider, status) =>
    `${provider} hat die Anfrage abgelehnt (${status}). Ein anderes Modell wählen oder erneut versuchen.`,
  images: (provider, status, model) =>
    `${provider} hat die Nachricht mit dem Bild abgelehnt (${status}): ${model} nimmt vielleicht keine Bilder an. Ein anderes Modell wählen oder ohne das Bild noch einmal schreiben.`,
  noImages: (model) =>
    `${model} nimmt keine Bilder an. Ein anderes Modell wählen oder das Bild weglassen.`,
  unfitImage: (name) =>
    `„${name}“ lässt sich nicht senden: nur PNG, JPEG, GIF oder WebP bis 3,5 MB, nicht aus ausgeschlossenen Ordnern.`,
  heldBack:
    'Der Anbieter hat die Antwort nach eigenen Regeln zurückgehalten. Bitte anders formulieren.',
  local: (provider, url) =>
    `${provider} antwortet nicht unter ${url}. Starten; läuft es schon, Anfragen von Obsidian zulassen (für Ollama: OLLAMA_ORIGINS=app://obsidian.md*).`,
  offline: 'Dieses Gerät ist offline. Eine Verbindung herstellen und erneut versuchen.',
  unreachable: (provider) =>
    `${provider} ist von hier nicht erreichbar: Das Netz, eine Firewall oder eigene Regeln (CORS) verhindern es. Die Adresse prüfen, dann erneut versuchen.`,
};

export const models: typeof englishModels = {
  name: 'Modelle',
  desc: 'KI-Anbieter, Schlüssel und Modelle für den Chat.',
  preferred: {
    name: 'Modell für neue Unterhaltungen',
    desc: 'Jede Unterhaltung kann mit einem anderen weitergehen.',
  },
  add: 'Modell einrichten',
  provider: 'Anbieter',

  keyDesc: (where) =>
    `Liegt im geheimen Speicher von Obsidian auf diesem Gerät, niemals in einer Datei des Vaults. Erhältlich unter ${where}.`,
  keyOptional:
    'Nur, wenn der Server einen verlangt. Liegt im geheimen Speicher von Obsidian auf diesem Gerät, niemals in einer Datei des Vaults.',
  addressDesc: 'Wo seine OpenAI-kompatible API liegt, zum Beispiel http://localhost:11434/v1.',
  badAddress: 'Bitte eine Adresse angeben, die mit http:// oder https:// beginnt.',
  model: 'Modell',
  modelDesc: 'Ein angebotenes auswählen oder den Namen eines anderen eingeben.',
  modelPlaceholder: 'Name eines Modells',
  load: 'Modelle laden',
  loading: 'Wird geladen…',
  loaded: (count) => `${counted(count, 'Modell', 'Modelle')} im Angebot.`,
  inUse: (model) => `${model} wird verwendet. Ein anderes Modell lässt sich auswählen.`,
  testing: 'Wird getestet…',
  works: (model) => `Es funktioniert: ${model} hat geantwortet.`,
  done: 'Fertig',
  notSetUp: 'Nicht eingerichtet',
  none: 'Es ist noch kein Modell eingerichtet. Einen Anbieter hinzufügen, dann erneut versuchen.',
  noKey: (provider, where) =>
    `Auf diesem Gerät liegt kein Schlüssel für ${provider}. Erhältlich unter ${where}; dann unter „Modelle“ eintragen.`,
  noAddress: (provider) => `Die Adresse von „${provider}“ fehlt. Bitte unter „Modelle“ eintragen.`,
  noList: (provider) =>
    `${provider} hat keine Liste von Modellen geliefert. Die Adresse prüfen oder den Namen eines Modells eingeben.`,
  chooseModel: 'Zuerst ein Modell auswählen oder den Namen eines anderen eingeben.',
  silent: (provider, seconds) =>
    `${provider} hat nicht innerhalb von ${seconds} Sekunden geantwortet. Prüfen, ob der Anbieter läuft, dann erneut versuchen.`,
};
