import type { AnswerRequest } from '../client/answer/answer-request';
import type { Config } from '../config/config';
import { modelChoices } from '../config/model-choices';

/** A question with what it leaves out as the configuration has it; how long it waits is said by the request alone. */
export function withConfiguredAnswer(
  config: Pick<Config, 'engine' | 'openai' | 'budget'>,
  request: AnswerRequest,
): AnswerRequest {
  return {
    engine: config.engine,
    models: modelChoices(config.openai),
    budget: config.budget,
    ...request,
  };
}
