import type { AnswerRequest } from '../client/answer/answer-request';
import type { BriefRequest } from '../client/brief/brief-request';
import type { ReportRequest } from '../client/report-request';
import type { RequestedSearch } from '../client/requested-search';
import type { RunRequest } from '../client/run-request';
import type { Config } from '../config/config';
import { modelChoices } from '../config/model-choices';
import { answerOutages, runOutages } from '../config/run-outages';
import { configuredSearch } from './configured-search';

type Asked = Pick<Config, 'engine' | 'openai' | 'budget' | 'outages'>;

/** A request of a report with what it leaves out as the configuration has it. */
export function configuredReport(
  config: Asked & Pick<Config, 'synthesis' | 'judge' | 'fetch' | 'search'>,
  request: ReportRequest,
): ReportRequest {
  const synthesis = { ...config.synthesis, ...request.synthesis };
  const models = modelChoices(config.openai, synthesis);
  return {
    ...conditions(config),
    judge: config.judge,
    models,
    ...request,
    ...searchOf(config, request),
    synthesis,
  };
}

/** As `configuredReport`, of a brief; `template` is the text or the name that the setting stands for. */
export function configuredBrief(
  config: Asked & Pick<Config, 'report' | 'brief' | 'judge'>,
  template: string,
  request: BriefRequest,
): BriefRequest {
  const brief = { ...config.brief, maxWords: config.report.maxLength, template, ...request.brief };
  return { ...conditions(config), judge: config.judge, ...request, brief };
}

/** As `configuredReport`, of an answer, which has a model and a patience of its own. */
export function configuredAnswer(
  config: Asked & Pick<Config, 'answers' | 'fetch' | 'search'>,
  request: AnswerRequest,
): AnswerRequest {
  const { model, patienceMs: _waited, ...answers } = config.answers;
  const { models: roles } = config.openai;
  const models = modelChoices({ ...config.openai, models: { ...roles, fast: model ?? roles.fast } });
  const outages = answerOutages(config);
  return {
    ...conditions(config),
    models,
    outages,
    ...request,
    ...searchOf(config, request),
    answers: { ...answers, ...request.answers },
  };
}

function searchOf(
  config: Pick<Config, 'fetch' | 'search'>,
  { search }: { search?: RequestedSearch },
): { search?: RequestedSearch } {
  return search === undefined ? {} : { search: configuredSearch(config, search) };
}

function conditions(config: Asked): RunRequest {
  const { engine, openai, budget } = config;
  return {
    engine,
    models: modelChoices(openai),
    budget,
    outages: runOutages(config),
  };
}
