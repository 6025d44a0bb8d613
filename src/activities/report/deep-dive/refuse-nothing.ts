import { traitsOf } from '../../../contracts/run/engines';
import type { ExtractFindingsInput, ExtractFindingsOutput } from '../../../steps/extract-findings/contract';
import { extractFindings } from '../../../steps/extract-findings/extract-findings';
import { noteFailure } from '../../../engines/failure-notes';
import { StepFailedError } from '../../../engines/step-failed-error';
import type { ActivityPorts, ReportFacts } from '../../shared/ports';
import type { Spent } from '../../shared/run-step';

/**
 * A model that finds nothing where reading says that something answers has given nothing usable: it is asked again, and
 * then the sources are quoted, as after any answer that cannot be used.
 */
export async function refuseNothing(
  { threads }: Pick<ActivityPorts, 'threads'>,
  run: ReportFacts,
  { question, sources, counts }: ExtractFindingsInput,
  { output, usage }: { output: ExtractFindingsOutput } & Spent,
  signal: AbortSignal,
): Promise<void> {
  if (!traitsOf(run.engine).asksModels || output.findings.length > 0 || sources.length === 0) return;
  if (!(await threads.run('sources-answer', { question, sources, counts }, signal))) return;
  const error = new StepFailedError(extractFindings.name, [
    { path: 'findings', message: 'the model found nothing in sources that answer the question' },
  ]);
  noteFailure(error, { spent: usage, advice: null });
  throw error;
}
