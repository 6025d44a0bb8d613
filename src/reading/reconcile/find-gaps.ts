import { distinctBy } from '../../core/values/distinct-by';
import type { SourcesById } from '../../core/evidence/distinct-evidence';
import { whoIsRight } from '../../core/evidence/who-is-right';
import { favouredView } from '../../core/evidence/favoured-view';
import type { Conflict, Finding, Gap } from '../../contracts/report/finding';
import { capitalised, withinSentence } from '../../core/writing/within-sentence';
import data from '../../language/data/question-words.json';
import type { WordCounts } from '../../contracts/report/word-counts';
import { designDifference } from './design-difference';
import { figuresOf, withoutSureness } from '../statements/statement-figures';
import { abbreviationsIn } from '../../language/abbreviations';
import { stemOf, terms } from '../../language/words';
import { tokensOf } from '../../language/tokens';
import { readQuestion } from '../question/question';
import { asksForEffect, parted } from '../question/question-kind';

export interface GapInput {
  question: string;
  sections: readonly { section: { id: string; title: string }; findings: readonly Finding[] }[];
  conflicts: readonly Conflict[];
  /** What is known of the sources that stand against each other. */
  facts: SourcesById;
  /** How many sources were searched. */
  sources: number;
  /** Absent where the collection was not searched for the question's words: nothing is said to be missing then. */
  counts: WordCounts | undefined;
  /** What sources state themselves as not known; absent where they were not asked. */
  stated?: readonly Gap[] | undefined;
  /** How many sources were read as telling a result on what is asked; absent where none is asked for, or nothing was read for it. */
  telling?: number | undefined;
}

const MOST = 8;
/** A list of the same complaint about every section tells a reader little, and nothing beside what is really missing. */
const MOST_UNCONFIRMED = 2;
/** Of fewer sources it says nothing that no more than one tells what is asked. */
const WORTH_TELLING = 3;
/** Of fewer findings it says nothing that none is confirmed. */
const WORTH_CONFIRMING = 4;
const AMOUNT = new RegExp(`\\b(?:${phrasesFor('number').join('|')})\\b`, 'i');

/**
 * What the sources leave open, each with its reason: what they never mention first, then what they deal with and no finding tells,
 * then what they say themselves that is not known. That nothing was found twice is told where there is nothing else.
 */
export function findGaps(input: GapInput): Gap[] {
  const findings = input.sections.flatMap((section) => section.findings);
  const gaps = [
    ...missing(input, findings),
    ...untold(input, findings),
    ...withoutFigure(input, findings),
    ...hardlyTold(input, findings),
    ...input.sections.filter((section) => section.findings.length === 0).map(emptySection),
    ...input.conflicts
      .filter(({ resolution }) => favouredView(resolution) === null)
      .map((conflict) => openConflict(conflict, input.facts)),
    ...(input.stated ?? []),
    ...(input.sections.length < 2 ? [] : input.sections.filter(restsOnOneSource).map(oneSource)),
  ];
  const room = gaps.length === 0 ? MOST_UNCONFIRMED : 0;
  return distinctBy([...gaps, ...unconfirmed(input).slice(0, room)], ({ question }) => question).slice(
    0,
    MOST,
  );
}

function missing({ question, sections, sources, counts }: GapInput, findings: readonly Finding[]): Gap[] {
  if (counts === undefined) return [];
  const said = [...sections.map(({ section }) => section.title), ...findings.map(saidBy)].join('\n');
  const searched =
    sources === 1
      ? 'the one source, which was searched'
      : `any of the ${sources} sources, all of which were searched`;
  return unmentionedIn(question, counts, said).map(({ phrase, comparedWith }) => ({
    question: `What is known about “${phrase}”?`,
    reason:
      comparedWith === null
        ? `No source mentions it: not a word of it stands in ${searched}.`
        : `The question compares it with “${comparedWith}”, but it is not mentioned in ${searched}.`,
  }));
}

/** Parts of the question that the collection mentions and no finding tells of, where the findings tell of other parts of it. */
function untold({ question, counts, sources }: GapInput, findings: readonly Finding[]): Gap[] {
  if (counts === undefined || findings.length < WORTH_CONFIRMING) return [];
  return untoldIn(question, counts, findings.map(saidBy).join('\n')).map(({ phrase, sentences }) => ({
    question: `What do the sources find on “${phrase}”?`,
    reason: `It is mentioned in ${sentences === 1 ? `${sentences} sentence` : `${sentences} sentences`} of the ${sources === 1 ? `${sources} source` : `${sources} sources`}, but none of the ${findings.length} findings tells of it.`,
  }));
}

function withoutFigure({ question }: GapInput, findings: readonly Finding[]): Gap[] {
  if (findings.length === 0 || !AMOUNT.test(question) || findings.some(hasFigure)) return [];
  return [
    {
      question: asQuestion(question),
      reason:
        findings.length === 1
          ? 'An amount is asked for. The only finding gives no figure.'
          : `An amount is asked for. None of the ${findings.length} findings gives a figure.`,
    },
  ];
}

/** That most of what is quoted is near to what is asked, and not on it. */
function hardlyTold({ telling }: GapInput, findings: readonly Finding[]): Gap[] {
  const quoted = new Set(findings.flatMap(({ citations }) => citations)).size;
  if (telling === undefined || telling > 1 || quoted < WORTH_TELLING) return [];
  const sources = quoted === 1 ? `${quoted} source` : `${quoted} sources`;
  return telling === 0
    ? [
        {
          question: 'Studies on just this?',
          reason: `Of the ${sources} that are quoted none was recognised as telling a result on what is asked; some may, in other words.`,
        },
      ]
    : [
        {
          question: 'More studies on just this?',
          reason: `Of the ${sources} that are quoted one was recognised as telling a result on what is asked; others may, in other words.`,
        },
      ];
}

function hasFigure(finding: Finding): boolean {
  const { results, circumstances } = figuresOf(withoutSureness(saidBy(finding)));
  return results.length + circumstances.length > 0;
}

function emptySection({ section: { id, title } }: GapInput['sections'][number]): Gap {
  return {
    question: `What do the sources say about ${withinSentence(title)}?`,
    reason: 'They deal with it, but no sentence of theirs was found that answers the question.',
    sectionId: id,
  };
}

function restsOnOneSource({ findings }: GapInput['sections'][number]): boolean {
  return findings.length > 1 && new Set(findings.flatMap(({ citations }) => citations)).size === 1;
}

function oneSource({ section: { id, title }, findings }: GapInput['sections'][number]): Gap {
  return {
    question: `What do other sources say about ${withinSentence(title)}?`,
    reason: `All ${findings.length} findings on it come from the same source.`,
    sectionId: id,
  };
}

/** A part of the report in which no two sources say the same: each finding stands for itself. */
function unconfirmed({ sections }: GapInput): Gap[] {
  if (sections.length < 2) return [];
  return sections
    .filter(
      ({ findings, section }) =>
        !restsOnOneSource({ section, findings }) &&
        findings.length >= WORTH_CONFIRMING &&
        findings.every(({ citations }) => citations.length === 1),
    )
    .map(({ section: { id, title }, findings }) => ({
      question: `Do other sources find the same on ${withinSentence(title)}?`,
      reason: `Each of the ${findings.length} findings rests on one source.`,
      sectionId: id,
    }));
}

function openConflict({ topic, viewpoints }: Conflict, facts: SourcesById): Gap {
  const counts = viewpoints.map(({ citations }) => citations.length);
  const design = designDifference(viewpoints, facts);
  return {
    question: whoIsRight(topic),
    reason:
      // Who stands on which side is told with the conflict.
      design === ''
        ? `They contradict each other (${against(counts)}), and nothing favours one side.`
        : design,
  };
}

/** `2 against 1`. */
function against([count = 0, ...others]: readonly number[]): string {
  return others.length === 0 ? `${count}` : `${count} against ${against(others)}`;
}

function saidBy({ claim, evidence }: Finding): string {
  return [claim, ...evidence.map(({ quote }) => quote)].join('\n');
}

function asQuestion(text: string): string {
  return `${capitalised(text.trim().replace(/[\s?.,;]+$/, ''))}?`;
}

function phrasesFor(kind: string): string[] {
  return data.kinds.find((entry) => entry.kind === kind)?.phrases ?? [];
}

/** A phrase of the question that stands nowhere in what was searched. */
interface Unmentioned {
  phrase: string;
  /** What the question compares it with, where it does. */
  comparedWith: string | null;
}

/** Words that share so many letters at their start may be forms of one, and were perhaps said in another form. */
const SHARED_START = 5;
/** A phrase that stands in more of the collection's sentences is no part that was overlooked. */
const RARE = 0.02;
const COMPARING = new RegExp(`\\b(?:${data.comparison.join('|')})\\b\\.?`, 'gi');

/**
 * The parts of a question of which no word stands anywhere in the collection, and the side of a comparison of which nothing
 * does that tells it from the other one. `said` is what is known to stand there, in whatever form.
 */
function unmentionedIn(question: string, { holders }: WordCounts, said: string): Unmentioned[] {
  const { asking } = readQuestion(question);
  const starts = new Set(tokensOf(said).map((token) => stemOf(token).slice(0, SHARED_START)));
  const isAbsent = (stem: string): boolean =>
    holders[stem] === 0 && !(stem.length >= SHARED_START && starts.has(stem.slice(0, SHARED_START)));
  const areAbsent = (stems: readonly string[]): boolean => stems.length > 0 && stems.every(isAbsent);
  // What the question itself explains, as “photonic crystal (PC)”, is no subject beside what it stands for.
  const explained = new Set([...abbreviationsIn(question).keys()].map(stemOf));
  const tellingIn = (phrase: string): string[] => terms(phrase).filter((stem) => !explained.has(stem));
  const sides = comparedIn(question).flatMap(([one, other]): Unmentioned[] =>
    [
      [one, other],
      [other, one],
    ].flatMap(([phrase = '', comparedWith = '']) => {
      const others = new Set(terms(comparedWith));
      const own = tellingIn(phrase).filter((stem) => !others.has(stem));
      return areAbsent(own) && !areAbsent([...others]) ? [{ phrase, comparedWith }] : [];
    }),
  );
  const phrases = parted(question, asksForEffect(question)).flatMap(({ text }): Unmentioned[] => {
    const telling = tellingIn(text).filter((stem) => !asking.has(stem));
    return areAbsent(telling) ? [{ phrase: text, comparedWith: null }] : [];
  });
  return [...sides, ...phrases.filter(({ phrase }) => !sides.some((side) => side.phrase === phrase))];
}

/**
 * The phrases of a question of which some word stands in the collection and none in what was found, and in how many sentences it
 * does; none where nothing of the question was found. What much of the collection says is told in other words.
 */
function untoldIn(
  question: string,
  { holders, sentences: all }: WordCounts,
  found: string,
): { phrase: string; sentences: number }[] {
  const { asking } = readQuestion(question);
  const starts = new Set(tokensOf(found).map((token) => stemOf(token).slice(0, SHARED_START)));
  const phrases = parted(question, asksForEffect(question)).flatMap(({ text }) => {
    const telling = terms(text).filter((stem) => !asking.has(stem));
    const sentences = Math.max(0, ...telling.map((stem) => holders[stem] ?? 0));
    const isTold = telling.some((stem) => starts.has(stem.slice(0, SHARED_START)));
    return telling.length === 0 ? [] : [{ phrase: text, sentences, isTold }];
  });
  if (!phrases.some(({ isTold }) => isTold)) return [];
  return phrases.filter(({ isTold, sentences }) => !isTold && sentences > 0 && sentences <= RARE * all);
}

/** What stands on both sides of a word that compares. */
function comparedIn(question: string): [string, string][] {
  return [...question.matchAll(COMPARING)].flatMap(({ 0: word, index }): [string, string][] => {
    const before = parted(question.slice(0, index), false).at(-1)?.text;
    const after = parted(question.slice(index + word.length), false)[0]?.text;
    return before === undefined || after === undefined ? [] : [[before, after]];
  });
}
