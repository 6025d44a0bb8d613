import type { Verdict } from '../../contracts/verification/claim-verdict';
import type { Bearing, Fate, report as english } from '../english/report';
import { inRange, inSeries, numberWord, score, sources } from './writing';

export const report: typeof english = {
  headings: {
    summary: 'Zusammenfassung',
    conflicts: 'Widersprüchliche Belege',
    gaps: 'Wissenslücken',
    confidence: 'Verlässlichkeit',
    followUps: 'Weiterführende Fragen',
    evidence: 'Belege',
    sources: 'Quellen',
  },
  effects: {
    disputed: 'Umstritten',
    effect: 'Eine Wirkung',
    none: 'Keine Wirkung',
    else: 'Außerdem berichtet',
  },
  bestQuote: 'Bestes Zitat',
  nearestQuote: 'Nächstliegendes Zitat',
  disputed: (topics, more) => `Umstritten: ${topics.join('; ')}${more === 0 ? '' : `; und ${more} weitere`}.`,
  missing: (questions) => `Es fehlt: ${questions.join('; ')}.`,
  leftOpen: (quote, cited) => `Offen bleibt: ${quote} ${cited}.`,
  noGap: 'Es wurde keine gefunden.',
  nothingFound: (isEndedEarly) =>
    `Zu diesem Abschnitt wurde nichts gefunden${isEndedEarly ? ', bevor der Lauf endete' : ''}.`,
  noAnswer: (amount) =>
    `In ${amount === 1 ? 'der einen Quelle, die' : `den ${amount} Quellen, die`} dem Bericht vorlag${amount === 1 ? '' : 'en'}, wurde keine Antwort gefunden; er hat daher keine Abschnitte.`,
  nearest: (named) => `Am nächsten kommen: ${named.join(', ')}.`,

  noSource: 'Keine Quelle ist zitiert.',
  accessed: (date) => `Abgerufen am ${date}.`,
  authoritative: 'Maßgeblich',
  general: 'Allgemein',
  summaryOnly: 'Nur als Zusammenfassung gelesen.',
  abstractOnly: 'Nur der Abstract.',
  versionOf: (n) => `Eine andere Fassung von [${n}].`,
  retracted: 'Zurückgezogen.',

  searched: ({ indexes, queries, found, read, abstracts, unread, rounds }) => {
    const how = `${queries === 1 ? 'einer Anfrage' : `${queries} Anfragen`}${rounds === 1 ? '' : ` in ${rounds} Runden`}`;
    const partly = abstracts === 0 ? '' : `, davon ${abstracts} nur im Abstract`;
    const others = unread === 0 ? '' : `; ${unread} nicht, jeder mit dem Grund aufgeführt in report.json`;
    return `Gesucht: ${inSeries(indexes)}, mit ${how}. Von ${found} Funden ${read === 1 ? 'wurde einer' : `wurden ${read}`} gelesen${partly}${others}.`;
  },
  retractedCited: (titles) =>
    `Zurückgezogen, wie die durchsuchten Verzeichnisse sagen: ${inSeries(titles.map((title) => `„${title}“`))}.`,

  noClaim: 'Der Bericht trifft keine Aussage: 0 von 0.',
  allQuotes: (quotes, counting) => {
    const all = quotes + counting;
    const counts = counting === 0 ? '' : `, ${counting === 1 ? 'eine Zählung' : `${counting} Zählungen`}`;
    return `${all} von ${all} Aussagen ${all === 1 ? 'steht' : 'stehen'} an der angegebenen Stelle (${quotes === 1 ? 'ein Zitat' : `${quotes} Zitate`}${counts}); das sagt nichts darüber, wie gut sie die Frage ${all === 1 ? 'beantwortet' : 'beantworten'}.`;
  },
  allSupported: (claims, by) =>
    claims === 1
      ? 'Die eine Aussage ist durch das belegt, worauf sie verweist: 1 von 1.'
      : `Alle ${claims} Aussagen sind belegt durch ${BEARING[by].accusative}: ${claims} von ${claims}.`,
  claimsHeld: (claims, by, counts, became) => {
    const told = counts.map(({ verdict, amount }) =>
      verdict === 'supported'
        ? `${amount} belegt (${amount} von ${claims})`
        : `${amount} ${VERDICTS[verdict]}`,
    );
    return `${claims === 1 ? 'Eine Aussage wurde' : `${claims} Aussagen wurden`} geprüft an ${BEARING[by].dative}: ${told.join(', ')}.${became}`;
  },
  claimsOpen: (open, fates, asides) => {
    const isOne = fates.length === 1;
    const told = fates.map(({ fate, amount }) => {
      const what = FATES[fate][amount === 1 ? 0 : 1];
      return isOne ? what : `${amount} ${what}`;
    });
    const which =
      open === 1 ? 'Die eine nicht belegte' : `${isOne ? 'Die' : 'Von den'} ${open} nicht belegten`;
    return ` ${which} ${inSeries(told)}${asides}.`;
  },
  asidesListed: (parts) => {
    const amount = parts.reduce((sum, part) => sum + part.amount, 0);
    const told = inSeries(parts.map((part) => `${part.amount} in ${part.part}`));
    return `; zurückgestellt: ${told}, aufgeführt mit ${amount === 1 ? 'dem Grund' : 'den Gründen'} in report.json und in der Datei “set-aside” daneben`;
  },
  citesFew: ({ cited, most, wanted, isOfBearing }) => {
    const which = most === 1 ? 'einer Quelle' : `${most} Quellen`;
    const bearing = isOfBearing ? ' zu seiner Frage' : '';
    return `Dieser Bericht zitiert ${cited === 0 ? 'keine' : cited} von ${which}${bearing}; gewünscht waren ${wanted}.`;
  },

  nothingToAssess: 'Es gibt keinen Befund zu beurteilen.',
  assessed: (confidence, what, support) => `${confidence}: ${what} – gestützt auf ${support}`,
  assessedFindings: (amount) => (amount === 1 ? 'ein Befund' : `${numberWord(amount)} Befunde`),
  assessedCounts: (amount) =>
    amount === 1 ? 'eine Zählung von Ergebnissen' : `${numberWord(amount)} Zählungen von Ergebnissen`,
  support: (all, authoritative, isEach) => {
    const each = isEach ? 'je ' : '';
    if (authoritative > 0 && authoritative < all)
      return `${each}${sources(all)}, davon ${authoritative === 1 ? 'eine' : authoritative} maßgeblich`;
    const kind = authoritative === 0 ? 'allgemeine' : 'maßgebliche';
    return `${each}${all === 1 ? `eine ${kind} Quelle` : `${all} ${kind} Quellen`}`;
  },
  supportOfCount: (all, isEach) => `${isEach ? 'je ' : ''}${sources(all)}`,
  noneReaches: (threshold, listed, below) => {
    const most =
      below > listed
        ? `dies sind die ${listed} verlässlichsten von ${below}`
        : 'dies sind die verlässlichsten';
    return `Kein Befund erreicht die Verlässlichkeit von ${score(threshold)}, ab der Befunde als wesentlich gelten; ${listed === 1 && below === 1 ? 'dies ist der verlässlichste' : most}.`;
  },
  othersBelow: (below, threshold, levels) =>
    `${below === 1 ? 'ein weiterer Befund' : `${numberWord(below)} weitere Befunde`} (${inRange(levels)}) ${below === 1 ? 'liegt' : 'liegen'} unter den ${score(threshold)} der wesentlichen.`,
  notCrossChecked: (open, all) => {
    if (open === 1)
      return 'ein Befund konnte nicht an weiteren Quellen geprüft werden: Er hat die Verlässlichkeit, die seine eigene Quelle ihm gibt.';
    const which = open === all ? `alle ${numberWord(open)} Befunde` : `${numberWord(open)} Befunde`;
    return `${which} konnten nicht an weiteren Quellen geprüft werden: Sie haben die Verlässlichkeit, die ihre eigenen Quellen ihnen geben.`;
  },

  setAside: {
    title: (title) => `Zurückgestellt: ${title}`,
    notice:
      'Diese Sätze wurden für den Text dieses Titels geschrieben und stehen nicht darin, weil sich nicht fand, dass ihre Belege sie tragen. Sie sind aufgeführt, damit sich die Prüfung nachprüfen lässt; als Befunde weitergegeben werden sollen sie nicht.',
    ofSummary: (part) => `Die gegebene Zusammenfassung von ${part}`,
    lookedAt: (place) => `Betrachtete Stelle: ${place}.`,
    better: (named) => `Besser belegt durch: ${named}.`,
    replaced: 'An seiner Stelle stehen die Worte seines Befunds.',
    leftOut: 'Er ist weggelassen.',
    verdicts: {
      supported: 'belegt',
      inference: 'gefolgert',
      partial: 'teilweise belegt',
      contradicted: 'widersprochen',
      unsupported: 'nicht belegt',
      unchecked: 'nicht geprüft',
    },
  },
};

const BEARING: Readonly<Record<Bearing, { accusative: string; dative: string }>> = {
  passages: { accusative: 'die zitierten Stellen', dative: 'den zitierten Stellen' },
  statements: {
    accusative: 'die Sätze der Zusammenfassungen, auf denen sie beruhen',
    dative: 'den Sätzen der Zusammenfassungen, auf denen sie beruhen',
  },
};

const VERDICTS: Readonly<Record<Exclude<Verdict, 'supported'>, string>> = {
  inference: 'vom Bericht aus dem Zitierten gefolgert',
  partial: 'teilweise belegt',
  contradicted: 'widersprochen',
  unsupported: 'nicht belegt',
  unchecked: 'nicht geprüft',
};

const FATES: Readonly<Record<Fate, readonly [one: string, more: string]>> = {
  replaced: ['ist durch die Worte ihres Befunds ersetzt', 'sind durch die Worte ihrer Befunde ersetzt'],
  'left-out': ['ist weggelassen', 'sind weggelassen'],
  removed: ['ist entfernt', 'sind entfernt'],
  stands: ['steht, wie sie geschrieben wurde', 'stehen, wie sie geschrieben wurden'],
};
