import type { AnswerRunInput } from '../../contracts/answer/answer-run';
import type { RunFacts } from '../shared/ports';

/** What the steps of an answer are told of it: what every step is, and the settings. */
export type AnswerFacts = RunFacts & Pick<AnswerRunInput, 'answers'>;

/** Under whose name that text is told. */
export const ANSWER_WRITER = { pass: 0, step: 'answer' };
