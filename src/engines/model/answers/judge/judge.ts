import { z } from 'zod';
import { MAX_OUTPUT_TOKENS } from '../../../../core/budget/call-estimates';
import { JUDGE_DIMENSIONS, type JudgeDimension } from '../../../../contracts/judge/dimensions';
import type { DimensionScore, JudgeOpinion } from '../../../../contracts/judge/judgement';
import type { JudgeInput, JudgeOutput } from '../../../../steps/judge/contract';
import { measuredOpinion } from '../../../../verification/whole-text/measured-opinion';
import type { Echoes } from '../../grounding/echoes';
import { type AnswerProblem, type Reading, unreadable } from '../reading';
import type { StepAnswer } from '../step-answer';
import { dimensionsIn } from './dimensions-in-answer';
import { mergeOpinions } from './merge-opinions';
import { placesOf } from './places-in-answer';
import { reasonOf, scoreWritten } from './score-in-answer';
import { smallerDocuments } from './smaller-documents';

const Place = z.object({ part: z.string(), quote: z.string() });
const Dimension = z.object({ score: z.number(), reason: z.string(), places: z.array(Place) });
const Answer = z.object({
  factualAccuracy: Dimension,
  completeness: Dimension,
  coverage: Dimension,
  coherence: Dimension,
  bias: Dimension,
});

/** A judge's answer: five scores, each with its reason and places. What it does not give is measured instead, and says so. */
export const judgeAnswer: StepAnswer<JudgeInput, JudgeOutput> = {
  schema: Answer,
  temperature: 0,
  maxOutputTokens: () => MAX_OUTPUT_TOKENS.judge,
  toOutput: opinionOf,
  smaller: ({ document, settings }, reason) =>
    reason === 'too-long' || reason === 'cut-off'
      ? smallerDocuments(document).map((smaller) => ({ document: smaller, settings }))
      : [],
  standIn: ({ document }) => measuredOpinion(document),
  merge: (_input, parts) =>
    mergeOpinions(parts.map(({ input, output }) => ({ document: input.document, opinion: output }))),
};

function opinionOf({ document }: JudgeInput, answer: unknown, echoes: Echoes): Reading<JudgeOutput> {
  const given = dimensionsIn(answer);
  if (given.size === 0) return unreadable('the answer has none of the five dimensions', 'answer-incomplete');
  const problems: AnswerProblem[] = [];
  const read = new Map<JudgeDimension, DimensionScore>();
  const findPlaces = placesOf(document);
  for (const dimension of JUDGE_DIMENSIONS) {
    const score = scoreWritten(given.get(dimension));
    if (score === null) problems.push(noScore(dimension));
    else {
      const reason = reasonOf(given.get(dimension), echoes);
      read.set(dimension, { score, reason, places: findPlaces(given.get(dimension)) });
    }
  }
  if (read.size === 0) return { output: null, problems, warnings: [], parts: 0 };
  const output = read.size === JUDGE_DIMENSIONS.length ? null : measuredOpinion(document);
  return { output: filled(read, output), problems, warnings: [], parts: read.size };
}

/** `measured` is null where the judge has given every score. */
function filled(
  read: ReadonlyMap<JudgeDimension, DimensionScore>,
  measured: JudgeOpinion | null,
): JudgeOpinion {
  const of = (dimension: JudgeDimension): DimensionScore => {
    const given = read.get(dimension) ?? measured?.[dimension];
    if (given === undefined) throw new Error(`There is no score for ${dimension}.`);
    return read.has(dimension)
      ? given
      : { ...given, reason: `Measured, as the judge gave no score: ${given.reason}` };
  };
  return {
    by: 'model',
    factualAccuracy: of('factualAccuracy'),
    completeness: of('completeness'),
    coverage: of('coverage'),
    coherence: of('coherence'),
    bias: of('bias'),
  };
}

function noScore(dimension: JudgeDimension): AnswerProblem {
  return {
    path: `${dimension}.score`,
    message: 'there is no number from 1 to 5',
    code: 'score-missing',
    warning: 'A judge gave no score from 1 to 5 for a dimension; it was measured instead.',
  };
}
