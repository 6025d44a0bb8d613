import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import type { Client, Connection } from '@temporalio/client';
import { InvalidRequestError } from '../client/client-errors';
import { type ColligateClient, createColligateClient } from '../client/colligate-client';
import type {
  AnswerRequest,
  BriefRequest,
  ReportRequest,
  RequestedSearch,
  RunRequest,
  ScheduledRequest,
} from '../client/run-requests';
import type { AskedEstimate } from '../client/start-run';
import type { OutageSettings } from '../contracts/run';
import { MAX_TEMPLATE_CHARS } from '../contracts/run-settings';
import { modelChoices } from '../contracts/settings';
import { type FileBounds, readTextFile, resolveFile } from '../lib/files';
import { BUILT_IN_TEMPLATES, parseTemplate } from '../report/brief/brief-template';
import { openStores } from '../stores/open-stores';
import type { Stores } from '../stores/stores';
import { NoServerError } from './app-errors';
import { type Config, loadConfig } from './config';
import { withLocalModels } from './local-engine';
import { dataConverter } from './temporal/payload-encryption';
import { connectClient } from './temporal/temporal-connection';
import { findServer, registerSearchAttributes } from './temporal/temporal-server';
import { configuredPages, configuredSearch } from './web-access';

/** Omitted options come from the environment, `colligate.config.json` or the defaults. */
export interface OpenColligateOptions {
  /** The Temporal server, `host:port`. Default: `TEMPORAL_ADDRESS`, else the server that runs on `dataDir`. */
  address?: string;
  /** Temporal namespace; the default is `default`. */
  namespace?: string;
  taskQueue?: string;
  /** Folder of the stores, shared by client and workers, on a local disk; the default is `.colligate`. */
  dataDir?: string;
}

export interface OpenColligate extends ColligateClient {
  /** Closes the connection and the stores. Runs continue. */
  close(): Promise<void>;
}

/**
 * Starts neither a server nor a worker. Requests get the defaults of the command line. Rejects with `NoServerError`,
 * `UnreachableServerError`, `ConfigError`, `StoreOpenError` or `StoreFormatError`; nothing stays open then.
 */
export async function openColligate(options: OpenColligateOptions = {}): Promise<OpenColligate> {
  const config = await withLocalModels(loadConfig(), { mayLoad: false, tell: () => undefined });
  const { namespace = config.temporal.namespace, taskQueue = config.temporal.taskQueue } = options;
  const dataDir = resolve(options.dataDir ?? config.dataDir);
  const address = options.address ?? config.temporal.address ?? (await addressOfFolder(dataDir));
  const { connection, client } = await connectClient(
    { ...config.temporal, address, namespace },
    { dataConverter: dataConverter(config) },
  );
  try {
    return await openOverConnection({ config, connection, client, taskQueue, dataDir });
  } catch (error) {
    await connection.close();
    throw error;
  }
}

async function addressOfFolder(dataDir: string): Promise<string> {
  const running = await findServer(dataDir);
  if (running !== null) return running.address;
  throw new NoServerError(
    `No Temporal server runs for ${dataDir}. Start one with "colligate dev", or name one by its address.`,
  );
}

async function openOverConnection(opened: {
  config: Config;
  connection: Connection;
  client: Client;
  taskQueue: string;
  dataDir: string;
}): Promise<OpenColligate> {
  const { config, connection, client, taskQueue, dataDir } = opened;
  const stores = await openStores({ ...config, dataDir });
  return {
    ...withConfiguredDefaults(createStoreClient(config, { client, taskQueue, stores }), config, () =>
      registerSearchAttributes(connection, client.options.namespace).then(({ available }) => available),
    ),
    async close() {
      try {
        await stores.close();
      } finally {
        await connection.close();
      }
    },
  };
}

/** Adds configured defaults to requests. `attributes` resolves to true if the server has the search attributes. */
export function withConfiguredDefaults(
  colligate: ColligateClient,
  config: Config,
  attributes: () => Promise<boolean>,
): ColligateClient {
  let known: Promise<boolean> | null = null;
  const knowsAttributes = (): Promise<boolean> => {
    known ??= attributes().catch((error: unknown) => {
      known = null; // retry at the next request
      throw error;
    });
    return known;
  };
  const answerRequest = async (request: AnswerRequest): Promise<AnswerRequest> => ({
    ...configuredAnswer(config, request),
    searchAttributes: request.searchAttributes ?? (await knowsAttributes()),
  });
  const briefRequest = async (request: BriefRequest): Promise<BriefRequest> => ({
    ...configuredBrief(config, await templateOf(config, request), request),
    searchAttributes: request.searchAttributes ?? (await knowsAttributes()),
  });
  const reportRequest = async (request: ReportRequest): Promise<ReportRequest> => ({
    ...configuredReport(config, request),
    searchAttributes: request.searchAttributes ?? (await knowsAttributes()),
  });
  const scheduled = async (run: ScheduledRequest): Promise<ScheduledRequest> => {
    if ('report' in run) return { report: await reportRequest(run.report) };
    if ('answer' in run) return { answer: await answerRequest(run.answer) };
    return { brief: await briefRequest(run.brief) };
  };
  return {
    ...colligate,
    startReport: async (request) => colligate.startReport(await reportRequest(request)),
    estimate: async (asked) => colligate.estimate(await configuredRun(config, asked)),
    answer: async (request, waiting) => colligate.answer(await answerRequest(request), waiting),
    startAnswer: async (request) => colligate.startAnswer(await answerRequest(request)),
    brief: async (request, waiting) => colligate.brief(await briefRequest(request), waiting),
    startBrief: async (request) => colligate.startBrief(await briefRequest(request)),
    async createSchedule({ run, ...schedule }) {
      return colligate.createSchedule({ ...schedule, run: await scheduled(run) });
    },
  };
}

/** Estimates skip the search attributes, because no server is involved. */
async function configuredRun(config: Config, asked: AskedEstimate): Promise<AskedEstimate> {
  if (asked.kind === 'report') return { ...asked, request: configuredReport(config, asked.request) };
  if (asked.kind === 'answer') return { ...asked, request: configuredAnswer(config, asked.request) };
  const template = await templateOf(config, asked.request);
  return { ...asked, request: configuredBrief(config, template, asked.request) };
}

/** The client validates a template in the request. */
async function templateOf({ cwd, report }: Config, { brief }: BriefRequest): Promise<string> {
  if (brief?.template !== undefined) return brief.template;
  const chosen = await loadTemplate(report.template, { cwd });
  if ('template' in chosen) return chosen.template;
  throw new InvalidRequestError(
    chosen.problems.map((problem) => `report.template ${report.template}: ${problem}`),
  );
}

/** Client on an open connection and open stores. `config` applies to pages and texts; requests get no defaults. */
export function createStoreClient(
  config: Config,
  { client, taskQueue, stores }: { client: Client; taskQueue: string; stores: Stores },
): ColligateClient {
  const { content, events, responses, derived } = stores;
  const { browsers, cwd, texts } = config;
  const pages = configuredPages(config, derived);
  return createColligateClient({
    client,
    taskQueue,
    content,
    events,
    responses,
    derived,
    pages,
    browsers,
    cwd,
    texts,
  });
}

type RunConfig = Pick<Config, 'engine' | 'openai' | 'budget' | 'outages'>;

export function configuredReport(
  config: RunConfig & Pick<Config, 'synthesis' | 'judge' | 'fetch' | 'search'>,
  request: ReportRequest,
): ReportRequest {
  const synthesis = { ...config.synthesis, ...request.synthesis };
  const models = modelChoices(config.openai, synthesis);
  return {
    ...runDefaults(config),
    judge: config.judge,
    models,
    ...request,
    ...searchOf(config, request),
    synthesis,
  };
}

/** As `configuredReport`, for a brief. `template` is the name of a built-in template or a text. */
export function configuredBrief(
  config: RunConfig & Pick<Config, 'report' | 'brief' | 'judge'>,
  template: string,
  request: BriefRequest,
): BriefRequest {
  const brief = { ...config.brief, maxWords: config.report.maxLength, template, ...request.brief };
  return { ...runDefaults(config), judge: config.judge, ...request, brief };
}

/** As `configuredReport`, for an answer, which has its own model and patience settings. */
export function configuredAnswer(
  config: RunConfig & Pick<Config, 'answers' | 'fetch' | 'search'>,
  request: AnswerRequest,
): AnswerRequest {
  const { model, patienceMs: _waited, ...answers } = config.answers;
  const { models: roles } = config.openai;
  const models = modelChoices({ ...config.openai, models: { ...roles, fast: model ?? roles.fast } });
  const outages = answerOutages(config);
  return {
    ...runDefaults(config),
    models,
    outages,
    ...request,
    ...searchOf(config, request),
    answers: { ...answers, ...request.answers },
  };
}

function searchOf(
  config: Pick<Config, 'fetch' | 'search'>,
  { search }: { search?: RequestedSearch },
): { search?: RequestedSearch } {
  return search === undefined ? {} : { search: configuredSearch(config, search) };
}

function runDefaults(config: RunConfig): RunRequest {
  const { engine, openai, budget } = config;
  return {
    engine,
    models: modelChoices(openai),
    budget,
    outages: runOutages(config),
  };
}

const TEMPLATE_BOUNDS: FileBounds = { maxBytes: 128 * 1024, orInherited: true };

/** Name of a built-in template or text of a template file; else the problems as sentences. */
export async function loadTemplate(
  nameOrFile: string,
  { cwd, stdin }: { cwd: string; stdin?: Readable },
): Promise<{ template: string } | { problems: string[] }> {
  const name = BUILT_IN_TEMPLATES.find((known) => known === nameOrFile.trim());
  if (name !== undefined) return { template: name };
  const given = await readTextFile(resolveFile(cwd, nameOrFile), {
    ...TEMPLATE_BOUNDS,
    ...(stdin === undefined ? {} : { stdin }),
  });
  if (!given.ok) {
    const line = given.line === undefined ? '' : `line ${given.line}: `;
    return {
      problems: [
        `it is neither a template that ships (${BUILT_IN_TEMPLATES.join(', ')}) nor a file that can be read: ${line}${given.message}`,
      ],
    };
  }
  const { text } = given;
  if (text.length > MAX_TEMPLATE_CHARS)
    return {
      problems: [`the file has ${text.length} characters; a template has at most ${MAX_TEMPLATE_CHARS}`],
    };
  const read = parseTemplate(text);
  return 'problems' in read ? read : { template: text };
}

/** Without `waits` a run fails at once, except at rate limits with a known end: the command returns, the run continues. */
export function runOutages({ outages }: Pick<Config, 'outages'>, { waits = true } = {}): OutageSettings {
  return waits
    ? { ...outages, afterwards: 'park' }
    : { ...outages, patienceMs: 0, afterwards: 'fail', outlastsLimits: true };
}

/** Answers are never parked. When patience ends, the reply reports it. */
export function answerOutages(
  { outages, answers }: Pick<Config, 'outages' | 'answers'>,
  { waits = true } = {},
): OutageSettings {
  return { ...outages, patienceMs: waits ? answers.patienceMs : 0, afterwards: 'fail' };
}
