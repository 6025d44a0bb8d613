import type { BriefRequest } from '../client/brief/brief-request';
import type { Config } from '../config/config';
import { modelChoices } from '../config/model-choices';
import { runOutages } from '../config/run-outages';

/** A brief with what it leaves out as the configuration has it; `template` is the text or the name that the setting stands for. */
export function withConfiguredBrief(
  config: Pick<Config, 'engine' | 'openai' | 'report' | 'brief' | 'judge' | 'budget' | 'outages'>,
  template: string,
  request: BriefRequest,
): BriefRequest {
  return {
    engine: config.engine,
    models: modelChoices(config.openai),
    judge: config.judge,
    budget: config.budget,
    outages: runOutages(config),
    ...request,
    brief: { ...config.brief, maxWords: config.report.maxLength, template, ...request.brief },
  };
}
