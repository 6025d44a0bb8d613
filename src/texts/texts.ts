import type { Language } from '../contracts/run/language';
import { answer as englishAnswer } from './english/answer';
import { brief as englishBrief } from './english/brief';
import { face as englishFace } from './english/face';
import { page as englishPage } from './english/page';
import { report as englishReport } from './english/report';
import { run as englishRun } from './english/run';
import { writing as englishWriting } from './english/writing';
import { answer as germanAnswer } from './german/answer';
import { brief as germanBrief } from './german/brief';
import { face as germanFace } from './german/face';
import { page as germanPage } from './german/page';
import { report as germanReport } from './german/report';
import { run as germanRun } from './german/run';
import { writing as germanWriting } from './german/writing';

/** What the product says around evidence, in a language, by where it says it. */
export interface Texts {
  language: Language;
  writing: typeof englishWriting;
  report: typeof englishReport;
  answer: typeof englishAnswer;
  brief: typeof englishBrief;
  page: typeof englishPage;
  run: typeof englishRun;
  face: typeof englishFace;
}

export const ENGLISH: Texts = {
  language: 'en',
  writing: englishWriting,
  report: englishReport,
  answer: englishAnswer,
  brief: englishBrief,
  page: englishPage,
  run: englishRun,
  face: englishFace,
};
const GERMAN: Texts = {
  language: 'de',
  writing: germanWriting,
  report: germanReport,
  answer: germanAnswer,
  brief: germanBrief,
  page: germanPage,
  run: germanRun,
  face: germanFace,
};

const CATALOGUE: Readonly<Record<Language, Texts>> = { en: ENGLISH, de: GERMAN };

/** What was made without a language is English. */
export function textsOf(language: Language | undefined): Texts {
  return CATALOGUE[language ?? 'en'];
}

/** Of every language, for whoever reads a text and is not told which it is in. */
export const ALL_TEXTS: readonly Texts[] = Object.values(CATALOGUE);
