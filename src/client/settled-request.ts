import { SynthesisSettings } from '../contracts/report/synthesis-settings';
import type { BudgetLimits } from '../contracts/run/run-input';
import type { EngineName } from '../contracts/run/run';
import type { ReportRequest } from './report-request';

/** A request with the defaults of what it leaves out. */
export interface SettledRequest extends ReportRequest {
  engine: EngineName;
  synthesis: SynthesisSettings;
  budget: BudgetLimits;
  searchAttributes: boolean;
}

/** What is given is taken as it is: whether it is allowed is looked at when the run is started. */
export function settledRequest(request: ReportRequest): SettledRequest {
  const { engine = 'extractive', synthesis = {}, budget = {}, searchAttributes = false } = request;
  return {
    ...request,
    engine,
    synthesis: { ...SynthesisSettings.parse({}), ...synthesis },
    budget,
    searchAttributes,
  };
}
