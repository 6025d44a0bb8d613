import type { stored as english } from '../english/stored';
import type { Template } from '../template';

export const stored: Record<keyof typeof english, Template> = {
  sources: { one: '{n} Quelle', other: '{n} Quellen' },
  sentences: { one: '{n} Satz', other: '{n} Sätzen' },
  against: '{count} gegen {counts}',
  first: 'erste',
  second: 'zweite',
  third: 'dritte',
  fourth: 'vierte',
  fifth: 'fünfte',

  reportedBySources: 'Was die Quellen berichten',
  furtherResults: 'Weitere Ergebnisse',
  themeOfTitles: 'Die Quellen behandeln: {titles}.',
  themeOfQuotes: 'Was folgt, ist aus den Quellen zitiert, die am meisten zur Frage beitragen.',
  themeOfAll: {
    one: 'Was die einzige Quelle zur Frage sagt, nicht nach Themen geordnet.',
    other: 'Was alle {n} Quellen zur Frage sagen, nicht nach Themen geordnet.',
  },
  nothingAnswers: 'Keine Quelle geht auf die Frage ein.',
  notAddressed: 'Keine Quelle geht auf “{question}” ein.',
  notSurveyed: 'Der Lauf endete, bevor die Quellen gesichtet waren.',

  isKnownOf: 'Was ist über “{phrase}” bekannt?',
  notMentioned: 'Keine Quelle erwähnt es: Kein Wort davon steht in {searched}.',
  comparedWith: 'Die Frage vergleicht es mit “{other}”, doch erwähnt wird es nicht in {searched}.',
  searched: {
    one: 'der einen Quelle, die durchsucht wurde',
    other: 'einer der {n} Quellen, die alle durchsucht wurden',
  },
  isFoundOn: 'Was finden die Quellen zu “{phrase}”?',
  notTold: 'Es kommt in {sentences} von {sources} vor, aber keiner der {findings} Befunde handelt davon.',
  noFigure: {
    one: 'Gefragt ist eine Menge. Der einzige Befund nennt keine Zahl.',
    other: 'Gefragt ist eine Menge. Keiner der {n} Befunde nennt eine Zahl.',
  },
  saidAbout: 'Was sagen die Quellen zum Thema {title}?',
  noSentence: 'Sie behandeln es, doch kein Satz von ihnen wurde gefunden, der die Frage beantwortet.',
  saidByOthers: 'Was sagen andere Quellen zum Thema {title}?',
  fromOneSource: 'Alle {n} Befunde dazu stammen aus derselben Quelle.',
  foundByOthers: 'Finden andere Quellen zum Thema {title} dasselbe?',
  notConfirmed: 'Jeder der {n} Befunde stützt sich auf eine einzige Quelle.',
  whoIsRight: 'Welche der Quellen haben recht beim Thema {topic}?',
  nothingFavours: 'Sie widersprechen einander ({counts}), und nichts spricht eher für eine Seite.',
  leftOpen: 'Von einer Quelle offengelassen: “{quote}”',
  noFinding: 'Das sagt die Quelle von sich selbst; es ist kein Befund dieses Berichts.',
  saidOn: 'Was sagen Quellen zum Thema {title}?',
  notWritten:
    'Der Bericht sollte dazu einen Abschnitt haben; es fand sich nichts, was zitiert werden könnte.',
  notQuoted: 'Nichts, was dazu zitiert werden könnte, fand sich in {given}.',
  given: { one: 'der einen Quelle', other: 'den {n} Quellen' },
  notAnswered: 'Keine Quelle, die gelesen wurde, beantwortet es.',

  answerTo: 'die Antwort auf “{question}”',
  valueIn: 'der Wert in {unit}',
  otherDates: 'Die Seiten nennen verschiedene Zeitpunkte ({topic}): {one} und {other}.',
  otherFigures: 'Die Seiten nennen verschiedene Zahlen ({topic}): {one} und {other}.',
  otherConditions: 'Was sie beim Thema {topic} sagen, gilt unter Bedingungen, die einander ausschließen.',
  denied: 'Beim Thema {topic} bestreitet eine Seite, was die andere sagt.',
  effectOrNone:
    'Beim Thema {topic} berichtet eine Seite von einer Wirkung oder einem Unterschied, die andere von keinem.',
  opposite: 'Beim Thema {topic} berichten die Seiten von gegensätzlichen Wirkungen.',
  otherAnswers: 'Die Quellen geben verschiedene Antworten oder meinen mit einem Namen Verschiedenes.',
  noReason: 'Die Quellen nennen keinen Grund für den Unterschied.',
  oneIsAuthoritative: 'Nur die {ordinal} Sicht stützt sich auf eine Quelle, die als maßgeblich gilt.',
  moreStandBehind: 'Für die {ordinal} Sicht stehen {most} Quellen, für die andere {others}.',
  askConditions: 'Unter welchen Bedingungen gilt, was Quellen zum Thema {subject} berichten?',
  askFigures: 'Welche der Zahlen gilt ({subject}), und wofür?',
  askDisagreement: 'Woran liegt es, dass Quellen beim Thema {subject} uneins sind?',
  askOthers: 'Welche Quellen außerhalb dieser Sammlung beantworten “{question}”?',

  rated: '{host}: {reason}',
  noAddress: 'keine Adresse, an der zu erkennen wäre, wer sie veröffentlicht',
  noWebAddress: 'keine Webadresse',
  unknownPublisher: 'eine Webseite, über deren Herausgeber nichts bekannt ist',
  anybody: 'Seiten, die jeder schreiben oder teilen kann',
  blogPlatform: 'eine Plattform für Blogs',
  forum: 'ein Forum oder soziales Netzwerk',
  blog: 'ein Blog oder Forum',
  personal: 'eine persönliche Seite',
  preprints: 'ein Preprint-Server: nicht begutachtet',
  openEncyclopaedia: 'eine Enzyklopädie, die jeder bearbeiten kann',
  press: 'ein Dienst für Pressemitteilungen',
  archive: 'ein Archiv begutachteter Zeitschriften',
  registered: 'eine registrierte wissenschaftliche Veröffentlichung',
  reviews: 'systematische Übersichtsarbeiten',
  journals: 'ein Verlag begutachteter Zeitschriften',
  standards: 'eine Organisation, die Normen setzt',
  international: 'eine internationale öffentliche Einrichtung',
  authority: 'eine Behörde',
  university: 'eine Hochschule',
  documentation: 'offizielle Dokumentation',

  quotes: {
    one: 'Die Aussage zitiert ihre Quelle wörtlich.',
    other: 'Die Aussage zitiert {n} Quellen wörtlich.',
  },
  quotesCited: 'Sie zitiert wörtlich, worauf sie verweist.',
  counts: 'Sie zählt, was ihre {n} Quellen sagen, und so viele von ihnen sagen es.',
  keepsToWords: 'Sie hält sich an die Worte dessen, worauf sie verweist.',
  claimKeepsToWords: 'Die Aussage hält sich an die Worte dessen, worauf sie verweist.',
  confirmed: 'Ein prüfendes Modell hat die Aussage mit einem Zitat aus ihrem Beleg bestätigt.',
  inferred: 'Keine Quelle sagt es; es folgt aus dem, was zitiert ist.',
  partly: 'Ein prüfendes Modell fand in ihrem Beleg nur einen Teil davon.',
  saysOtherwise: 'Ein prüfendes Modell fand, dass ihr Beleg etwas anderes sagt.',
  saysNothing: 'Ein prüfendes Modell fand, dass keiner ihrer Belege das sagt.',
  criticFailed:
    'Worte allein entscheiden es nicht, und das prüfende Modell, das sie ablehnte, lehnte auch ein wörtliches Zitat ab.',
  quotesSources: {
    one: 'Sie zitiert ihre Quelle wörtlich.',
    other: 'Sie zitiert ihre Quellen wörtlich.',
  },
  isStatement: 'Die Aussage steht wörtlich so in den Zusammenfassungen.',
  notGiven: 'Worauf sie verweist, ist nicht unter den gegebenen Quellen.',
  notFetched: 'Eine Seite, auf die sie verweist, war nicht abzurufen und sagt es vielleicht.',
  notInTexts:
    'In den gegebenen Texten steht es nicht, und andere, auf die sie verweist, wurden nicht gegeben.',
  wordsCannotTellOfSource: 'Worte allein entscheiden nicht, ob der Text ihrer Quelle sie trägt.',
  answerNotAudited: 'Die Aussage wurde nicht geprüft.',
  notAudited: 'Die Aussage ist kein Zitat und wurde nicht geprüft.',
  noCritic: 'Worte allein entscheiden es nicht, und kein Modell wurde gefragt.',
  noText: 'Der Text, auf den sie verweist, liegt nicht vor.',
  tooShort: 'Sie hat weniger als drei Wörter, die sich vergleichen ließen.',
  numberAbsent: '“{number}” steht nirgends in dem, worauf sie verweist.',
  nameAbsent: 'Worauf sie verweist, nennt “{name}” nicht.',
  hardlySaid: 'Kaum etwas von dem, was sie sagt, steht in dem, worauf sie verweist.',
  wordsCannotTell:
    'Worauf sie verweist, handelt vom Gleichen; ob es das sagt, entscheiden Worte allein nicht.',
  otherWord: 'Sie sagt “{word}”, der Satz, an den sie sich hält, nicht.',
  exchanged: 'Sie sagt “{said}”, wo ihr Beleg “{cited}” sagt.',
  denies: 'Sie verneint mit “{word}”, was ihre Quelle nicht verneint.',
  leavesOut: 'Sie lässt das “{word}” ihres Belegs weg.',
  saidElsewhere: 'Worauf sie verweist, sagt das kaum; eine andere Quelle sagt es: “{quote}”.',

  cancelled: 'Der Lauf wurde abgebrochen, bevor er fertig war.',
  timeIsUp: 'Die Zeit für den Lauf war um, bevor er fertig war.',
  withoutModel: {
    one: 'Ein Schritt konnte nicht dem Modell überlassen werden, aus Gründen, die die Warnungen nennen, und wurde ohne es getan.',
    other:
      '{n} Schritte konnten nicht dem Modell überlassen werden, aus Gründen, die die Warnungen nennen, und wurden ohne es getan.',
  },
  notFinished: 'Durchgang {pass} konnte nicht beendet werden ({reason}), {instead}.',
  readByWords: 'Sätze wurden nach ihren Wörtern gewählt, nicht nach dem, was sie bedeuten: {lack}.',
  section: 'Abschnitt {at} von {all}',
  summary: 'die Zusammenfassung',
  addedNotRead: 'Nachgereichte Quellen konnten nicht gelesen werden ({section}; {reason}).',
  addedNotChecked:
    'Was nachgereichte Quellen sagen, konnte nicht gegen die anderen geprüft werden ({section}; {reason}); es ist gekennzeichnet.',
  addedNotScored:
    'Nachgereichte Quellen konnten für die Abschnitte nicht bewertet werden ({reason}); sie zählen für die, deren Wörter sie teilen.',
  notReconciled:
    'Durchgang 3 konnte die Befunde nicht gegeneinander halten ({reason}), daher sind sie nicht gegengeprüft: Nach Wiederholungen, Widersprüchen und Lücken wurde nicht gesucht.',
  notChecked:
    'Durchgang 3 konnte Befunde nicht an weiteren Quellen prüfen ({section}; {reason}); sie sind gekennzeichnet.',
  noSupport: 'Durchgang 3 konnte keine weiteren Belege für die wichtigsten Befunde suchen ({reason}).',
  notRanked:
    'Durchgang 2 konnte die Quellen nicht nach ihrem Ertrag ordnen ({reason}); sie werden in der Reihenfolge der Gliederung geprüft.',
  notRead:
    'Durchgang 2 konnte die Quellen nicht lesen ({reason}), daher beruht der Bericht auf der Gliederung und den Zusammenfassungen.',
  sectionNotRead:
    'Durchgang 2 konnte die Quellen nicht lesen ({section}; {reason}), daher beruht er auf ihren Zusammenfassungen.',
  partlyRead: 'Durchgang 2 konnte einige Quellen nicht lesen ({section}; {reason}).',
  notPlanned:
    'Durchgang 1 konnte den Bericht nicht gliedern ({reason}), daher hat er einen einzigen Abschnitt zur ganzen Frage.',
  notScored:
    'Die Quellen {from}–{to} konnten für die Abschnitte nicht bewertet werden ({reason}); sie zählen für die, in denen die Gliederung sie nennt.',
  noSummary:
    'Durchgang 4 konnte die Zusammenfassung nicht schreiben ({reason}); der Bericht beginnt mit seinem Gesamtthema.',
  auditFailed:
    'Durchgang 4 konnte einen Text nicht prüfen ({text}; {reason}); was sich nicht an die Worte seines Belegs hält, wurde durch die Worte der Befunde ersetzt.',
  sectionNotWritten:
    'Durchgang 4 konnte einen Text nicht schreiben ({section}; {reason}), daher sind seine Befunde aufgezählt.',
};
