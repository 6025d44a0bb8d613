import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { withTexts } from '../app/local-tasks';
import { webhookProblem } from '../app/web-access';
import { InvalidRequestError, RunClosedError, RunNotFoundError } from '../client/client-errors';
import type { AnswerRequest, BriefRequest, ReportRequest, StartResult } from '../client/run-requests';
import type { ReadableSources, SourcesOfOneKind } from '../client/source-input';
import type { EstimatedRun } from '../client/start-run';
import { formatEstimate } from '../contracts/budget';
import { ApprovalSettings, EngineName, type RunKind } from '../contracts/run';
import { RequestLimits, SearchBounds, SearchIndexName, Webhook } from '../contracts/run-input';
import { BriefSettings, SynthesisSettings } from '../contracts/run-settings';
import { InputRecord } from '../contracts/source';
import { AnswerMessage, GivenSubtopic, MAX_SUBTOPICS } from '../contracts/start';
import { serverTexts } from '../report/page-texts';
import { type Caller, ownRun, type ServerContext } from './server-context';

// Starts and estimates runs, from JSON bodies and from the form of the start page.

interface Started {
  runId: string;
  attached: boolean;
  warnings: StartResult['warnings'];
  estimate: StartResult['estimate'];
}

/** Starts a run for the caller. The same key of the same owner is the same run. */
export async function startRunFor(
  face: ServerContext,
  request: Pick<FastifyRequest, 'caller' | 'gone' | 'uploaded'>,
  asked: RunBody,
  key: string | undefined,
): Promise<Started> {
  const runId = key === undefined ? undefined : runIdOfKey(asked.kind, request.caller, key);
  const giveBack = await admitStart(face, request.caller, runId);
  try {
    return await startRequested(face, await toRunRequest(face, asked, request), runId);
  } catch (error) {
    giveBack();
    // A repeated request with a key gets the run, also after its end.
    if (!(error instanceof RunClosedError) || runId === undefined) throw error;
    if ((await face.client.run(runId).owner()) !== request.caller.owner) throw new RunNotFoundError(runId);
    return { runId, attached: true, warnings: [], estimate: null };
  }
}

/** A repeated request with a key gets its run even above the limit. */
async function admitStart(
  face: ServerContext,
  { owner }: Caller,
  runId: string | undefined,
): Promise<() => void> {
  try {
    return await face.runLimit.admit(owner);
  } catch (error) {
    const isTheirs =
      runId !== undefined &&
      (await face.client
        .run(runId)
        .owner()
        .catch(() => null)) === owner;
    if (!isTheirs) throw error;
    return () => undefined;
  }
}

/** The id cannot be guessed without the key, and owners cannot collide. */
function runIdOfKey(kind: RunKind, { owner }: Caller, key: string): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([owner, kind, key]))
    .digest('hex');
  return `${kind}-${digest.slice(0, 32)}`;
}

export async function estimateRunFor(
  face: ServerContext,
  request: Pick<FastifyRequest, 'caller' | 'gone' | 'uploaded'>,
  asked: RunBody,
): Promise<Omit<EstimatedRun, 'asksModels'> & { told: string }> {
  const { warnings: before, ...requested } = await toRunRequest(face, asked, request);
  const { asksModels, ...estimated } = await face.client.estimate(requested);
  const { estimate, warnings } = estimated;
  const told =
    estimate !== null
      ? `${formatEstimate(estimate)}.`
      : asksModels
        ? serverTexts.notEstimated
        : serverTexts.costsNothing;
  return { ...estimated, warnings: [...before, ...warnings], told };
}

const APPROVAL_MS = 24 * 3_600_000;

const MAX_LINKS_CHARS = 1_000_000;

/** Browsers send empty fields as empty strings. */
export const RunForm = z.object({
  kind: z.enum(['report', 'answer']),
  question: z.string(),
  links: z.string().max(MAX_LINKS_CHARS).default(''),
  text: z.string().default(''),
  engine: z.union([z.literal(''), EngineName]).default(''),
  maxCostUsd: z.string().max(30).default(''),
  approval: z.string().optional(),
  skipInvalid: z.string().optional(),
});
export type RunForm = z.infer<typeof RunForm>;

export function parseRunForm({
  kind,
  question,
  links,
  text,
  engine,
  maxCostUsd,
  approval,
  skipInvalid,
}: RunForm): RunBody {
  const addresses = links.split(/\s+/).filter((link) => link !== '');
  if (addresses.length > MAX_LINKS)
    throw new InvalidRequestError([`links: there are more than ${MAX_LINKS.toLocaleString('en')}`]);
  const asked = RunBody.safeParse({
    kind,
    question: question.trim(),
    ...(addresses.length === 0 ? {} : { links: addresses }),
    ...(text.trim() === '' ? {} : { sources: [{ title: titleOf(text), content: text }] }),
    ...(skipInvalid === undefined ? {} : { skipInvalid: true }),
    ...(engine === '' ? {} : { engine }),
    ...(maxCostUsd === '' ? {} : { budget: { maxCostUsd: Number(maxCostUsd) } }),
    ...(kind === 'report' && approval !== undefined ? { approval: { timeoutMs: APPROVAL_MS } } : {}),
  });
  return requireValid(asked);
}

/** Throws `InvalidRequestError` with a sentence for each field. */
export function requireValid<Value>(asked: z.ZodSafeParseResult<Value>): Value {
  if (asked.success) return asked.data;
  throw new InvalidRequestError(
    asked.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`),
  );
}

const TITLE_CHARS = 80;

function titleOf(text: string): string {
  const [line = ''] = text.trim().split('\n');
  return line.replace(/^#+\s*/, '').slice(0, TITLE_CHARS);
}

const MAX_LINKS = 1_000;

/** The same rule as in the reader of sources, so that a link is never read as a path. */
const Link = z
  .string()
  .max(4_000)
  .regex(/^https?:\/\/[^\s/]/i, 'an address begins with http:// or https://');

export const GivenSources = z.object({
  sources: z
    .array(InputRecord.meta({ id: 'SourceRecord' }))
    .max(10_000)
    .optional(),
  links: z.array(Link).max(MAX_LINKS).optional().describe('addresses of pages, which are fetched'),
  skipInvalid: z.boolean().optional().describe('go on without sources that cannot be read'),
});
export type GivenSources = z.infer<typeof GivenSources>;

/** Null without sources. */
export function readableSources(
  { sources = [], links = [], skipInvalid = false }: GivenSources,
  request: Pick<FastifyRequest, 'caller' | 'gone' | 'uploaded'>,
): (ReadableSources & { skipInvalid: boolean }) | null {
  const { uploaded } = request;
  const asker = askerOf(request);
  const files = uploaded === null ? [] : [{ paths: uploaded.paths, within: uploaded.folder }];
  const parts: SourcesOfOneKind[] = [
    ...(sources.length === 0 ? [] : [{ records: sources }]),
    ...(links.length === 0 ? [] : [{ paths: links }]),
    ...files.filter(({ paths }) => paths.length > 0),
  ];
  const [first] = parts;
  if (first === undefined) return null;
  return parts.length === 1 ? { ...first, skipInvalid, asker } : { parts, skipInvalid, asker };
}

/** Requests with one token share their queue of files to parse. */
export function askerOf({
  caller,
  gone,
}: Pick<FastifyRequest, 'caller' | 'gone'>): NonNullable<ReadableSources['asker']> {
  return { id: caller.tokenId ?? caller.owner, signal: gone };
}

const { targetReportLength, citationStyle, unsupportedClaims } = SynthesisSettings.shape;
const { words, template, unsupportedClaims: unsupportedInBriefs } = BriefSettings.shape;
const { rounds, maxPages } = SearchBounds.shape;

/** The server has the keys of the indexes. */
const SearchBody = z
  .object({
    indexes: z.array(SearchIndexName).min(1).max(20),
    rounds: rounds.unwrap().optional(),
    maxPages: maxPages.unwrap().optional(),
  })
  .meta({ id: 'AskedSearch' });

/**
 * Fields of every run. Shapes have names in the OpenAPI document, so that a generated client has each once.
 * The configuration of the server supplies absent fields.
 */
export const CommonRunBody = GivenSources.extend({
  question: z.string().min(1).max(4_000),
  engine: EngineName.optional(),
  budget: RequestLimits.meta({ id: 'Budget' }).optional(),
  judge: z.boolean().optional().describe('whether its text is judged'),
  webhook: Webhook.meta({ id: 'Webhook' }).optional().describe('who is told when it has ended'),
});

const ReportBody = CommonRunBody.extend({
  kind: z.literal('report'),
  search: SearchBody.optional(),
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

const AnswerBody = CommonRunBody.extend({
  kind: z.literal('answer'),
  search: SearchBody.optional(),
  observations: z.array(z.string()).max(1_000).optional().describe('what tools observed'),
  history: z
    .array(AnswerMessage.meta({ id: 'AnswerMessage' }))
    .max(1_000)
    .optional()
    .describe('the turns before, oldest first'),
}).meta({ id: 'AskedAnswer' });

const BriefBody = CommonRunBody.extend({
  kind: z.literal('brief'),
  subtopics: z
    .array(GivenSubtopic.meta({ id: 'GivenSubtopic' }))
    .max(MAX_SUBTOPICS)
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

export const RunBody = z
  .discriminatedUnion('kind', [ReportBody, AnswerBody, BriefBody])
  .meta({ id: 'AskedRun' });
export type RunBody = z.infer<typeof RunBody>;

export type RequestedRun = { warnings: StartResult['warnings'] } & (
  | { kind: 'report'; request: ReportRequest }
  | { kind: 'answer'; request: AnswerRequest }
  | { kind: 'brief'; request: BriefRequest }
);

export async function toRunRequest(
  face: ServerContext,
  { sources: records, links, skipInvalid, judge: judged, ...body }: RunBody,
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

async function startRequested(
  { client }: ServerContext,
  { kind, request, warnings: before }: RequestedRun,
  runId: string | undefined,
): Promise<{ runId: string; attached: boolean } & Pick<StartResult, 'warnings' | 'estimate'>> {
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
