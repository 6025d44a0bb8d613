import { LISTED, type writing as english } from '../english/writing';

const NUMBERS = 'kein ein zwei drei vier fünf sechs sieben acht neun zehn'.split(' ');
const ORDINALS = ['erste', 'zweite', 'dritte', 'vierte', 'fünfte'];
const series = new Intl.ListFormat('de');
const choice = new Intl.ListFormat('de', { type: 'disjunction' });
const days = new Intl.DateTimeFormat('de', { dateStyle: 'medium', timeZone: 'UTC' });
const months = new Intl.DateTimeFormat('de', { month: 'long', year: 'numeric', timeZone: 'UTC' });
const scores = new Intl.NumberFormat('de', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

const figures = new Intl.NumberFormat('de');

/** `1.204`. */
export const numbered = (amount: number): string => figures.format(amount);
export const numberWord = (amount: number): string => NUMBERS[amount] ?? `${amount}`;
export const inSeries = (items: readonly string[]): string => series.format(items);
export const inRange = (items: readonly string[]): string =>
  items.length > LISTED ? `${items[0]} bis ${items.at(-1)}` : inSeries(items);
export const eitherOf = (items: readonly string[]): string => choice.format(items);
export const score = (value: number): string => scores.format(value);
export const sources = (amount: number): string => (amount === 1 ? 'eine Quelle' : `${amount} Quellen`);

export const writing: typeof english = {
  date: (iso) => {
    if (/^\d{4}-\d{2}-\d{2}$/.test(iso)) return days.format(new Date(iso));
    return /^\d{4}-\d{2}$/.test(iso) ? months.format(new Date(iso)) : iso;
  },
  score,

  andColleagues: (first) => `${first} und andere`,
  authors: (names) => names.join(' und '),
  asOf: (date) => ` (Stand ${date})`,
  inAgreement: 'übereinstimmend ',
  against: 'dagegen ',
  sameReported: (amount) => `dasselbe ${berichten(amount)} ${weitere(amount)}`,
  partReported: (amount) => `einen Teil davon ${berichten(amount)} ${weitere(amount)}`,
  agreeing: (amount) => `${weitere(amount)} ${amount === 1 ? 'stimmt' : 'stimmen'} überein`,
  inference: 'Schlussfolgerung',
  aside: (amount) =>
    amount === 1 ? '(hier wurde ein Satz zurückgestellt)' : `(hier wurden ${amount} Sätze zurückgestellt)`,

  confidence: (level, isChecked, value) =>
    `${{ High: 'hohe', Medium: 'mittlere', Low: 'geringe' }[level]} Verlässlichkeit${value === undefined ? '' : ` (${score(value)})`}${isChecked ? '' : ', nicht gegengeprüft'}`,
  confidenceLine: (usual, isOfAll) =>
    `**Verlässlichkeit:** (${usual}) ${isOfAll ? 'im ganzen Bericht' : 'wo dieser Bericht nichts anderes sagt'}.`,

  read: {
    confidence: '(?:[Hh]ohe|[Mm]ittlere|[Gg]eringe) Verlässlichkeit(?:, nicht gegengeprüft)?',
    confidenceLine: (remark) =>
      `^Verlässlichkeit: \\((?:${remark})\\) (?:im ganzen Bericht|wo dieser Bericht nichts anderes sagt)\\.$`,
    aside: ' ?\\((?:hier wurde ein Satz|hier wurden \\d+ Sätze) zurückgestellt\\)',
    remarks: [
      ' ?\\(Schlussfolgerung\\)',
      ' ?\\(Stand [^()]{1,40}\\)',
      '; (?:dasselbe|einen Teil davon) berichte[nt] (?:eine|\\d+) weitere Quellen?',
      '; (?:eine|\\d+) weitere Quellen? stimm(?:t|en) überein',
      '(?<=;) übereinstimmend',
      '(?<=;) dagegen',
      '(?<=;) (?:umstritten|eine Wirkung|keine Wirkung):',
      // What leads to a statement of a brief.
      '^(?:Zum Thema [^:\\d]{1,200}|Umstritten(?: unter “[^”]{1,300}”)?|Dem steht entgegen|Eine andere Aussage lautet anders|Was zu “[^”]{1,300}” gesagt ist, lautet anders): ',
    ],
    framing:
      'berichtet berichten dagegen und andere eine weitere quelle quellen lässt lassen offen außerdem'.split(
        ' ',
      ),
  },

  votes: ({ counting, cited, which }, effect, none) =>
    `${counting} von ${cited === 1 ? 'einer Quelle' : `${cited} Quellen`} ${counting === 1 ? 'ist' : 'sind'} eindeutig${which === 'asked' ? ' zu dem, wonach gefragt ist' : ''}: ${effect.amount} ${berichten(effect.amount)} eine Wirkung${effect.cited}, ${none.amount} keine${none.cited}.`,
  readVotes: [
    '^(\\d+) von .{1,12} Quellen? (?:ist|sind) eindeutig[^:]{0,60}: (\\d+) berichte[nt] eine Wirkung\\b.*, (\\d+) keine\\b',
    '^Von (\\d+) Quellen mit zählbarem Ergebnis .{1,60} berichte[nt] (\\d+) eine Wirkung\\b.* und (\\d+) keine\\b',
  ],

  sinceHeading: 'Seit dem letzten Bericht',
  changes: {
    'source-came': 'Neue Quelle',
    'source-changed': 'Quelle mit anderem Text',
    'source-went': 'Quelle weggefallen',
    'conflict-opened': 'Neuer Widerspruch',
    'conflict-changed': 'Widerspruch geändert',
    'conflict-closed': 'Widerspruch weggefallen',
    'finding-changed': 'Geändert',
    'finding-new': 'Neu',
    'finding-gone': 'Weggefallen',
    'set-aside': 'Jetzt zurückgestellt',
    'gap-opened': 'Neue Lücke',
    'gap-closed': 'Lücke geschlossen',
  },
  moreChanges: (more) => `und ${more} weitere; \`diff\` der beiden Läufe nennt alle`,
  notKept: (run) =>
    `Das Ergebnis des Laufs davor, ${run}, ist nicht mehr aufbewahrt; was sich seitdem geändert hat, ist nicht bekannt.`,
  nothingChanged: (run, date, same) => {
    const told = [
      ...(same.sources === null ? [] : [sources(same.sources)]),
      `${same.findings} ${same.findings === 1 ? 'Befund' : 'Befunde'}`,
      ...(same.conflicts === 0
        ? []
        : [`${same.conflicts} ${same.conflicts === 1 ? 'Widerspruch' : 'Widersprüche'}`]),
    ];
    return `Seit Lauf ${run} vom ${date} hat sich nichts geändert: ${told.join(', ')} wie zuvor.`;
  },
  changed: (run, date, changes) => `Seit Lauf ${run} vom ${date}: ${changes.join('; ')}.`,
  sourcesAsBefore: (amount) => `Quellen wie zuvor (${amount})`,
  changedOf: {
    citedSources: 'Zitierte Quellen',
    sources: 'Quellen',
    findings: 'Befunde',
    conflicts: 'Widersprüche',
    gaps: 'Lücken',
    setAside: 'Zurückgestellte Aussagen',
  },
  changedHow: {
    newlyCited: 'neu zitiert',
    noLongerCited: 'nicht mehr zitiert',
    new: 'neu',
    changed: 'geändert',
    gone: 'weggefallen',
    asBefore: 'wie zuvor',
    closed: 'geschlossen',
    newly: 'neu',
    noLonger: 'nicht mehr',
  },

  views: (views) =>
    `${views
      .map(({ who, areMany, what }, at) => {
        const verb = areMany ? 'berichten' : 'berichtet';
        return at === 0 ? `${who} ${verb} ${what}` : `dagegen ${verb} ${who} ${what}`;
      })
      .join('; ')}.`,
  withMore: (who, amount) => `${who} und ${weitere(amount)}`,
  favoured: (at, who) =>
    `Die Belege sprechen eher für die ${ORDINALS[at] ?? `${at + 1}.`} Sicht, die von ${who}.`,
  inferredReason: (reason) => `Keine Quelle nennt den Grund; eine Schlussfolgerung ist: ${reason}`,
  leavesOpen: (who, areMany) => `${who} ${areMany ? 'lassen' : 'lässt'} offen:`,

  judged: (by, overall, threshold, kept) => {
    const judge = by === 'model' ? 'Der Gutachter' : 'Der Gutachter, der den Text misst und nicht liest,';
    const which =
      kept.of === 1
        ? 'Es ist die einzige Fassung; überarbeitet wurde sie nicht'
        : `Es ist Fassung ${kept.version} von ${kept.of}, die beste nach ${kept.of === 2 ? 'einer Überarbeitung' : `${kept.of - 1} Überarbeitungen`}`;
    return `${judge} hat diesen Text nicht bestehen lassen: ${overall} von 5, wo ${threshold} genügt hätte. ${which}.`;
  },
};

function berichten(amount: number): string {
  return amount === 1 ? 'berichtet' : 'berichten';
}

function weitere(amount: number): string {
  return amount === 1 ? 'eine weitere Quelle' : `${amount} weitere Quellen`;
}
