import type { Conflict, Evidence, Finding } from '../../contracts/report/finding';
import { type Question, readQuestion } from '../question/question';
import { mayContradict } from '../statements/compare-statements';
import { readStatement } from '../statements/statement';
import { findViewpoints } from '../viewpoints';

/** Different answers, by findings of different sources, to a question for a date, an amount or a name. */
export function answerConflicts(question: string, findings: readonly Finding[]): Conflict[] {
  const answers = toldAnswers(readQuestion(question), findings);
  if (answers.length < 2) return [];
  return [
    {
      id: 'conflict-answers',
      topic: `the answer to “${question.replace(/\s+/g, ' ').trim()}”`,
      kind: 'number',
      viewpoints: answers.map(({ evidence }) => ({
        statement: evidence[0]?.quote.replace(/\s+/g, ' ') ?? '',
        citations: evidence.map(({ sourceId }) => sourceId),
        evidence,
      })),
      resolution: 'present_both',
      reason: 'The sources give different answers, or speak of different things by one name.',
      findingIds: [...new Set(answers.flatMap(({ findingIds }) => findingIds))],
    },
  ];
}

interface ToldAnswer {
  answer: string;
  /** One quote a source; the first holds the answer most plainly. */
  evidence: Evidence[];
  findingIds: string[];
}

const ONE_ANSWER: ReadonlySet<Question['kind']> = new Set(['date', 'number', 'name']);

/**
 * The different answers of findings to a question for a date, an amount or a name; none for other questions. An amount that
 * may well be right beside the plainest one (at another time, elsewhere, in another unit, within rounding) is no other answer.
 */
function toldAnswers(question: Question, findings: readonly Finding[]): ToldAnswer[] {
  if (question.asksForEffect || !ONE_ANSWER.has(question.kind)) return [];
  const quotes = findings.flatMap(({ id, evidence }) => evidence.map((item) => ({ id, item })));
  const ids = [...new Set(quotes.map(({ item }) => item.sourceId))];
  const sources = ids.map((id) => ({
    id,
    title: '',
    sentences: quotes.filter(({ item }) => item.sourceId === id).map(({ item }) => item.quote),
  }));
  const [plainest, ...others] = findViewpoints(question, sources);
  if (plainest === undefined) return [];
  const first = readStatement(plainest.sentence);
  const different =
    question.kind === 'number'
      ? others.filter(({ sentence }) => mayContradict(first, readStatement(sentence)))
      : others;
  return [plainest, ...different].map(({ answer, sources: giving, sentence }) => {
    const told = giving.flatMap((sourceId) => {
      const own = quotes.filter(({ item }) => item.sourceId === sourceId);
      return own.find(({ item }) => item.quote === sentence || item.quote.includes(answer)) ?? own[0] ?? [];
    });
    return {
      answer,
      evidence: told.map(({ item }) => item),
      findingIds: [...new Set(told.map(({ id }) => id))],
    };
  });
}
