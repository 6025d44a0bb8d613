import type { Done, run as english } from '../english/run';
import { report } from './report';
import { numbered, sources } from './writing';

const times = new Intl.DateTimeFormat('de', { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'UTC' });
const costs = new Intl.NumberFormat('de', { style: 'currency', currency: 'USD', maximumFractionDigits: 4 });
const scores = new Intl.NumberFormat('de', { minimumFractionDigits: 1, maximumFractionDigits: 1 });

const of = (amount: number, one: string, more: string): string =>
  amount === 1 ? one : `${numbered(amount)} ${more}`;
const DONE: Readonly<Record<Done, string>> = { read: 'gelesen', checked: 'geprüft', written: 'geschrieben' };
const COUNTED = { sources: 'Quellen', sections: 'Abschnitten', parts: 'Teilen' };

export const run: typeof english = {
  kinds: { report: 'Bericht', answer: 'Antwort', brief: 'Dossier' },
  statuses: {
    queued: 'angenommen',
    running: 'läuft',
    waiting: 'wartet',
    pausing: 'hält an',
    paused: 'angehalten',
    'awaiting-approval': 'wartet auf Zustimmung',
    cancelling: 'wird abgebrochen',
    completed: 'abgeschlossen',
    partial: 'unvollständig',
    cancelled: 'abgebrochen',
    failed: 'gescheitert',
  },
  time: (iso) => `${times.format(new Date(iso))} UTC`,

  labels: {
    run: 'Lauf',
    status: 'Stand',
    at: 'Bei',
    reached: 'Erreicht',
    sources: 'Quellen',
    sections: 'Abschnitte',
    parts: 'Teile',
    waiting: 'Wartet',
    because: 'Grund',
    used: 'Verbrauch',
    started: 'Begonnen',
    warning: 'Warnung',
    warnings: 'Warnungen',
  },
  pass: (n, message) => `Durchgang ${n}: ${message}`,
  passPlace: (n, all) => ` (${n} von ${all})`,
  passOf: (n, all) => (n === 0 ? 'Beginn' : `Durchgang ${n}/${all}`),
  done: (how, done, all) => `${done} von ${all} ${DONE[how]}`,
  doneOf: (what, how, done, all) => `${done} von ${all} ${COUNTED[what]} ${DONE[how]}`,
  now: (section) => `, nun “${section}”`,
  status: (status, elapsed) => `${status}, ${elapsed} seit dem Beginn`,
  waitsFor: (what, since, nextTry) =>
    `auf ${what}${since === null ? '' : ` seit ${since}`}${nextTry === null ? '' : `, nächster Versuch um ${nextTry}`}`,
  waitingFor: (what) => `wartet auf ${what}`,
  used: ({ calls, cachedCalls, inputTokens, outputTokens, costUsd }) =>
    calls === 0
      ? 'kein Aufruf eines Modells'
      : [
          `${of(calls, 'ein Aufruf', 'Aufrufe')} (${cachedCalls} aus dem Zwischenspeicher)`,
          `${numbered(inputTokens + outputTokens)} Tokens`,
          ...(costUsd > 0 ? [costs.format(costUsd)] : []),
        ].join(', '),
  started: (at, news) => `${at}, letzte Nachricht um ${news}`,

  begun: (question) => `Begonnen: ${question}`,
  given: (amount, engine) => `${sources(amount)}, Engine ${engine}`,
  outline: (theme) => `Gliederung: ${theme}`,
  sources,
  read: (title, findings, from, sections) =>
    `${title}: ${of(findings, 'ein Befund', 'Befunde')} aus ${from === 1 ? 'einer Quelle' : sources(from)} · ${sections.read} von ${of(sections.of, 'einem Abschnitt', 'Abschnitten')}`,
  conflict: (n, topic, amount, names) => `Widerspruch ${n}: ${topic} (${sources(amount)}: ${names})`,
  cited: (amount, percent) => `${sources(amount)} zitiert, ${percent} % von allen`,
  audited: (title, told) =>
    `Geprüft “${title}”: ${[
      [
        of(told.claims, 'eine Aussage', 'Aussagen'),
        ...told.verdicts.map(({ verdict, amount }) => `${amount} ${report.setAside.verdicts[verdict]}`),
      ].join(', '),
      ...(told.setAside === 0 ? [] : [`${told.setAside} zurückgestellt`]),
      ...(told.needsRetry ? ['ein weiterer Versuch kann es verbessern'] : []),
    ].join('; ')}.`,
  revised: (title, reason) => `${title} wird noch einmal geschrieben: ${reason}`,
  broughtTogether: (passages, documents) =>
    `${of(passages, 'Eine Stelle', 'Stellen')} aus ${of(documents, 'einem Dokument', 'Dokumenten')} ${passages === 1 ? 'wird' : 'werden'} zusammengeführt`,
  attempt: (n, decision, reason) => `Versuch ${n}: ${DECISIONS[decision] ?? decision}, denn ${reason}`,
  judged: (version, overall, passed) =>
    `Fassung ${version} wurde begutachtet: ${scores.format(overall)} von 5, ${passed ? 'bestanden' : 'nicht bestanden'}`,
  warning: (message) => `Warnung: ${message}`,
  waits: (what, reason) => `Wartet auf ${what}: ${reason}`,
  parked: (reason) => `Angehalten, bis jemand ihn fortsetzt: ${reason}`,
  goesOn: 'Es geht weiter.',
  awaitsApproval: 'Er wartet auf die Zustimmung zu seiner Gliederung.',
  approved: 'Der Gliederung ist zugestimmt.',
  notApproved: 'Niemand hat der Gliederung rechtzeitig zugestimmt: Es geht mit ihr weiter.',
  ended: (status) => `Beendet: ${status}`,
  failed: (message) => `Gescheitert: ${message}`,
  continued: ', Fortsetzung',
  words: (amount) => `geschrieben, ${of(amount, 'ein Wort', 'Wörter')}`,
  anew: (title) => `${title} wird neu geschrieben; was davon zu sehen war, gilt nicht mehr.`,

  page: {
    noResult: {
      report: 'Kein fertiger Bericht',
      answer: 'Keine fertige Antwort',
      brief: 'Kein fertiges Dossier',
    },
    where: 'Wo der Lauf steht',
    left: (status, kind) => `Der Lauf ist beendet (${status}) und hat kein Ergebnis hinterlassen (${kind}).`,
    goesOn: (at, seconds) =>
      `Der Lauf geht weiter. Diese Seite zeigt den Stand vom ${at} und wird alle ${seconds} Sekunden neu geladen: Sie ändert sich, wo “watch --out” sie neu schreibt.`,
    stay: 'So lassen, wie sie ist',
    sections: 'Abschnitte',
    states: {
      'to come': 'kommt noch',
      read: 'gelesen',
      'being written': 'wird geschrieben',
      written: 'geschrieben',
    },
    madeAt: (at) => `Erstellt mit Colligate am ${at}, Lauf `,
  },
};

/** What comes behind an attempt at an answer. */
const DECISIONS: Readonly<Record<string, string>> = {
  rewrite: 'neu schreiben',
  broaden: 'breiter suchen',
  end: 'beenden',
};
