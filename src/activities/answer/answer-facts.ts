import type { AnswerRunInput } from '../../contracts/answer/answer-run';
import type { RunFacts } from '../shared/ports';

export type AnswerFacts = RunFacts & Pick<AnswerRunInput, 'answers'>;

export const ANSWER_WRITER = { pass: 0, step: 'answer' };
