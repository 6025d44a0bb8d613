import { join } from 'node:path';
import {
  answered,
  type AskedQuestion,
  askedQuestions,
  citedSource,
  confidenceFigures,
  confidenceOf,
  openCorpus,
  readCorpus,
} from '../answering';
import { countOf, share, shareOf } from '../figures';
import { sentencesByBm25, withinTokens } from '../ranking';
import { measured, type Suite } from '../suite';
import { folded, holdsMarked } from '../texts';

/** As many as an answer has by its settings. */
const TOKENS = 400;

/** Answers to the questions of a collection, or of the file `asked`: whether they are given where there is an answer, and what they cite first. */
export const answersIn: Suite = {
  usage: 'answers-in FOLDER [--asked FILE] [--questions N --seed S] [--explain ID]',
  options: ['questions', 'seed', 'explain', 'asked'],
  async measure(call) {
    const items = askedQuestions(call.file, call.asked);
    const sources = await readCorpus(join(call.file, 'sources.jsonl'));
    const retrieve = openCorpus(sources);
    const byBm25 = sentencesByBm25(sources.map(({ entry, content }) => ({ id: entry.id, content })));
    return measured(call, {
      items,
      idOf: ({ id }) => id,
      isAlone: true,
      async find(record) {
        const { question } = record;
        const retrieved = await retrieve(question);
        const draft = await answered(question, retrieved);
        const claims = draft.sentences;
        const first = citedSource(claims[0], retrieved.passages);
        const texts = claims.map(({ plain }) => plain);
        const best = withinTokens(byBm25(question), TOKENS);
        return {
          ...judgedOf(record, first, texts),
          confidence: confidenceOf(question, draft, retrieved),
          baseline: judgedOf(
            record,
            best[0]?.source,
            best.map(({ text }) => text),
          ),
          told: `${question} (${retrieved.answerable})\n\n${draft.markdown}\n\n${draft.missing ?? ''}`,
        };
      },
      explain: ({ told }) => told,
      figures: (judged) => ({
        n: judged.length,
        ...figuresOf(judged),
        ...confidenceFigures(judged),
        baseline: figuresOf(judged.map(({ baseline }) => baseline)),
      }),
    });
  },
};

interface Judged {
  isAnswerable: boolean;
  isAnswered: boolean;
  /** Null where it is not known which sources answer. */
  isFirstRelevant: boolean | null;
  /** What a confidence is a confidence in. */
  isRight: boolean;
  /** Whether a known answer, or a marked sentence, stands in what is quoted; null where none is known. */
  holdsAnswer: boolean | null;
}

function judgedOf(record: AskedQuestion, first: string | undefined, texts: readonly string[]): Judged {
  const isAnswered = texts.length > 0;
  const isFirstRelevant = record.relevant?.includes(first ?? '') ?? null;
  return {
    isAnswerable: record.answerable,
    isAnswered,
    isFirstRelevant,
    isRight: record.answerable && isAnswered && (isFirstRelevant ?? true),
    holdsAnswer: holdsAnswer(record, texts.map(folded)),
  };
}

function holdsAnswer({ answers, evidence }: AskedQuestion, quotes: readonly string[]): boolean | null {
  if (answers !== undefined)
    return answers.map(folded).some((answer) => quotes.some((quote) => quote.includes(answer)));
  return evidence === undefined ? null : holdsMarked(evidence, quotes);
}

function figuresOf(judged: readonly Judged[]): object {
  const answerable = judged.filter(({ isAnswerable }) => isAnswerable);
  const answering = answerable.filter(({ isAnswered }) => isAnswered);
  const unanswerable = judged.filter(({ isAnswerable }) => !isAnswerable);
  const told = answering.filter((one) => one.holdsAnswer !== null);
  const known = answering.filter((one) => one.isFirstRelevant !== null);
  const firstRelevant = countOf(known, (one) => one.isFirstRelevant);
  const found = countOf(told, (one) => one.holdsAnswer);
  return {
    answerable: answerable.length,
    answered: answering.length,
    answeredShare: share(answering.length, answerable.length),
    firstRelevant: share(firstRelevant, known.length),
    ...(told.length > 0 ? { answerFound: share(found, told.length) } : {}),
    unanswerable: unanswerable.length,
    answeredAnyway: countOf(unanswerable, ({ isAnswered }) => isAnswered),
    answeredAnywayShare: shareOf(unanswerable, ({ isAnswered }) => isAnswered),
    counts: { firstRelevant, ...(told.length > 0 ? { answerFound: found, withAnswers: told.length } : {}) },
  };
}
