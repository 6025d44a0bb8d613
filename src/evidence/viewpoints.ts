import { indexSources, type ReadableSource } from '../text/collection';
import { type AnswerCandidate, answerCandidates, type AnswerKind, readIndexed } from '../text/features';
import type { Question } from '../text/question';
import { type RankedSentence, rankSentences } from '../text/ranking';
import { tokensOf } from '../text/sentences';
import { placedWords, stemOf, STOP_WORDS } from '../text/words';

export interface Viewpoint {
  answer: string;
  sources: string[];
  sentence: string;
}

const MAX_VIEWPOINTS = 6;
/** Maximum distance from the best answer, in log-odds. Greater values find more disagreements, and more false ones. */
const NEAR_BEST = 0.4;
const COVERAGE_SHARE = 0.5;
/** Minimum word overlap of forms of one answer: “1829” and “2 July 1829”. */
const SHARED = 0.5;

/** The different answers of sources, plainest first; at most one for each source. One answer means agreement. */
export function findViewpoints(question: Question, sources: readonly ReadableSource[]): Viewpoint[] {
  const collection = indexSources(sources);
  const ranked = rankSentences(readIndexed(question, collection), { most: Infinity });
  const leastCoverage = COVERAGE_SHARE * Math.max(0, ...ranked.map(({ coverage }) => coverage));
  const answers = sources
    .flatMap((_source, place) => {
      const own = ranked.filter(({ source }) => source === place);
      return plainestAnswer(question, own, { texts: collection.texts, leastCoverage }) ?? [];
    })
    .sort((a, b) => b.plainness - a.plainness || a.source - b.source);
  const wanted = (answers[0]?.plainness ?? 0) - NEAR_BEST;
  const near = answers.filter(({ plainness }) => plainness >= wanted);
  return grouped(near, sources)
    .slice(0, MAX_VIEWPOINTS)
    .map(({ first, places }) => ({
      answer: first.answer,
      sources: places.flatMap((place) => sources[place]?.id ?? []),
      sentence: first.sentence,
    }));
}

interface Group {
  first: SourceAnswer;
  places: number[];
}

function grouped(answers: readonly SourceAnswer[], sources: readonly ReadableSource[]): Group[] {
  const texts = sources.map(({ sentences }) => spaced(sentences.join(' ')));
  const groups: Group[] = [];
  for (const answer of answers) {
    const same = groups.find(({ first }) => areSameAnswer(first, answer, texts));
    if (same === undefined) groups.push({ first: answer, places: [answer.source] });
    else same.places.push(answer.source);
  }
  return groups;
}

/** A source that also has the other answer does not contradict it. */
function areSameAnswer(one: SourceAnswer, other: SourceAnswer, texts: readonly string[]): boolean {
  const shared = [...one.words].filter((word) => other.words.has(word)).length;
  if (shared > 0 && shared >= SHARED * Math.min(one.words.size, other.words.size)) return true;
  const holds = (source: number, answer: string): boolean => (texts[source] ?? '').includes(spaced(answer));
  return holds(one.source, other.answer) || holds(other.source, one.answer);
}

function spaced(text: string): string {
  return ` ${tokensOf(text).join(' ')} `;
}

interface SourceAnswer {
  source: number;
  sentence: string;
  answer: string;
  words: ReadonlySet<string>;
  /** Score of the sentence, less the distance of the answer from the question's words. */
  plainness: number;
}

const EXAMINED_SENTENCES = 2;
const COST_PER_CHAR = 0.008;
const MAX_DISTANCE = 200;
const OWN_SHARE = 0.5;

function plainestAnswer(
  question: Question,
  own: readonly RankedSentence[],
  { texts, leastCoverage }: { texts: readonly string[]; leastCoverage: number },
): SourceAnswer | null {
  const asked = new Set(question.words);
  const promising = own.slice(0, EXAMINED_SENTENCES).filter(({ coverage }) => coverage >= leastCoverage);
  const answers = promising.flatMap(({ sentence: place, source, score }) => {
    const sentence = texts[place] ?? '';
    const candidates = answerCandidates(sentence, answerKindOf(question)).filter(({ text }) =>
      isNewAnswer(text, question, asked),
    );
    return candidates.map((candidate): SourceAnswer => ({
      source,
      sentence,
      answer: candidate.text,
      words: new Set(contentTokens(candidate.text).map(stemOf)),
      plainness: score - COST_PER_CHAR * distance(candidate, sentence, asked),
    }));
  });
  return answers.reduce<SourceAnswer | null>(
    (best, answer) => (best === null || answer.plainness > best.plainness ? answer : best),
    null,
  );
}

/** Most questions of unknown kind are answered by names. */
function answerKindOf({ kind }: Question): AnswerKind {
  return kind === 'date' || kind === 'number' ? kind : 'name';
}

function isNewAnswer(answer: string, { said }: Question, asked: ReadonlySet<string>): boolean {
  const tokens = contentTokens(answer);
  const own = tokens.filter((token) => !said.has(token) && !asked.has(stemOf(token)));
  return own.length > 0 && own.length >= OWN_SHARE * tokens.length;
}

function distance({ start, text }: AnswerCandidate, sentence: string, asked: ReadonlySet<string>): number {
  const places = placedWords(sentence).filter(({ stem }) => asked.has(stem));
  const distances = places.map((word) =>
    Math.min(Math.abs(word.start - start), Math.abs(word.start - start - text.length)),
  );
  return Math.min(MAX_DISTANCE, ...distances);
}

function contentTokens(text: string): string[] {
  return tokensOf(text).filter((token) => !STOP_WORDS.has(token));
}
