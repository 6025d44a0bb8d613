import { built } from '../built.mjs';
import { meanOf, rounded } from '../shares.mjs';
import { passageVerifier } from './passage-verifier.mjs';

const BINS = 5;

/** How sure the product says it is of an answer: what stands after an audit by words is replied as a run replies it. */
export function confidenceOf(question, draft, { passages, searched, answerable }) {
  const { settleAnswer } = built('answers/settle-answer.js');
  const { writeReply } = built('answers/write-reply.js');
  const { ANSWERED_FROM } = built('reading/collection/answerable.js');
  const { AnswerSettings } = built('contracts/answer/answer-settings.js');
  const verifier = passageVerifier(passages);
  const verdicts = new Map(
    draft.sentences.flatMap(({ isClaim, plain, passageIds }, at) =>
      isClaim ? [[at, verifier.verify(plain, passageIds)]] : [],
    ),
  );
  return writeReply({
    question,
    draft: settleAnswer(draft, verdicts),
    passages,
    documents: searched.documents,
    answerable,
    answeredFrom: ANSWERED_FROM,
    overCompression: false,
    observations: 0,
    settings: AnswerSettings.parse({}),
  }).confidence;
}

/**
 * Expected calibration error: how far, on average, the confidence of a fifth of the answers is from the share of them that answer.
 * The fifths are by their confidence and of equal count, but that answers of the same confidence are never parted: their order
 * would decide what is measured. Records have `confidence` and `isRight`.
 */
export function confidenceError(records) {
  const { groupedBy } = built('core/values/grouped-by.js');
  const below = (limit) => records.filter(({ confidence }) => confidence < limit).length;
  const binOf = ({ confidence }) => {
    const same = records.filter((one) => one.confidence === confidence).length;
    return Math.floor((BINS * (below(confidence) + same / 2)) / records.length);
  };
  const distances = [...groupedBy(records, binOf).values()].map((bin) => {
    const sure = bin.reduce((sum, { confidence }) => sum + confidence, 0);
    return Math.abs(sure - bin.filter(({ isRight }) => isRight).length);
  });
  const all = distances.reduce((sum, distance) => sum + distance, 0);
  return records.length === 0 ? null : rounded(all / records.length);
}

/** The mean confidence beside the share that answers, which says in which direction it errs. */
export function confidenceFigures(records) {
  return {
    confidenceError: confidenceError(records),
    meanConfidence: meanOf(records.map(({ confidence }) => confidence)),
    answersShare: meanOf(records.map(({ isRight }) => Number(isRight))),
  };
}
