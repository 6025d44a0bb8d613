import type { AnswerFacts } from '../../activities/answer/answer-facts';
import type { AnswerRunInput } from '../../contracts/answer/answer-run';
import type { Run } from '../run/run';
import type { CarriedAnswer } from './carried-answer';

/** An answer as its steps see it. */
export type AnswerRun = Run<AnswerRunInput, CarriedAnswer, AnswerFacts>;
