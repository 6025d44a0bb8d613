import { splitPassages } from '../src/language/passages';
import { splitSentences } from '../src/language/sentences';
import { resultWords } from '../src/reading/features/result-score';

/** A sentence of an article with the role that the heading over it gives it. */
export interface LabelledSentence {
  role: 'finding' | 'procedure' | 'background';
  /** Which of those: what is found is a result or a conclusion, what is done an aim or a method. */
  kind: string;
  isAbstract: boolean;
  text: string;
}

/** The first that a heading has a word of. */
const KINDS: readonly (readonly [RegExp, string, LabelledSentence['role']])[] = [
  [/CONCLUSION|INTERPRETATION/, 'conclusion', 'finding'],
  [/RESULT|FINDING/, 'result', 'finding'],
  [/METHOD|DESIGN|SETTING|PARTICIPANT|INTERVENTION|MEASURE|PATIENTS|PROCEDURE/, 'method', 'procedure'],
  [/OBJECTIVE|AIM|PURPOSE/, 'aim', 'procedure'],
  [/BACKGROUND|INTRODUCTION|CONTEXT/, 'background', 'background'],
];
/** What stands under them is of several kinds, or of none. */
const MIXED = /REGISTRATION|SUPPLEMENT|COMMENTARY|STATISTIC|METHODS AND FINDINGS/;
/** A part of an abstract; `ABSTRACT.CONCLUSIONS BODY` is where an article's whole text was filed. */
const ABSTRACT = /^ABSTRACT\.(?!.*BODY)[^.]+$/;
const BODY = /^BODY\.([^.]+)/;
/** Cells of tables and captions are no sentences. */
const LEAST_WORDS = 5;
const MOST_CHARS = 700;

/** An introduction ends with what the article aims at. */
const AIMS_OF_INTRODUCTION = 4;

/** The sentences of an article that stand under a heading which tells their role: those of a structured abstract, and of its parts. */
export function labelledSentences(content: string): LabelledSentence[] {
  const labelled = splitPassages(content).flatMap(({ headings, text }): LabelledSentence[] => {
    const heading = headings.join(' ').toUpperCase();
    const isAbstract = ABSTRACT.test(heading);
    const part = isAbstract ? heading : (BODY.exec(heading)?.[1] ?? '');
    const [, kind, role] = (MIXED.test(part) ? undefined : KINDS.find(([words]) => words.test(part))) ?? [];
    if (kind === undefined || role === undefined) return [];
    return splitSentences(text)
      .filter((sentence) => isWhole(sentence.text))
      .map((sentence) => ({ role, kind, isAbstract, text: sentence.text }));
  });
  const introduction = labelled.filter(({ kind, isAbstract }) => kind === 'background' && !isAbstract);
  const aims = new Set(introduction.slice(-AIMS_OF_INTRODUCTION));
  return labelled.filter((sentence) => !aims.has(sentence));
}

function isWhole(text: string): boolean {
  return text.length < MOST_CHARS && /[.)\]]\s*$/.test(text) && resultWords(text).length >= LEAST_WORDS;
}
