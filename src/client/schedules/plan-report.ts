import { importSources } from '../../sources/import-sources';
import { readingsOf } from '../given-sources';
import type { ReportRequest } from '../report-request';
import type { RequestedSources } from '../requested-sources';
import { InvalidRequestError } from '../run-errors';
import { settledRequest } from '../settled-request';
import { reportProblems, reportSettings, storedRules } from '../start-report';
import { absolute, checkedFiles, NO_ID_YET, type PlannedRun } from './planned-run';

/** A report of a schedule. Rejects as `startReport` does. */
export async function planReport(given: ReportRequest): Promise<PlannedRun> {
  const request = settledRequest(given);
  const { sources, outages, asOf, engine, searchAttributes } = request;
  const problems = reportProblems(request, NO_ID_YET, asOf ?? new Date().toISOString());
  if (problems.length > 0) throw new InvalidRequestError(problems);
  const paths = 'paths' in sources ? absolute(sources.paths) : [];
  const found = 'paths' in sources ? await checkedFiles(paths, sources.skipInvalid) : null;
  const question = request.question.trim();
  return {
    kind: 'report',
    question,
    engine,
    paths,
    async store(content, keptAs) {
      const input = {
        question,
        ...reportSettings(request),
        searchAttributes,
        ...(await storedRules({ content }, request, keptAs)),
        ...(outages === undefined ? {} : { outages }),
        ...(asOf === undefined ? {} : { asOf }),
        ...(found === null ? await storedOnce(content, sources, keptAs) : {}),
      };
      return { run: { kind: 'report', input }, sources: found, subtopics: null };
    },
  };
}

/** What every run of a schedule is about: sources that are stored, or are now. */
export async function storedOnce(
  content: Parameters<typeof storedRules>[0]['content'],
  sources: RequestedSources,
  keptAs: string,
): Promise<{ manifestRef: string; sourceCount: number }> {
  if ('manifestRef' in sources) return { manifestRef: sources.manifestRef, sourceCount: sources.count };
  const { skipInvalid = false } = sources;
  const stored = await importSources({ runId: keptAs, readings: readingsOf(sources), content, skipInvalid });
  return { manifestRef: stored.manifestRef, sourceCount: stored.count };
}
