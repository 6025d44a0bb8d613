import type { Encoder } from '../../../encoder/encoder';
import { estimateTokens } from '../../../core/budget/call-estimates';
import { CHOICE, type ChoiceLimits, nearBestAmong, meanOfBest } from '../../../reading/choose-sentences';
import { type Reading, weightedShare } from '../../../reading/features/features';
import { readIndexed } from '../../../reading/features/read-features';
import { readQuestion } from '../../../reading/question/question';
import type { RankedSentence } from '../../../reading/rank-sentences';
import { rankByMeaning } from '../../../reading/rank-by-meaning';
import type { AnswerInput, AnswerOutput } from '../../../steps/answer/contract';
import { type AnswerClaim, chooseClaims, titlesOf } from './answer-claims';
import { readPassages, type AnswerMaterial } from './answer-material';
import { arrangeClaims } from './arrange-claims';
import { asksForOneFact, isAnswered } from './is-answered';
import { caveat, noAnswer } from './missing';
import { unmetAround, unmetInQuotes } from './unmet-parts';
import { writeAnswer } from './write-answer';
import { tokensOf } from '../../../language/tokens';
import { parted } from '../../../reading/question/question-kind';
import { terms } from '../../../language/words';

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
  const write = (kept: readonly AnswerClaim[]): ReturnType<typeof writeAnswer> => {
    const arranged = arrangeClaims(kept, asked, titlesOf(material.sentences));
    return writeAnswer(arranged, { question: asked }, (id) => sourceOf.get(id ?? ''));
  };
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

/** Names that weigh so much of the question are what it is about: “the median age in Riceville”. */
const ABOUT_NAMES = 0.4;
/** What names less of them than this share, or than this share of the one that names most, is of something else. */
const LEAST_NAMED = 0.5;
const NEAR_MOST = 0.8;
const NEIGHBOURS = 2;
const QUOTED = /["“]([^"“”]+)["”]/g;

/**
 * The sentences that are of what the question names, in their order: a title in quotation marks stands as it is written, the
 * names that it is about stand for the most part, in the sentence, beside it or in its document's title. None where none is.
 */
function sentencesOfNamed(
  ranked: readonly RankedSentence[],
  reading: Reading,
  material: AnswerMaterial,
): RankedSentence[] {
  const quoted = [...reading.question.text.matchAll(QUOTED)].map(([, title = '']) => spaced(title));
  const titled = ranked.filter(({ sentence }) => {
    const around = quoted.length === 0 ? '' : contextOf(sentence, material);
    return quoted.every((title) => around.includes(title));
  });
  const columns = columnsOfNames(reading);
  if (columns.length === 0) return titled;
  const { matches, union, weights } = reading;
  const named = titled.map(({ sentence }) =>
    weightedShare(union, sentence * matches.columns, weights, columns),
  );
  const least = Math.max(LEAST_NAMED, NEAR_MOST * Math.max(0, ...named));
  return titled.filter((_sentence, at) => (named[at] ?? 0) >= least);
}

/** Whether a question is about what it names, and so a narrow one: “What was the rank of General Seitz?” */
function isAboutNamed(reading: Reading): boolean {
  return columnsOfNames(reading).length > 0;
}

/** The columns of the question's names, where it is about them. */
function columnsOfNames({ question, weights, whole }: Reading): number[] {
  const columns = question.names.map((name) => question.words.indexOf(name));
  const weight = columns.reduce((sum, column) => sum + (weights[column] ?? 0), 0);
  // A study names its treatment in the title and tells of it as a group's.
  return !question.asksForEffect && weight >= ABOUT_NAMES * whole ? columns : [];
}

function contextOf(sentence: number, { collection, sentences }: AnswerMaterial): string {
  const { from = 0, to = 0 } = collection.sources[collection.sourceOf[sentence] ?? 0] ?? {};
  const near = collection.texts.slice(
    Math.max(from, sentence - NEIGHBOURS),
    Math.min(to, sentence + NEIGHBOURS + 1),
  );
  return [sentences[sentence]?.source.title ?? '', ...near].map(spaced).join('');
}

function spaced(text: string): string {
  return ` ${tokensOf(text).join(' ')} `;
}

/** A sentence tells of an outcome where it has so much of the words for it. */
const OF_THE_OUTCOME = 0.5;
/** A phrase of several words stands where more than one of two does. */
const OF_A_PHRASE = 0.6;
/** What more of the documents speak of does not tell one from another. */
const SPOKEN_OF_BY_MOST = 0.5;
/** What covers so much of what the best sentences cover is on it all the same. */
const NEARLY_AS_MUCH = 0.5;

/**
 * The sentences that are on what is asked, in their order. Where an effect is asked for they tell of what it is asked of, or of
 * one of its phrases; else a document is heard where it speaks of a phrase that others do not, in the sentence, beside it or
 * in its title, and again with sentences that do so themselves. All sentences where that tells nothing.
 */
function onWhatIsAsked(all: readonly RankedSentence[], reading: Reading): RankedSentence[] {
  const ranked = ofTheTreatment(all, reading);
  const { question, matches, union, weights } = reading;
  const { held, columns: width } = matches;
  const phrases = tellingPhrases(reading);
  const outcome = columnsOfWords(question.last, reading);
  const share = (rows: Float32Array, sentence: number, columns: readonly number[]): number =>
    weightedShare(rows, sentence * width, weights, columns);
  const hasPhrase = (rows: Float32Array, sentence: number): boolean =>
    phrases.some((phrase) => share(rows, sentence, phrase) >= OF_A_PHRASE);
  const nearly = NEARLY_AS_MUCH * meanOfBest(ranked, 'coverage');
  const isOnIt = ({ sentence, coverage }: RankedSentence): boolean =>
    question.asksForEffect
      ? share(held, sentence, outcome) >= OF_THE_OUTCOME || hasPhrase(held, sentence)
      : coverage >= nearly || hasPhrase(union, sentence);
  const onIt = question.asksForEffect || phrases.length > 0 ? ranked.filter(isOnIt) : [];
  return onIt.length > 0 ? onIt : [...ranked];
}

/**
 * Where an effect is asked for, the sentences of documents that have any word of what is to have it: another treatment's result
 * on the same outcome is no answer. All sentences where no document has one, or no effect is asked for.
 */
function ofTheTreatment(ranked: readonly RankedSentence[], reading: Reading): readonly RankedSentence[] {
  const { question, sourceTexts, matches, weights } = reading;
  if (!question.asksForEffect) return ranked;
  const treatments = parted(question.text, true).filter(({ isOutcome }) => !isOutcome);
  const words = treatments.flatMap(({ text }) => terms(text));
  const columns = columnsOfWords(words, reading);
  const ofIt = ranked.filter(
    ({ source }) => weightedShare(sourceTexts, source * matches.columns, weights, columns) > 0,
  );
  return ofIt.length > 0 ? ofIt : ranked;
}

/** The phrases that say what is asked about, without what most of the documents speak of. */
function tellingPhrases(reading: Reading): number[][] {
  const { question, sourceTexts, matches, weights, collection } = reading;
  const { text, asksForEffect, asking } = question;
  const places = [...collection.sources.keys()];
  return parted(text, asksForEffect)
    .filter(({ isOutcome }) => isOutcome || !asksForEffect)
    .map((phrase) =>
      columnsOfWords(
        terms(phrase.text).filter((word) => !asking.has(word)),
        reading,
      ),
    )
    .filter((columns) => {
      const speaking = places.filter(
        (source) => weightedShare(sourceTexts, source * matches.columns, weights, columns) >= OF_A_PHRASE,
      );
      return columns.length > 0 && speaking.length <= SPOKEN_OF_BY_MOST * places.length;
    });
}

function columnsOfWords(words: readonly string[], { question }: Reading): number[] {
  return [...new Set(words)].flatMap((word) => {
    const column = question.words.indexOf(word);
    return column < 0 ? [] : [column];
  });
}
