import { meanOf, rounded, share } from '../shares.mjs';

/** The figures of a collection from what was judged of each question; shares are means over questions, with the pooled counts. */
export function figuresOf(judged) {
  const answerable = judged.filter(({ isAnswerable }) => isAnswerable);
  const unanswerable = judged.filter(({ isAnswerable }) => !isAnswerable);
  const known = answerable.filter(({ isKnown }) => isKnown);
  const answered = answerable.filter(({ isAnswered }) => isAnswered);
  const withAnswers = answerable.filter(({ answers }) => answers !== undefined);
  const withEvidence = answerable.filter(({ isEvidenceFirst }) => isEvidenceFirst !== undefined);
  const sum = (list, key) => list.reduce((total, entry) => total + entry[key], 0);
  return {
    answerable: answerable.length,
    answered: answered.length,
    empty: answerable.length - answered.length,
    citedPrecision: meanOf(
      known
        .filter(({ isAnswered }) => isAnswered)
        .map((entry) => entry.relevantCitations / Math.max(1, entry.citations)),
    ),
    citedRecall: meanOf(known.map((entry) => entry.relevantFound / entry.relevantWanted)),
    ...(withAnswers.length > 0
      ? { answersFound: meanOf(withAnswers.map((entry) => entry.answersFound / entry.answers)) }
      : {}),
    ...(withEvidence.length > 0
      ? {
          evidenceAt1: share(
            withEvidence.filter((entry) => entry.isEvidenceFirst).length,
            withEvidence.length,
          ),
        }
      : {}),
    unanswerable: unanswerable.length,
    answeredAnyway: unanswerable.filter(({ isAnswered }) => isAnswered).length,
    counts: {
      citations: sum(answered, 'citations'),
      relevantCitations: sum(answered, 'relevantCitations'),
      relevantFound: sum(answerable, 'relevantFound'),
      relevantWanted: sum(answerable, 'relevantWanted'),
      ...(withAnswers.length > 0
        ? { answersFound: sum(withAnswers, 'answersFound'), answers: sum(withAnswers, 'answers') }
        : {}),
      ...(withEvidence.length > 0
        ? {
            evidenceFirst: withEvidence.filter((entry) => entry.isEvidenceFirst).length,
            withEvidence: withEvidence.length,
          }
        : {}),
    },
  };
}

/** Milliseconds a question of each activity. */
export function timesOf(times, questions) {
  return Object.fromEntries([...times].map(([name, ms]) => [name, rounded(ms / Math.max(1, questions), 1)]));
}
