import type { forget as english } from '../en/forget.js';
import { counted } from './numbers.js';

export const forget: typeof english = {
  action: 'Vergessen…',
  deleteConversation: 'Unterhaltung löschen…',
  earlierAction: 'Frühere Texte vergessen…',
  earlierTitle: (name) => `Vergessen, was früher in „${name}“ stand?`,
  nothingEarlier:
    'Alles, was je darin stand, steht noch darin. Ändere es zuerst; dann lassen sich die früheren Texte hier entfernen.',
  earlierForgotten: (name) => `Was früher in „${name}“ stand, ist endgültig entfernt.`,
  title: (name) => `„${name}“ vergessen?`,
  deleteTitle: (name) => `Unterhaltung „${name}“ löschen?`,
  looking: 'Alles, was diesen Text enthält, wird gesucht…',
  gone: 'Das ist nicht mehr hier. Hat ein anderes Gerät es entfernt, steht es unter Einstellungen → Speicher → Löschanfragen.',
  intro: 'Das wird endgültig entfernt:',
  related: 'Das enthält den Text oder wurde darin gespeichert. Es bleibt, außer du wählst es aus:',
  where:
    'Es wird aus diesem Vault entfernt und aus allem, was Savepoint auf diesem Gerät aufbewahrt. Deine anderen Geräte blenden es nach dem Synchronisieren aus und entfernen es, sobald du dort zustimmst, oder nachdem sie an sieben Tagen darauf hingewiesen haben.',
  notPromised:
    'Backups, Sync-Dienste und Obsidian können ältere Fassungen aufbewahren, KI-Apps und Anbieter das, was sie gelesen haben. Notizen und Dateien, die Agenten in den Vault geschrieben haben, gehören dir: Lösche sie selbst. Ist es ein Passwort, ändere es.',
  final: 'Das kann nicht rückgängig gemacht werden.',
  forget: 'Vergessen',
  delete: 'Löschen',
  running: 'Wird entfernt…',
  forgotten: (name) => `„${name}“ endgültig entfernt.`,
  waiting: (count) =>
    `${counted(count, 'Datei ist', 'Dateien sind')} noch bei einem anderen Programm oder Gerät in Gebrauch. Der Rest wird entfernt, wenn es das nächste Mal läuft, oder nach zwei Tagen.`,
  remaining: (count, files) =>
    `${counted(count, 'andere Datei', 'andere Dateien')} im Vault ${count === 1 ? 'enthält' : 'enthalten'} den Text noch; Savepoint lässt ${count === 1 ? 'sie' : 'sie alle'}, wie sie ${count === 1 ? 'ist' : 'sind'}: ${files}.`,
  named: {
    'ws.new': (name) =>
      `Was früher in den Feldern des Arbeitsbereichs „${name}“ stand; er bleibt, wie er jetzt ist`,
    workspace: (name) => `Der Arbeitsbereich „${name}“ mit allem, was darin ist`,
    'state.new': (name) => `Stand „${name}“`,
    'record.new': (name) => `Eintrag „${name}“`,
    'conv.new': (name) => `Unterhaltung „${name}“`,
  },
  kinds: {
    'state.new': (count) => counted(count, 'Kopie in einem anderen Arbeitsbereich', 'Kopien'),
    'record.new': (count) =>
      counted(count, 'damit gespeicherter Eintrag', 'damit gespeicherte Einträge'),
    'msg.new': (count) => counted(count, 'Chat-Nachricht', 'Chat-Nachrichten'),
    'trace.new': (count) => counted(count, 'Werkzeugaufruf', 'Werkzeugaufrufe'),
    'pin.new': (count) => counted(count, 'angehefteter Eintrag', 'angeheftete Einträge'),
    session: (count) =>
      counted(count, 'gespeicherte Fassung einer Sitzung', 'gespeicherte Fassungen einer Sitzung'),
  },
  message: (count) =>
    `Diese Nachricht mit ihrer Antwort, in ${counted(count, 'gespeicherten Fassung', 'gespeicherten Fassungen')} der Sitzung`,
  other: (count) => counted(count, 'weiterer Eintrag', 'weitere Einträge'),
  pick: {
    enter: 'um zu sehen, was entfernt wird',
    empty: 'Es gibt keinen Stand.',
  },
  requests: {
    name: 'Löschanfragen',
    desc: 'Was deine anderen Geräte endgültig entfernen wollen.',
    review: 'Ansehen',
    notice: (device, count) =>
      `${device} will ${counted(count, 'Eintrag', 'Einträge')} endgültig entfernen. Hier wird das ausgeblendet und entfernt, nachdem du an sieben Tagen darauf hingewiesen wurdest, außer du lehnst ab.`,
    none: 'Nichts wartet auf deine Entscheidung.',
    waiting: (count) =>
      `${counted(count, 'Anfrage wartet', 'Anfragen warten')} auf deine Entscheidung.`,
    reading: 'Es wird gesucht, was es war…',
    unknown:
      'Dieses Gerät hat davon keine Kopie mehr. Ablehnen würde deshalb nichts zurückbringen.',
    due: (days) =>
      `Auf diesem Gerät ausgeblendet. Es wird hier entfernt, nachdem du an sieben Tagen darauf hingewiesen wurdest (bisher ${days}), außer du lehnst ab.`,
    kept: 'Du hast abgelehnt. Dieses Gerät zeigt es, soweit es Kopien hat; deine anderen Geräte nicht.',
    agree: 'Jetzt zustimmen',
    refuse: 'Ablehnen',
    agreed: (count) =>
      count === 0
        ? 'Davon war auf diesem Gerät nichts mehr vorhanden.'
        : `Endgültig von diesem Gerät entfernt: ${counted(count, 'Zeile', 'Zeilen')} des Protokolls.`,
    refused: 'Bleibt auf diesem Gerät, soweit es Kopien hat. Deine anderen Geräte zeigen es nicht.',
  },
};
