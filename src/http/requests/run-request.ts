import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { withTexts } from '../../app/subtopic-texts';
import { webhookProblem } from '../../app/configured-webhooks';
import { InvalidRequestError } from '../../client/run-errors';
import type { AnswerRequest } from '../../client/answer/answer-request';
import type { BriefRequest } from '../../client/brief/brief-request';
import type { ReportRequest } from '../../client/report-request';
import type { TakenUp } from '../../client/run-request';
import { AnswerMessage } from '../../contracts/answer/message';
import { BriefSettings } from '../../contracts/brief/brief-settings';
import { GivenSubtopic, MOST_SUBTOPICS } from '../../contracts/brief/subtopic';
import { SynthesisSettings } from '../../contracts/report/synthesis-settings';
import { AskedLimits } from '../../contracts/run/run-input';
import { EngineName } from '../../contracts/run/run';
import { SearchBounds } from '../../contracts/run/search';
import { SearchIndexName } from '../../contracts/run/search-indexes';
import { Webhook } from '../../contracts/run/webhook';
import { ApprovalSettings } from '../../contracts/steering/messages';
import type { Face } from '../face';
import { ownRun } from '../routes/own-run';
import { GivenSources, readableSources } from './given-sources';

const { targetReportLength, citationStyle, unsupportedClaims } = SynthesisSettings.shape;
const { words, template, unsupportedClaims: unsupportedInBriefs } = BriefSettings.shape;
const { rounds, maxPages } = SearchBounds.shape;

/** Where a run looks for sources itself; with which keys, the server knows. */
const AskedSearch = z
  .object({
    indexes: z.array(SearchIndexName).min(1).max(20),
    rounds: rounds.unwrap().optional(),
    maxPages: maxPages.unwrap().optional(),
  })
  .meta({ id: 'AskedSearch' });

/**
 * What any run may be asked for with, in shapes that have names in the document, so that a generated client has each of them once; each that is absent is as the
 * server's configuration has it.
 */
export const Asked = GivenSources.extend({
  question: z.string().min(1).max(4_000),
  engine: EngineName.optional(),
  budget: AskedLimits.meta({ id: 'Budget' }).optional(),
  judge: z.boolean().optional().describe('whether its text is judged'),
  webhook: Webhook.meta({ id: 'Webhook' }).optional().describe('who is told when it has ended'),
});

const AskedReport = Asked.extend({
  kind: z.literal('report'),
  search: AskedSearch.optional(),
  approval: ApprovalSettings.meta({ id: 'Approval' }).optional(),
  synthesis: z
    .object({
      targetReportLength: targetReportLength.unwrap().optional(),
      citationStyle: citationStyle.unwrap().optional(),
      unsupportedClaims: unsupportedClaims.unwrap().optional(),
    })
    .meta({ id: 'AskedSynthesis' })
    .optional(),
}).meta({ id: 'AskedReport' });

const AskedAnswer = Asked.extend({
  kind: z.literal('answer'),
  search: AskedSearch.optional(),
  observations: z.array(z.string()).max(1_000).optional().describe('what tools observed'),
  history: z
    .array(AnswerMessage.meta({ id: 'AnswerMessage' }))
    .max(1_000)
    .optional()
    .describe('the turns before, oldest first'),
}).meta({ id: 'AskedAnswer' });

const AskedBrief = Asked.extend({
  kind: z.literal('brief'),
  subtopics: z
    .array(GivenSubtopic.meta({ id: 'GivenSubtopic' }))
    .max(MOST_SUBTOPICS)
    .optional(),
  from: z.array(z.string().min(1).max(1_000)).max(100).optional().describe('ended runs, as subtopics'),
  brief: z
    .object({
      words: words.unwrap().optional(),
      template: template.unwrap().optional(),
      unsupportedClaims: unsupportedInBriefs.unwrap().optional(),
    })
    .meta({ id: 'AskedBriefText' })
    .optional(),
}).meta({ id: 'AskedBrief' });

export const AskedRun = z
  .discriminatedUnion('kind', [AskedReport, AskedAnswer, AskedBrief])
  .meta({ id: 'AskedRun' });
export type AskedRun = z.infer<typeof AskedRun>;

export type RequestedRun = { warnings: TakenUp['warnings'] } & (
  | { kind: 'report'; request: ReportRequest }
  | { kind: 'answer'; request: AnswerRequest }
  | { kind: 'brief'; request: BriefRequest }
);

export async function requestOf(
  face: Face,
  { sources: records, links, skipInvalid, judge: judged, ...body }: AskedRun,
  request: Pick<FastifyRequest, 'caller' | 'gone' | 'uploaded'>,
): Promise<RequestedRun> {
  const { caller } = request;
  if (body.webhook !== undefined) {
    const problem = webhookProblem(face.config, body.webhook.url);
    if (problem !== null) throw new InvalidRequestError([`webhook ${problem}`]);
  }
  const sources = readableSources({ sources: records, links, skipInvalid }, request);
  const common = {
    owner: caller.owner,
    ...(judged === undefined ? {} : { judge: { ...face.config.judge, enabled: judged } }),
  };
  const read = sources === null ? {} : { sources };
  if (body.kind === 'report') {
    const { kind, ...asked } = body;
    return { kind, request: { ...asked, ...common, ...read }, warnings: [] };
  }
  if (body.kind === 'answer') {
    const { kind, ...asked } = body;
    return { kind, request: { ...asked, ...common, ...read }, warnings: [] };
  }
  const { kind, subtopics = [], from = [], ...asked } = body;
  for (const runId of from) await ownRun(face, { caller, params: { runId } });
  const named = { subtopics, warnings: [] };
  const filled = sources === null ? named : await withTexts(named, sources, face.config);
  const all = [...filled.subtopics, ...(await face.client.briefFrom(from))];
  return { kind, request: { ...asked, ...common, subtopics: all }, warnings: filled.warnings };
}

/** Starts it, or joins the running one of the id. */
export async function startRequested(
  { client }: Face,
  { kind, request, warnings: before }: RequestedRun,
  runId: string | undefined,
): Promise<{ runId: string; attached: boolean } & Pick<TakenUp, 'warnings' | 'estimate'>> {
  const id = runId === undefined ? {} : { runId };
  if (kind === 'report') {
    const { run, attached, warnings, estimate } = await client.startReport({ ...request, ...id });
    return { runId: run.runId, attached, warnings, estimate };
  }
  if (kind === 'brief') {
    const { run, attached, warnings, estimate } = await client.startBrief({ ...request, ...id });
    return { runId: run.runId, attached, warnings: [...before, ...warnings], estimate };
  }
  const {
    request: started,
    attached,
    warnings,
    estimate,
  } = await client.startAnswer({
    ...request,
    ...(runId === undefined ? {} : { requestId: runId }),
  });
  return { runId: started.runId, attached, warnings, estimate };
}
