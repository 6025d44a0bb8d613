import type { ReportFacts } from '../../activities/shared/ports';
import type { ReportRunInput } from '../../contracts/report/report-run';
import type { Run } from '../run/run';
import type { CarriedReport } from './carried-report';

/** A report as its passes see it. */
export type ReportRun = Run<ReportRunInput, CarriedReport, ReportFacts>;
