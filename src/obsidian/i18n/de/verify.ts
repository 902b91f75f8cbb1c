import type { DeviceAgreement } from '../../../storage/index.js';
import type { commands as english } from '../en/commands.js';
import { counted, number } from './numbers.js';
import { moreFindings } from './pages.js';

/** Texts about a device's last report, which follow the device's name. */
const AGREEMENTS: Record<DeviceAgreement['state'], (here: string, there: string) => string> = {
  agrees: (_, there) =>
    there === '0'
      ? 'stimmt überein: Es hatte keine Ereignisse der anderen, und hier sind keine'
      : `stimmt überein: Es hatte dieselben ${there} Ereignisse der anderen, die hier sind`,
  lags: (here, there) =>
    `liegt zurück: Es hatte ${there} der ${here} Ereignisse der anderen, die aus der Zeit davor hier sind`,
  ahead: (here, there) =>
    `hat mehr: Es hatte ${there} Ereignisse der anderen, und nur ${here} aus der Zeit davor sind hier; beide synchronisieren lassen, dann erneut prüfen`,
  differs: (_, there) =>
    `weicht ab: Es hatte ${there} Ereignisse der anderen, so viele wie hier sind, aber nicht dieselben; beide synchronisieren lassen, dann erneut prüfen`,
};

export const verify: (typeof english)['verify'] = {
  running: 'Alle Dateien werden gelesen…',
  whole: 'Alles ist vollständig',
  wholeText: 'Nichts fehlt, und jeder Stand ist so, wie er gespeichert wurde.',
  notWhole: 'Daten fehlen oder sind beschädigt',
  findingsBelow: 'Die Befunde stehen unten, mit Abhilfe.',
  noticed: 'Soweit bekannt, fehlt nichts',
  empty: 'Noch ist nichts gespeichert',
  emptyText:
    'Der Datenordner enthält keine Ereignisse. Sobald ein Stand gespeichert ist, wird er hier geprüft.',
  failed: 'Das Gedächtnis konnte nicht geprüft werden',
  stopped: 'Die Prüfung wurde angehalten.',
  facts: (events, writers) =>
    `${counted(events, 'Ereignis', 'Ereignisse')} von ${number(writers)} ${writers === 1 ? 'Schreiber' : 'Schreibern'}`,
  digest: 'Prüfsumme',
  digestHint: 'Zwei Geräte mit derselben Prüfsumme enthalten dasselbe.',
  details: 'Details',
  dismiss: 'Auf diesem Gerät nicht mehr melden',
  recover: 'Zurückholen',
  recovered: (count) => `${number(count)} Ereignisse wurden zurückgeholt.`,
  merge: 'Hinzufügen',
  merged: (count) =>
    `${number(count)} Ereignisse wurden hinzugefügt. Der andere Ordner bleibt, wie er ist.`,
  whatToDo: 'Was zu tun ist',
  first: (detail) => `zuerst ${detail}`,
  more: (count) => `und ${number(count)} weitere; der kopierte Bericht enthält alle`,
  writers: 'Schreiber',
  devices: 'Letzte Meldung jedes Geräts',
  columns: { writer: 'Schreiber', lane: 'Spur', held: 'Vorhanden', notes: 'Anmerkungen' },
  heldOf: (held, claimed) => `${number(held)} von ${number(claimed)}`,
  missing: (ranges) => `es fehlen ${ranges}`,
  forked: (count) => `${number(count)} doppelt vergeben`,
  retired: (count) => `${number(count)} entfernt`,
  nothingMissing: 'vollständig',
  findings: {
    restorable: {
      means: 'Ereignisse, die hier fehlen und von denen dieses Gerät Kopien hat',
      advice:
        '„savepoint verify --heal“ stellt sie sofort wieder her; sonst tut Savepoint es innerhalb von zwei Minuten, solange es läuft.',
    },
    apart: {
      means:
        'Ereignisse, die nicht im Datenordner sind, aber in einem Ordner daneben, als wäre der Datenordner umbenannt worden',
      advice:
        'Gehören sie zu diesem Gedächtnis, sie hinzufügen, hier mit „Hinzufügen“ oder mit „savepoint verify --recover ORDNER“; sonst diesen Ordner woandershin verschieben.',
    },
    uncopied: {
      means: 'Ereignisse, die hier sind, aber auf diesem Gerät nicht kopiert werden konnten',
      advice:
        'Auf dem Datenträger mit den Daten von Savepoint Platz schaffen, dann „savepoint verify --heal“ ausführen; ohne Kopien kann dieses Gerät sie nicht wiederherstellen.',
    },
    removed: {
      means:
        'Ereignisse eines Gedächtnisses, das als Ganzes aus diesem Vault entfernt wurde und von dem dieses Gerät Kopien hat',
      advice:
        'Wurde der Ordner nicht mit Absicht entfernt, das Gedächtnis zurückholen, hier oder mit „savepoint verify --recover ID“; sonst auf diesem Gerät nicht mehr melden.',
    },
    replaced: {
      means:
        'Ereignisse, die nicht hier sind, während andere mit denselben Nummern es sind, etwa nach dem Einspielen einer Sicherung oder wenn Zeilen neu geschrieben wurden',
      advice:
        'Alle Geräte synchronisieren lassen, dann erneut prüfen; ein Gerät, das sie noch hat, stellt sie wieder her, ebenso der Import eines Exports; wurde keine Sicherung eingespielt, nachsehen, wer in diesen Vault schreiben kann.',
    },
    duplicate: {
      means: 'Ereignisse, die etwas ein zweites Mal erstellen und nicht wirken',
      advice:
        'Savepoint schreibt solche Zeilen nie: nachsehen, wer in diesen Vault schreiben kann und ob der wirksame Eintrag der richtige ist.',
    },
    impossible: {
      means:
        'Ereignisse, die entfernen sollen, was so nicht entfernt wird, die weit mehr erwähnen, als geschrieben sein kann, oder von denen mehr als 100 zugleich einen Wert setzen',
      advice:
        'Savepoint schreibt solche Zeilen nie: nachsehen, wer in diesen Vault schreiben kann; ein neuer Wert ersetzt die anderen.',
    },
    forgery: {
      means:
        'Ereignisse, die Zeilen löschen sollen, deren Inhalt sie nicht kennen, und nichts löschen',
      advice:
        'Savepoint schreibt solche Zeilen nie: nachsehen, wer in diesen Vault schreiben kann, und sie mit „savepoint forget --refuse ID“ ablehnen, damit die Zeilen wieder zu sehen sind.',
    },
    stub: {
      means: 'Ereignisse, deren Inhalt entfernt wurde, obwohl niemand ihn löschen ließ',
      advice:
        'Alle Geräte synchronisieren lassen, dann erneut prüfen; bleiben sie, stellt ein Gerät mit Kopien sie wieder her; nachsehen, wer in diesen Vault schreiben kann.',
    },
    ...moreFindings,
    future: {
      means: 'Ereignisse, die mehr als einen Tag in der Zukunft liegen',
      advice:
        'Die Uhr des Geräts prüfen, das sie geschrieben hat. Sie wirken, spätere Änderungen gehen vor, und neue Einträge erhalten das richtige Datum.',
    },
    misplaced: {
      means: 'Zeilen im Ordner einer anderen Art von Zeilen',
      advice: 'Sie wirken, also ist nichts zu tun.',
    },
    healed: {
      means:
        'Zeilen, die verändert oder beschädigt wurden und deren Originale hier sind und wirken',
      advice:
        'Es ist nichts zu tun; hat sie niemand mit Absicht verändert, nachsehen, wer in diesen Vault schreiben kann.',
    },
    missing: {
      means: 'Ereignisse, die geschrieben wurden und nicht hier sind',
      advice:
        'Alle Geräte synchronisieren lassen, dann erneut prüfen; eine Kopie der fehlenden Datei in ihrem Ordner (core, chat oder trace) behebt es, unter beliebigem Namen, ebenso der Import eines Exports.',
    },
    content: {
      means: 'Stände, die nicht das sind, was gespeichert wurde, denn ihr Hash passt nicht',
      advice:
        'Ihnen in nichts Wichtigem vertrauen und nachsehen, wer in diesen Vault schreiben kann; der nächste unter neuem Namen gespeicherte Stand ist in Ordnung.',
    },
    stray: {
      means:
        'Stände oder Einträge eines Arbeitsbereichs, der nicht hier ist, sodass keine Liste sie zeigt',
      advice:
        'Sie sind sicher und erscheinen wieder, sobald die Zeile zurück ist, die ihren Arbeitsbereich erstellt hat: alle Geräte synchronisieren lassen oder einen Export importieren.',
    },
    edited: {
      means: 'Zeilen, die von Hand oder von einem Programm verändert wurden und nicht wirken',
      advice:
        'Die Datei wieder so herstellen, wie sie war, von einem anderen Gerät oder aus einer Sicherung; dann zählt wieder, was die Zeile vorher sagte.',
    },
    damaged: {
      means: 'Zeilen, die abgerissen oder beschädigt sind und nicht wirken',
      advice:
        'Fehlt nichts, ist alles aus ihnen in einer anderen Kopie hier, und es ist nichts zu tun; sonst die Datei von einem anderen Gerät oder aus einer Sicherung holen.',
    },
    waiting: {
      means:
        'Dateien, aus denen jetzt nichts gelesen werden kann oder die noch nicht heruntergeladen sind',
      advice:
        'Sie vom Synchronisationsdienst herunterladen lassen oder diesem Programm das Lesen erlauben, dann erneut prüfen; bleibt eine ohne Zeilen, sie von einem anderen Gerät oder aus einer Sicherung holen oder, wenn es keine gibt, aus dem Datenordner nehmen.',
    },
    newer: {
      means: 'Zeilen, die ein neueres Savepoint geschrieben hat und dieses nicht versteht',
      advice:
        'Sie sind sicher und zählen wieder, sobald Savepoint auf diesem Gerät aktualisiert ist.',
    },
    fork: {
      means:
        'Ereignisse mit einer Nummer, die auch ein anderes trägt, etwa nachdem ein Vault kopiert oder zurückgesetzt wurde',
      advice:
        'Alle zählen, also ist nichts zu tun; geht es weiter, darauf achten, dass nicht zwei Computer denselben Zustandsordner benutzen.',
    },
    marker: {
      means: 'Zeilen, die Git nach einem Konflikt hinterlassen hat und die nicht wirken',
      advice:
        'Durch sie geht nichts verloren; den Konflikt in Git auflösen und dabei die Zeilen beider Seiten behalten.',
    },
    foreign: {
      means: 'Zeilen, die keine Ereignisse dieses Protokolls sind und nicht wirken',
      advice:
        'Nichts hängt von ihnen ab; stammt eine Datei nicht von Savepoint, sie aus dem Datenordner nehmen.',
    },
    pending: {
      means: 'letzte Zeilen, die noch nicht vollständig sind',
      advice:
        'Ein anderes Gerät schreibt oder synchronisiert vielleicht noch: später erneut prüfen; bleibt eine Zeile so, wurde sie nie bestätigt, oder sie wird als fehlend gemeldet.',
    },
    dismissed: {
      means:
        'Ereignisse, die nicht hier sind und die du auf diesem Gerät nicht mehr gemeldet haben willst',
      advice: 'Es ist nichts zu tun; tauchen sie auf, wirken sie.',
    },
    retired: {
      means: 'Ereignisse, die mit Absicht entfernt wurden',
      advice: 'Es ist nichts zu tun.',
    },
  },
  agreement: ({ state, here, there }) => AGREEMENTS[state](number(here), number(there)),
  copy: 'Bericht kopieren',
  copied: 'Bericht kopiert.',
  again: 'Erneut prüfen',
};
