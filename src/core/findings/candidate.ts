import type { SourceWindow } from '../contracts/passage';
import type { Topic } from '../topic/topic';
import { isGeneric } from '../topic/generic-words';
import { stemSet } from '../topic/question-concepts';
import { acronymExpansions, acronymsIn } from '../worth/acronyms';
import { assessSentence } from '../worth/assess-sentence';
import type { SentenceAssessment } from '../worth/kinds';
import { type SourceSentence, genreOf, sentencesOf } from '../worth/source-sentences';
import { speaksOfGroups } from '../worth/speaks-of-groups';
import { statisticsCues } from '../worth/statistics-cues';

/** A sentence that may become a finding. */
export interface Candidate {
  source: SourceWindow;
  sentence: SourceSentence;
  assessment: SentenceAssessment;
  stems: ReadonlySet<string>;
  /** 0–1: worth reporting, to the question and the section, and understandable alone. */
  score: number;
  /** Whether it says what was done, without the source's title before it. */
  standsAlone: boolean;
  /** 0–1: how far the sentence, with its source's title and abstract, is about what the question asks. */
  questionFit: number;
  /** 0–1: how far the sentence, with its source's title and abstract, is about the section's title. */
  titleFit: number;
}

/** A source read once: its sentences, and those of them that may become findings. */
export interface SourceReading {
  source: SourceWindow;
  sentences: SourceSentence[];
  candidates: Candidate[];
  /** What the source's abbreviations stand for, where it says so. */
  expansions: ReadonlyMap<string, string>;
}

export interface ReadingInterest {
  topic: Topic;
  /** The question asks how much. */
  quantities: boolean;
  knownAcronyms: ReadonlySet<string>;
}

/** What the abstract says beside the sentence and the title counts for so much. */
const ABSTRACT_SHARE = 0.6;
/** What is left of the fit where the sentence does not speak of what the question asks to be changed. */
const OUTCOME_UNSAID = 0.12;
/** A question that asks what one thing does to another is not answered by a text on one of them. */
const LEAST_TO_OUTCOME = 0.03;
/** From here on a sentence names what its source is about. */
const NAMED_WELL = 0.95;
/** From here on a sentence names the outcome, in whatever words. */
const FULL_FIT = 0.5;

export function readSource(source: SourceWindow, interest: ReadingInterest): SourceReading {
  const sentences = source.passages.flatMap(sentencesOf);
  const genre = genreOf(source.passages);
  const { questionFit, outcomeFit, sectionFit, titleFit } = interest.topic;
  const kindFit = interest.topic.kindFit(source.title);
  const abstractStems = stemSet(
    sentences
      .filter((sentence) => sentence.inAbstract)
      .map(({ text }) => text)
      .join(' '),
  );
  const allTitleStems = stemSet(source.title);
  const titleStems = new Set(
    [...stemSet(source.title)].filter((stem) => stem.length > 2 && !isGeneric(stem)),
  );
  const known = new Set([...interest.knownAcronyms, ...acronymsIn(source.title)]);
  const expansions = acronymExpansions(source.passages.map(({ text }) => text).join('\n'));
  const explained = new Set(expansions.keys());
  const titleSectionFit = sectionFit(allTitleStems);
  const candidates = sentences.flatMap((sentence): Candidate[] => {
    const { zone, inAbstract } = sentence;
    const assessment = assessSentence(sentence.text, {
      zone,
      genre,
      inAbstract,
      knownAcronyms: known,
      explainedAcronyms: explained,
    });
    if (assessment.worth === 0) return [];
    const stems = stemSet(sentence.text);
    const named =
      genre === 'study'
        ? namesItsSubject(sentence.text, stems, titleStems)
        : namesAThing(sentence.text, stems, titleStems);
    const inContext = new Set([...stems, ...allTitleStems]);
    const inSource = new Set([...inContext, ...abstractStems]);
    const question =
      Math.max(
        0.3 * questionFit(stems) + 0.7 * questionFit(inContext),
        ABSTRACT_SHARE * questionFit(inSource),
      ) *
      // What is asked to be changed stands in the sentence itself; a title that names it has other outcomes, too.
      (OUTCOME_UNSAID + (1 - OUTCOME_UNSAID) * Math.min(1, outcomeFit(stems) / FULL_FIT));
    if (interest.topic.outcomeStems.size > 0 && question < LEAST_TO_OUTCOME) return [];
    const section = 0.5 * sectionFit(stems) + 0.5 * titleSectionFit;
    const title = Math.max(titleFit(inContext), ABSTRACT_SHARE * titleFit(inSource));
    const asked =
      interest.quantities && genre === 'study' && statisticsCues(sentence.text).quantities === 0 ? 0.8 : 1;
    const score =
      assessment.worth * named * asked * kindFit * question * (0.35 + 0.65 * section) * (0.5 + 0.5 * title);
    const standsAlone = named >= NAMED_WELL && !speaksOfGroups(sentence.text);
    return [
      { source, sentence, assessment, stems, score, standsAlone, questionFit: question, titleFit: title },
    ];
  });
  candidates.sort((one, other) => other.score - one.score || one.sentence.start - other.sentence.start);
  return { source, sentences, candidates, expansions };
}

/** How far a sentence names what was done and what came of it, by the words it shares with its source's title, 0–1. */
function namesItsSubject(text: string, stems: ReadonlySet<string>, titleStems: ReadonlySet<string>): number {
  let shared = 0;
  for (const stem of titleStems) if (stems.has(stem)) shared += 1;
  if (shared >= 3) return 1;
  if (shared === 2) return 0.95;
  const vague = speaksOfGroups(text);
  if (shared === 1) return vague ? 0.7 : 0.8;
  return vague ? 0.4 : 0.55;
}

/** A statement of a document names its subject, or a thing of it in code; `the timeout` of what remains open. */
function namesAThing(text: string, stems: ReadonlySet<string>, titleStems: ReadonlySet<string>): number {
  if ([...titleStems].some((stem) => stems.has(stem))) return 1;
  return /`[^`]+`/.test(text) ? 0.9 : 0.75;
}
