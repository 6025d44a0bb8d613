import { type answer as english, type LeftOut, withoutLastZero } from '../english/answer';
import { eitherOf, numbered, score } from './writing';

export const answer: typeof english = {
  title: 'Antwort',

  lead: ({ isContrast, who, isAgain, title }) => {
    const said = [isContrast ? 'dagegen' : '', who !== '' && isAgain ? 'außerdem' : '', who]
      .filter((part) => part !== '')
      .join(' ');
    return [said, title === '' ? '' : `in ${title}`].filter((part) => part !== '').join(', ');
  },
  otherAnswers: 'Andere Stellen antworten anders, oder sie meinen anderes mit demselben Namen:',

  notNamed: (parts) =>
    `Was zitiert ist, nennt ${eitherOf(parts)} nicht: Es kann von etwas handeln, das dem nahe ist.`,
  notAnswered: (nowhere, nearest) => {
    const near =
      nearest === null
        ? ''
        : `Am nächsten kommt ${nearest.title}${nearest.who === '' ? '' : ` von ${nearest.who}`}${nearest.lacks.length === 0 ? '' : `; von ${eitherOf(nearest.lacks)} ist darin nicht die Rede`}.`;
    const absent =
      nowhere.length === 0 ? '' : `Nichts von dem, was durchsucht wurde, nennt ${eitherOf(nowhere)}.`;
    return ['Die Stellen beantworten die Frage nicht.', absent, near].filter((part) => part !== '').join(' ');
  },
  notFound: (question, documents) => {
    const where = documents === 1 ? 'der einen Quelle, die' : `den ${documents} Quellen, die`;
    return documents === 0
      ? `Zu “${question}” wurde nichts gefunden, denn es gab nichts, worin zu suchen war: Keine Quelle hat einen Text.`
      : `Zu “${question}” wurde nichts gefunden in ${where} durchsucht wurde${documents === 1 ? '' : 'n'}.`;
  },
  nearest: (names, isRest) => {
    const verb = names.length === 1 ? 'kommt' : 'kommen';
    return isRest
      ? `Nahe ${verb} auch, ohne zu antworten: ${names.join('; ')}.`
      : `Am nächsten ${verb}, ohne zu antworten: ${names.join('; ')}.`;
  },
  whatHelps: 'Was helfen kann:',
  hints: [
    'Die Frage in andere Worte fassen, etwa in solche, die die Quellen selbst verwenden.',
    'Nach einem Teil davon fragen oder allgemeiner.',
    'Weitere Quellen geben oder nach dem fragen, wovon die vorhandenen handeln.',
  ],
  hintsWithoutSources: [
    'Quellen oder Beobachtungen geben, die von der Frage handeln: Beantwortet wird sie allein aus diesen.',
    'Wo Werkzeuge keine fanden: die Frage anders stellen, nach einer anderen Seite davon fragen oder andere Begriffe verwenden.',
  ],
  failed:
    'Ein Fehler ist aufgetreten, und auf diese Frage konnte keine Antwort geschrieben werden. Bitte noch einmal fragen; geschieht es wieder, so steht der Grund in den Diagnosen der Antwort.',
  why: (reason) => `Grund: ${reason}`,
  noReason: 'ein Grund ist nicht bekannt',

  leftOut: (counts) => {
    const all = counts.reduce((sum, { amount }) => sum + amount, 0);
    const what = all === 1 ? 'Eine Aussage wurde' : `${all} Aussagen wurden`;
    const [first] = counts;
    if (counts.length === 1 && first !== undefined)
      return `${what} weggelassen, ${LEFT_OUT[first.why][all === 1 ? 0 : 1]}.`;
    const told = counts.map(({ why, amount }) => `${amount}, ${LEFT_OUT[why][amount === 1 ? 0 : 1]}`);
    return `${what} weggelassen: ${told.join('; ')}.`;
  },
  missing: (missing) => `Von den Quellen nicht beantwortet: ${missing}`,
  disclaimer: 'Hinweis: Diese Antwort beruht auf wenigen Belegen. Bitte an weiteren Quellen prüfen.',

  confidence: (value, meaning) => `Verlässlichkeit: ${withoutLastZero(score(value))} (${meaning})`,
  pieces: ['keine Quelle', 'eine einzige Quelle', 'mehrere Quellen'],
  notStood: (aside, written) =>
    `${aside} von ${claims(written)} ${aside === 1 ? 'hielt' : 'hielten'} nicht stand und ${aside === 1 ? 'wurde' : 'wurden'} weggelassen`,
  notConfirmed: (open, all) => `${open} von ${claims(all)} ${open === 1 ? 'ist' : 'sind'} nicht bestätigt`,
  contradicted: (disputed, all) => `bei ${disputed} von ${claims(all)} widersprechen sich die Quellen`,
  shortened: 'vieles vom Zusammenhang wurde gekürzt',
  partial: 'ein Teil der Frage ist nicht beantwortet',
  hardlyBears: 'was durchsucht wurde, trägt kaum zur Frage bei',
  nothingWritten: 'es konnte keine Antwort geschrieben werden',
  uncheckedFinalOutput:
    'es konnte keine Antwort geschrieben werden; dies ist das gegebene Endergebnis, ungeprüft',

  sources: 'Quellen',
  synthesised: (documents, cited) =>
    `Zusammengeführt aus ${documents === 1 ? 'einem Dokument' : `${numbered(documents)} Dokumenten`}${cited < documents ? `, von denen ${cited === 1 ? 'eines zitiert ist' : `${cited} zitiert sind`}` : ''}`,
  multiSource: 'aus mehreren Quellen',
  claimsLeftOut: (amount, command) =>
    `${amount === 1 ? 'Eine Aussage wurde' : `${numbered(amount)} Aussagen wurden`} weggelassen; “${command}” nennt ${amount === 1 ? 'sie mit dem Grund' : 'sie mit den Gründen'}.`,
  asChecked: 'Wie der Text nach der Prüfung lautet:',

  pages: (numbers, isOne) => `${isOne ? 'Seite' : 'Seiten'} ${numbers}`,
  pagesShort: (numbers) => `S. ${numbers}`,
};

const claims = (amount: number): string => (amount === 1 ? 'einer Aussage' : `${amount} Aussagen`);

const LEFT_OUT: Readonly<Record<LeftOut, readonly [one: string, more: string]>> = {
  contradicted: ['der die zitierten Quellen widersprechen', 'denen die zitierten Quellen widersprechen'],
  unsupported: ['die die zitierten Quellen nicht treffen', 'die die zitierten Quellen nicht treffen'],
  partial: [
    'die die zitierten Quellen nur zum Teil treffen',
    'die die zitierten Quellen nur zum Teil treffen',
  ],
  unchecked: [
    'die sich an den zitierten Quellen nicht prüfen ließ',
    'die sich an den zitierten Quellen nicht prüfen ließen',
  ],
};
