import { ApprovalSettings } from '../contracts/steering/messages';
import { JudgeSettings } from '../contracts/judge/rubric';
import type { ReportRunInput } from '../contracts/report/report-run';
import { SynthesisSettings } from '../contracts/report/synthesis-settings';
import type { ArtifactRef } from '../contracts/run/artifact';
import { traitsOf } from '../contracts/run/engines';
import type { Warning } from '../contracts/run/run';
import { toArtifactText } from '../core/run/json-artifact';
import { RUN_SHAPE } from '../core/run/run-shape';
import { shapeProblems } from '../core/shapes/shape-problems';
import { count } from '../core/writing/count';
import { importSources } from '../sources/import-sources';
import { stepVersions } from '../steps/step-versions';
import { readingsOf } from './given-sources';
import { joinRun } from './join-run';
import { newRunId } from './new-run-id';
import { InvalidRequestError } from './run-errors';
import type { SettledRequest } from './settled-request';
import { askedProblems } from './starting/asked-problems';
import { startRun, type Started, type StartRecords } from './starting/start-run';

interface StoredSources {
  manifestRef: ArtifactRef;
  count: number;
  chars?: number;
  sources: number;
  warnings: Warning[];
}

/** Checks everything first, then stores the sources, then starts the run. */
export function startReport(records: StartRecords, request: SettledRequest): Promise<Started> {
  const now = new Date();
  const asOf = request.asOf ?? now.toISOString();
  const runId = request.runId ?? newRunId('report', now);
  const problems = reportProblems(request, runId, asOf);
  if (problems.length > 0) throw new InvalidRequestError(problems);
  const question = request.question.trim();
  return startRun<StoredSources, ReportRunInput>(records, {
    kind: 'report',
    runId,
    question,
    again: request.again === true,
    searchAttributes: request.searchAttributes,
    async join(running, stored) {
      const wanted = {
        ...reportSettings(request),
        ...(await storedRules(records, request, runId)),
        ...(request.asOf === undefined ? {} : { asOf }),
      };
      return joinRun(records, running, { ...request, sources: stored ?? request.sources }, wanted);
    },
    store: () => storedSources(records, request, runId),
    input: async ({ manifestRef, count, chars }) => ({
      runId,
      kind: 'report',
      question,
      manifestRef,
      sourceCount: count,
      ...(chars === undefined ? {} : { sourceChars: chars }),
      asOf,
      ...reportSettings(request),
      stepVersions,
      ...(await storedRules(records, request, runId)),
      shape: RUN_SHAPE,
      ...(request.approval === undefined ? {} : { approval: request.approval }),
      ...(request.outages === undefined ? {} : { outages: request.outages }),
      searchAttributes: request.searchAttributes,
    }),
    details: ({ count: sources }) => `${count(sources, 'source')} · engine \`${request.engine}\``,
  });
}

/** What a request sets, beside what it is about. */
export function reportSettings(
  request: SettledRequest,
): Pick<ReportRunInput, 'engine' | 'models' | 'synthesis' | 'judge' | 'budget'> {
  const { engine, models = null, synthesis, budget } = request;
  const judge = JudgeSettings.parse(request.judge ?? {});
  return { engine, models: traitsOf(engine).asksModels ? models : null, synthesis, judge, budget };
}

async function storedSources(
  { content }: StartRecords,
  { sources }: SettledRequest,
  runId: string,
): Promise<StoredSources> {
  if ('manifestRef' in sources) return { ...sources, sources: sources.count, warnings: [] };
  const { skipInvalid = false } = sources;
  const stored = await importSources({ runId, readings: readingsOf(sources), content, skipInvalid });
  return { ...stored, sources: stored.count };
}

/** Rules on quality may be many; the run is told where they are. */
export async function storedRules(
  { content }: Pick<StartRecords, 'content'>,
  { synthesis }: SettledRequest,
  runId: string,
): Promise<Pick<ReportRunInput, 'synthesis' | 'qualityRulesRef'>> {
  if (synthesis.sourceQualityRules.length === 0) return { synthesis };
  const qualityRulesRef = await content.store(runId, toArtifactText(synthesis.sourceQualityRules));
  return { synthesis: { ...synthesis, sourceQualityRules: [] }, qualityRulesRef };
}

/** Everything that is wrong with a request, as sentences. */
export function reportProblems(request: SettledRequest, runId: string, asOf: string): string[] {
  const { question, sources, engine, models, budget, outages } = request;
  return [
    ...askedProblems({ question, runId, asOf, engine, models, budget, outages }),
    ...('paths' in sources && sources.paths.length === 0
      ? ['sources has no path; at least one is needed']
      : []),
    ...('manifestRef' in sources && sources.count < 1
      ? ['sources has no source; at least one is needed']
      : []),
    ...shapeProblems([
      ['synthesis', SynthesisSettings, request.synthesis],
      ['judge', JudgeSettings.optional(), request.judge],
      ['approval', ApprovalSettings.optional(), request.approval],
    ]),
  ];
}
