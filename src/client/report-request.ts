import type { ApprovalSettings } from '../contracts/steering/messages';
import type { SynthesisSettings } from '../contracts/report/synthesis-settings';
import type { RequestedSearch } from './requested-search';
import type { RequestedSources } from './requested-sources';
import type { RunRequest, TakenUp } from './run-request';
import type { RunHandle } from './run-handle';

/** What is asked for. Only `question` has to be given, and `sources` or `search`, or both. */
export interface ReportRequest extends RunRequest {
  /** At most 4,000 characters. */
  question: string;
  sources?: RequestedSources;
  search?: RequestedSearch;
  /** Names the run; made from the time where it is absent. */
  runId?: string;
  synthesis?: Partial<SynthesisSettings>;
  /** Where it is present, the run waits so long for somebody to approve of its outline, and goes on with it then. */
  approval?: ApprovalSettings;
}

export interface StartedRun extends TakenUp {
  run: RunHandle;
}
