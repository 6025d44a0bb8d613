import type { AnswerRunInput } from '../../../contracts/answer/answer-run';
import type { AnswerMessage } from '../../../contracts/answer/message';
import answerStart from '../../../contracts/schemas/answer-start.json';
import { questionAsked } from '../../../answers/question-asked';
import { ANSWER_PATIENCE_MS } from '../../../core/run/patience';
import { fillDefaults, startProblems } from '../../run/input/start-problems';
import type { JsonSchema } from '../../../core/shapes/json-schema';
import { schemaProblems } from '../../run/input/schema-problems';
import type { ReadInput } from '../../run/kind';

// A test holds that the schema has no keywords that are not known.
const SCHEMA = answerStart as JsonSchema;
const QUESTION = SCHEMA.properties?.question ?? {};

type Filled = Omit<AnswerRunInput, 'question' | 'asOf'> & {
  question?: string;
  messages?: AnswerMessage[];
  asOf?: string;
};

/**
 * What somebody gave the workflow as the input of an answer, with its defaults, or everything that is wrong with it. Pure, and
 * without zod, which is too much for the workflow's sandbox. `startedAt` is an ISO 8601 time.
 */
export function readAnswerStart(
  given: unknown,
  run: { runId: string; startedAt: string },
): ReadInput<AnswerRunInput> {
  const problems = schemaProblems(SCHEMA, given);
  if (problems.length > 0) return { problems };
  // The schema is made of the contract whose type this is, and the value fits it.
  const { messages, ...filled } = fillDefaults(SCHEMA, given) as Filled;
  const asked = questionAsked({ ...filled, messages });
  if (asked === null) return { problems: [NOTHING_ASKED] };
  const input = {
    ...filled,
    ...asked,
    asOf: filled.asOf ?? run.startedAt,
    outages: filled.outages ?? { patienceMs: ANSWER_PATIENCE_MS, afterwards: 'fail' },
    runId: run.runId,
  } satisfies AnswerRunInput;
  const further = [
    ...schemaProblems(QUESTION, input.question, 'the first message of a human'),
    ...fieldProblems(input),
  ];
  return further.length > 0 ? { problems: further } : { input };
}

const NOTHING_ASKED =
  'question is missing; allowed: a text that asks something, or messages, the first of which by a human (role human or user) asks it';

function fieldProblems(input: AnswerRunInput): string[] {
  const { manifestRef, sourceCount } = input;
  const problems = startProblems(input);
  if (manifestRef !== undefined && sourceCount === 0)
    problems.push('sourceCount is 0; allowed: how many sources the list of manifestRef has');
  return problems;
}
