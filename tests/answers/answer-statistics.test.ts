import { AnswerStatistics } from '../../src/contracts/answer/answer-statistics';
import { answerStatistics, type CountedAnswer } from '../../src/answers/answer-statistics';
import { passage } from './passages';

function answered(
  synthesisMode: boolean,
  documents: number,
  multi: boolean[],
  latencyMs: number,
): CountedAnswer {
  const citations = multi.map((multiSource, at) => ({ ...passage(at + 1, 's'), n: at + 1, multiSource }));
  const outcome = multi.length === 0 ? 'insufficient' : 'answered';
  return { outcome, synthesisMode, sourceDocumentCount: documents, citations, confidence: 0.8, latencyMs };
}

it('counts answers, and of those in synthesis mode their documents and multi-source citations', async () => {
  const statistics = await answerStatistics([
    answered(true, 3, [true, true, false, false], 100),
    answered(true, 2, [false], 300),
    answered(false, 9, [true], 200),
    answered(false, 0, [], 1_000),
  ]);
  expect(AnswerStatistics.parse(statistics)).toEqual({
    answers: 4,
    byOutcome: { answered: 3, insufficient: 1 },
    synthesis: { answers: 2, activationRate: 0.5, meanDocuments: 2.5, multiSourceShare: 0.4 },
    meanConfidence: 0.8,
    medianLatencyMs: 250,
  });
});

it('has no share of nothing', async () => {
  expect(AnswerStatistics.parse(await answerStatistics([]))).toEqual({
    answers: 0,
    byOutcome: {},
    synthesis: { answers: 0, activationRate: null, meanDocuments: null, multiSourceShare: null },
    meanConfidence: null,
    medianLatencyMs: null,
  });
});
