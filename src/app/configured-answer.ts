import type { AnswerRequest } from '../client/answer/answer-request';
import type { Config } from '../config/config';
import { modelChoices } from '../config/model-choices';
import { answerOutages } from '../config/run-outages';

/** A question with what it leaves out as the configuration has it. */
export function withConfiguredAnswer(
  config: Pick<Config, 'engine' | 'openai' | 'answers' | 'budget' | 'outages'>,
  request: AnswerRequest,
): AnswerRequest {
  const { engine, openai, budget } = config;
  const { model, patienceMs: _waited, ...answers } = config.answers;
  const models = { ...openai.models, fast: model ?? openai.models.fast };
  return {
    engine,
    models: modelChoices({ ...openai, models }),
    budget,
    outages: answerOutages(config),
    ...request,
    answers: { ...answers, ...request.answers },
  };
}
