import { z } from 'zod';
import { AnswerSettings } from '../contracts/answer/answer-settings';
import { MAX_PATIENCE_MS } from '../contracts/run/outages';
import { ANSWER_PATIENCE_MS } from '../core/run/patience';
import { Text } from './setting-types';

/** Each with its default in the contract: they are part of a run's input. The model goes with the run's models. */
export const ConfiguredAnswers = AnswerSettings.extend({
  /** Default: the fast model. The model that writes answers, and reads for them (document 001: `synthesis.model`). */
  model: Text.nullable().default(null),
  /** Default two minutes. How long an answer waits for what is away, in milliseconds; its reply then says what is missing. */
  patienceMs: z.int().min(0).max(MAX_PATIENCE_MS).default(ANSWER_PATIENCE_MS),
});
