import type { ReportRequest } from '../client/report-request';
import type { Config } from '../config/config';
import { modelChoices } from '../config/model-choices';
import { runOutages } from '../config/run-outages';

/** A request with what it leaves out as the configuration has it. */
export function withConfiguredDefaults(
  config: Pick<Config, 'engine' | 'openai' | 'synthesis' | 'judge' | 'budget' | 'outages'>,
  request: ReportRequest,
): ReportRequest {
  const synthesis = { ...config.synthesis, ...request.synthesis };
  return {
    engine: config.engine,
    models: modelChoices(config.openai, synthesis),
    judge: config.judge,
    budget: config.budget,
    outages: runOutages(config),
    ...request,
    synthesis,
  };
}
