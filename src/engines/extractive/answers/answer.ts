import type { Encoder } from '../../../encoder/encoder';
import { estimateTokens } from '../../../core/budget/call-estimates';
import { CHOICE, type ChoiceLimits, nearBestAmong } from '../../../reading/choose-sentences';
import type { Reading } from '../../../reading/features/features';
import { readIndexed } from '../../../reading/features/read-features';
import { readQuestion } from '../../../reading/question/question';
import type { RankedSentence } from '../../../reading/rank-sentences';
import { rankByMeaning } from '../../../reading/rank-by-meaning';
import type { AnswerInput, AnswerOutput } from '../../../steps/answer/contract';
import { type AnswerClaim, chooseClaims, titlesOf } from './answer-claims';
import { readPassages } from './answer-material';
import { arrangeClaims } from './arrange-claims';
import { asksForOneFact, isAnswered } from './is-answered';
import { caveat, noAnswer } from './missing';
import { isAboutNamed, sentencesOfNamed } from './of-what-is-named';
import { onWhatIsAsked } from './on-what-is-asked';
import { unmetAround, unmetInQuotes } from './unmet-parts';
import { writeAnswer } from './write-answer';

/** A reader wants no more sentences than this, however short they are; of one fact or one named thing fewer. */
const MOST_CLAIMS = 12;
const MOST_ON_A_FACT = 5;
/** What is asked broadly is answered by what covers so much of what the best sentences cover. */
const BROADLY = 0.5;

/** Answers with the sentences of the passages that answer best, word for word; says what is missing where none does. */
export async function answerExtractively(
  input: AnswerInput,
  encoder: Encoder | null = null,
): Promise<AnswerOutput> {
  const { question, passages, counts } = input;
  const asked = readQuestion(question);
  const material = readPassages(passages);
  const reading = readIndexed(asked, material.collection, counts);
  const ranked = await rankByMeaning(encoder, reading);
  const named = sentencesOfNamed(ranked, reading, material);
  const claims = isAnswered(reading, named[0], input.answerable)
    ? chooseClaims(readClosely(named, reading), material, {
        ...limitsFor(reading, counts.sentences),
        question,
      })
    : [];
  const sourceOf = new Map(passages.map((passage) => [passage.id, passage]));
  const write = (kept: readonly AnswerClaim[]): ReturnType<typeof writeAnswer> =>
    writeAnswer(arrangeClaims(kept, asked, titlesOf(material.sentences)), asked, (id) =>
      sourceOf.get(id ?? ''),
    );
  const kept = withinTokens(claims, input.maxTokens, (some) => write(some).markdown);
  if (kept.length === 0) {
    const nearest = ranked[0];
    const unmet = nearest === undefined ? [] : unmetAround(reading, nearest);
    const source = nearest === undefined ? undefined : material.sentences[nearest.sentence]?.source;
    return {
      markdown: '',
      sentences: [],
      uncited: [],
      missing: noAnswer(unmet, counts, source),
      setAside: [],
    };
  }
  const unmet = unmetInQuotes(
    reading,
    kept.map((claim) => claim.ranked),
  );
  return { ...write(kept), uncited: [], missing: caveat(unmet), setAside: [] };
}

/** What was read by its meaning is on what is asked; of an effect words tell as well whose it is, and on what. */
function readClosely(named: readonly RankedSentence[], reading: Reading): readonly RankedSentence[] {
  const isMeant = named[0]?.meaning !== undefined && !reading.question.asksForEffect;
  return isMeant ? named : onWhatIsAsked(named, reading);
}

/** Where an effect is asked for the best sentences count, of whatever source; else each document is heard once before any again. */
function limitsFor(reading: Reading, sentences: number): ChoiceLimits {
  const { question } = reading;
  const nearBest = nearBestAmong(sentences, question);
  if (question.asksForEffect) return { ...CHOICE, most: MOST_CLAIMS, nearBest };
  if (asksForOneFact(question) || isAboutNamed(reading))
    return { ...CHOICE, most: MOST_ON_A_FACT, inTurns: true, nearBest };
  return { ...CHOICE, most: MOST_CLAIMS, inTurns: true, nearBest: Math.min(BROADLY, nearBest) };
}

/** As many claims as there is room for, the best ones first. */
function withinTokens(
  claims: readonly AnswerClaim[],
  maxTokens: number,
  write: (claims: readonly AnswerClaim[]) => string,
): AnswerClaim[] {
  const kept: AnswerClaim[] = [];
  for (const claim of claims)
    if (estimateTokens(write([...kept, claim]).length) <= maxTokens) kept.push(claim);
  return kept;
}
