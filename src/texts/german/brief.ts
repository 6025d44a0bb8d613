import type { brief as english, TemplateWords } from '../english/brief';
import { inSeries, numberWord, sources } from './writing';

export const brief: typeof english = {
  noAnswer: 'Keine Aussage allein beantwortet die ganze Frage; diese kommen ihr am nächsten.',
  onSubtopic: (title) => `Zum Thema ${title}:`,
  disagree: (topic) => `Umstritten unter den Quellen: ${topic}.`,
  against: 'Dem steht entgegen:',

  otherwise: 'Eine andere Aussage lautet anders:',
  toldOtherwise: (title) => `Was zu ${title} gesagt ist, lautet anders:`,
  disputed: 'Umstritten:',
  disputedUnder: (title) => `Umstritten unter ${title}:`,
  nothingOwn: 'Was sich hier findet, steht unter einer anderen Überschrift oder wurde zurückgestellt.',
  refuted:
    'Was die Zusammenfassung dieses Teilthemas sagt, ist durch die Quellen, die sie zitiert, nicht belegt; es ist zurückgestellt.',
  toldBefore:
    'Was die Zusammenfassung dieses Teilthemas sagt, steht schon weiter oben, mit den Belegen beider.',
  statesNothing: 'Die Zusammenfassung dieses Teilthemas sagt nichts, was zitiert werden könnte.',

  recommending: 'Die Quellen sagen selbst, was zu tun ist.',
  notDecided:
    'Keine Aussage allein entscheidet die Frage: Was sie entschiede, ist in weiteren Quellen zu suchen.',
  unconfirmed:
    'Jede dieser Aussagen stützt sich auf eine einzige Quelle: Vor einer Entscheidung ist eine zweite zu suchen.',
  settled: (subtopics) =>
    `Mehrere Quellen stimmen überein, hier unbestritten, unter ${inSeries(subtopics)}: Darauf lässt sich bauen.`,
  disagreement: (topic) => `Umstritten unter den Quellen: ${topic}`,
  toDecide: (what, who, subtopics) =>
    `${what} (${who.join(' gegen ')}): Bevor darauf gebaut wird, ist zu vergleichen, wie beides gefunden wurde, unter ${inSeries(subtopics)}, und zu entscheiden, was gilt.`,
  thin: (subtopics, amount) => {
    const [verb, each, them] = subtopics.length > 1 ? ['stützen', 'je ', 'sie'] : ['stützt', '', 'es'];
    const behind = amount === 1 ? 'eine Quelle' : `${numberWord(amount)} Quellen`;
    return `${inSeries(subtopics)} ${verb} sich auf ${each}${behind}, weniger als die anderen: Dort ist mehr zu suchen, bevor man ${them} für verlässlich hält.`;
  },

  nothingWritten: 'Vom Text wurde nichts geschrieben.',
  missing: (frame, subtopics, all) => {
    const named = frame.map((part) =>
      part === 'summary' ? 'die Zusammenfassung' : 'die Schlussfolgerungen',
    );
    const noun = subtopics.length === 1 ? 'Teilthema' : 'die Teilthemen';
    const body = subtopics.length === 0 ? [] : [`${noun} ${inSeries(subtopics.map(String))} von ${all}`];
    return `Der Lauf konnte dies nicht schreiben: ${inSeries([...named, ...body])}.`;
  },
  noTexts: (amount) =>
    `Kein Text ${amount === 1 ? 'der einen Quelle' : `der ${amount} Quellen`} war gegeben: Jede Aussage ist nur an den Zusammenfassungen geprüft.`,
  someTexts: (inFull, amount) =>
    `${inFull === 1 ? 'Der Text einer' : `Die Texte von ${inFull}`} von ${sources(amount)} ${inFull === 1 ? 'war' : 'waren'} gegeben; was sich auf die anderen stützt, ist nur an den Zusammenfassungen geprüft.`,
  summariesSetAside: (amount) =>
    `${amount === 1 ? 'Ein Satz der Zusammenfassungen ist' : `${amount} Sätze der Zusammenfassungen sind`} zurückgestellt, weil die Quellen ${amount === 1 ? 'ihn' : 'sie'} nicht tragen.`,
  tooLong: (words, most) =>
    `Der Text hat ${words} Wörter, wo es höchstens ${most} sein sollten; gekürzt wird er nie.`,
  otherLength: (words, wanted, given) => {
    const asked = `${wanted} Wörter waren gewünscht, und der Text hat ${words}`;
    if (words > wanted) return `${asked}; gekürzt wird er nie.`;
    if (given < wanted)
      return `${asked}: Die Zusammenfassungen geben ${given} her, und aufgefüllt wird nichts.`;
    return `${asked}; die Zusammenfassungen geben ${given} her, sodass mehr gesagt werden könnte.`;
  },

  unknownAuthor: 'Verfasser unbekannt',
  conclusions: 'Schlussfolgerungen',
  inTemplate: (words) => (Object.hasOwn(IN_TEMPLATES, words) ? IN_TEMPLATES[words as TemplateWords] : words),
};

const IN_TEMPLATES: Readonly<Record<TemplateWords, string>> = {
  'Executive Summary': 'Zusammenfassung',
  'Key Findings': 'Wesentliche Befunde',
  Conclusions: 'Schlussfolgerungen',
  Sources: 'Quellen',
  'As of': 'Stand',
  'Decision to Be Made': 'Zu entscheiden',
  Recommendation: 'Empfehlung',
  'Summary of the Evidence': 'Überblick über die Belege',
  'Evidence by Topic': 'Belege nach Themen',
  'Where the Evidence Disagrees': 'Wo die Belege sich widersprechen',
  Abstract: 'Überblick',
  'Review Question': 'Gestellte Frage',
  'Themes in the Literature': 'Themen der Literatur',
  'Disagreements in the Literature': 'Widersprüche in der Literatur',
  Discussion: 'Diskussion',
  References: 'Quellen',
};
