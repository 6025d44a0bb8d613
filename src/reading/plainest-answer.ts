import { type AnswerKind, answerCandidates, type Candidate } from '../language/answer-candidates';
import { tokensOf } from '../language/tokens';
import { placedWords } from '../language/word-positions';
import { stemOf, STOP_WORDS } from '../language/words';
import type { Question } from './question/question';
import type { RankedSentence } from './rank-sentences';

/** What a source answers. */
export interface SourceAnswer {
  /** The source's place in its collection. */
  source: number;
  sentence: string;
  answer: string;
  /** The stems of the answer. */
  words: ReadonlySet<string>;
  /** The sentence's score, less what the answer stands apart from what is asked about. */
  plainness: number;
}

/** So many of a source's sentences are looked at; what answers stands in its best ones. */
const LOOKED_AT = 2;
/** What a character costs that lies between an answer and the nearest word of the question; beyond the farthest nothing more. */
const COST_A_CHARACTER = 0.008;
const FARTHEST = 200;
/** Of an answer's words at least so many are its own, not the question's. */
const OWN_SHARE = 0.5;

/** The answer that a source gives most plainly, of its sentences in their ranking; null where they hold none. */
export function plainestAnswer(
  question: Question,
  own: readonly RankedSentence[],
  { texts, leastCoverage }: { texts: readonly string[]; leastCoverage: number },
): SourceAnswer | null {
  const asked = new Set(question.words);
  const promising = own.slice(0, LOOKED_AT).filter(({ coverage }) => coverage >= leastCoverage);
  const answers = promising.flatMap(({ sentence: place, source, score }) => {
    const sentence = texts[place] ?? '';
    const candidates = answerCandidates(sentence, kindAsked(question)).filter(({ text }) =>
      isOwn(text, question, asked),
    );
    return candidates.map((candidate): SourceAnswer => ({
      source,
      sentence,
      answer: candidate.text,
      words: new Set(tellingTokens(candidate.text).map(stemOf)),
      plainness: score - COST_A_CHARACTER * distance(candidate, sentence, asked),
    }));
  });
  return answers.reduce<SourceAnswer | null>(
    (best, answer) => (best === null || answer.plainness > best.plainness ? answer : best),
    null,
  );
}

/** Questions whose kind of answer is not known are mostly answered by names. */
function kindAsked({ kind }: Question): AnswerKind {
  return kind === 'date' || kind === 'number' ? kind : 'name';
}

function isOwn(answer: string, { said }: Question, asked: ReadonlySet<string>): boolean {
  const tokens = tellingTokens(answer);
  const own = tokens.filter((token) => !said.has(token) && !asked.has(stemOf(token)));
  return own.length > 0 && own.length >= OWN_SHARE * tokens.length;
}

/** From the candidate to the start of the nearest word that is asked about, in characters. */
function distance({ start, text }: Candidate, sentence: string, asked: ReadonlySet<string>): number {
  const places = placedWords(sentence).filter(({ stem }) => asked.has(stem));
  const distances = places.map((word) =>
    Math.min(Math.abs(word.start - start), Math.abs(word.start - start - text.length)),
  );
  return Math.min(FARTHEST, ...distances);
}

function tellingTokens(text: string): string[] {
  return tokensOf(text).filter((token) => !STOP_WORDS.has(token));
}
