import type { z } from 'zod';
import type { Answer } from '../contracts/answer';
import type { Brief } from '../contracts/brief';
import type { Critique } from '../contracts/finding';
import type { ApprovalSettings, EngineName, OutageSettings, RunKind, Warning } from '../contracts/run';
import {
  type AskedIndex,
  type BudgetLimits,
  type ModelChoices,
  type RunEstimate,
  type RunInput,
  RunSearch,
  SEARCH_INDEXES,
  type SearchBounds,
  SearchIndexName,
  type Webhook,
} from '../contracts/run-input';
import type { GivenCounts } from '../contracts/run-protocol';
import type {
  AnswerSettings,
  BriefSettings,
  JudgeSettings,
  SynthesisSettings,
} from '../contracts/run-settings';
import type { ArtifactRef } from '../contracts/source';
import type { AnswerMessage, FiringMemo, GivenSubtopic, ScheduledStart } from '../contracts/start';
import { shapeProblems } from '../lib/validation';
import type { GivenRecords } from '../sources/source-readings';
import type { ContentStore } from '../stores/content-store';
import type { BriefPassResults, BriefPassWithResult } from './brief-passes';
import type { RunHandle } from './run-handle';
import type { ImportRecords } from './run-records';
import type { ReadableSources, RequestedSources } from './source-input';
import type { SteeringOfReports } from './steering';

export interface RunRequest {
  /** Runs an ended id anew; what that run left is forgotten when the new one has started. */
  again?: boolean;
  /** Who reads and writes; the extractive engine, which asks no model, where it is absent. */
  engine?: EngineName;
  /** The models of an engine that asks some; they go with the run, so that a worker's own settings do not change it. */
  models?: ModelChoices | null;
  /** How the text is judged; each setting that is absent has its default. An answer is judged where it is present. */
  judge?: z.input<typeof JudgeSettings>;
  /** No limits where it is absent. */
  budget?: BudgetLimits;
  /** Who is told when it has ended, signed with the workers' `webhooks.secret`; nobody where it is absent. */
  webhook?: Webhook;
  /**
   * What is done where something is away. Where it is absent, a report and a brief have a day of patience and are parked then; an
   * answer has two minutes, and falls back.
   */
  outages?: OutageSettings;
  /** ISO 8601; `accessedAt` of sources whose record has none. The time of the start where it is absent. */
  asOf?: string;
  /** Whose the run is, for faces that keep the runs of one from others; nobody's where it is absent. */
  owner?: string;
  /** True only where the server knows Colligate's search attributes: it refuses the start else. */
  searchAttributes?: boolean;
}

export interface TakenUp {
  /** True where a run of this id was going on already, about the same: nothing was started or stored. */
  attached: boolean;
  /** How many sources the run was given, of a brief those that its subtopics name; null where the client attached to a running one. */
  sources: number | null;
  warnings: Warning[];
  /** What it is expected to ask of models; null where none is asked, where a search is to find the sources, and where the client attached. */
  estimate: RunEstimate | null;
}

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

export interface Corpus {
  manifestRef: ArtifactRef;
  count: number;
}

export interface OpenedCorpus extends Corpus {
  /** Who holds its texts until `delete(heldBy)`; every request holds them besides, from its start. */
  heldBy: string;
  warnings: Warning[];
}

/** What is asked, and what the answer may rest on. `question` or `messages` has to be given, and nothing else. */
export interface AnswerRequest extends RunRequest {
  /** At most 4,000 characters. */
  question?: string;
  /** The first human message is the question, where none is given. */
  messages?: readonly AnswerMessage[];
  observations?: readonly string[];
  /** Whole documents, as records; beside `sources`, but not beside `corpus`. */
  documents?: GivenRecords;
  /** Read and stored now, for this question. */
  sources?: ReadableSources;
  /** Stored before, by `openCorpus` or `colligate import`. */
  corpus?: Corpus;
  /** Where the request looks for sources itself; beside any of the others. */
  search?: RequestedSearch;
  /** What a research agent came to: context, and the reply where no answer can be written. */
  finalOutput?: string;
  /** The turns before the question, oldest first. */
  history?: readonly AnswerMessage[];
  critique?: Partial<Critique>;
  /** Names the request; made from the time where it is absent. */
  requestId?: string;
  answers?: Partial<AnswerSettings>;
}

/** How long is waited for an answer; an abort ends the waiting alone. */
export interface WaitForAnswer {
  signal?: AbortSignal;
}

/** A request that was started. Every method rejects with `RunNotFoundError` where the server knows none of the id. */
export interface AnswerHandle extends Omit<
  RunHandle,
  'outline' | 'report' | 'passResult' | 'kind' | 'owner' | SteeringOfReports
> {
  /** What there is now: null before the reply. */
  reply(): Promise<Answer | null>;
  /**
   * Waits for the reply, over restarts of server and worker. Rejects with `RunWithoutAnswerError` where the request ended
   * with none, and with the reason of `signal` when that aborts.
   */
  answer(options?: WaitForAnswer): Promise<Answer>;
}

export interface StartedAnswer extends TakenUp {
  request: AnswerHandle;
}

/**
 * What a brief is made of: subtopics as a program has them, or files and folders that the client reads now, by paths from the working
 * directory.
 */
export type RequestedSubtopics = readonly GivenSubtopic[] | { paths: readonly string[] };

export interface BriefRequest extends RunRequest {
  /** At most 4,000 characters. */
  question: string;
  subtopics: RequestedSubtopics;
  /** Names the run; made from the time where it is absent. */
  runId?: string;
  /** Length, template, what becomes of unsupported claims; each setting that is absent has its default. */
  brief?: Partial<BriefSettings>;
}

/** A brief that was started. Every method rejects with `RunNotFoundError` where the server knows none of the id. */
export interface BriefHandle extends Omit<
  RunHandle,
  'kind' | 'outline' | 'report' | 'passResult' | SteeringOfReports
> {
  /** What is stored, partial ones included; null where there is none (yet). Rejects with `RunKindError` for other runs. */
  result(): Promise<Brief | null>;
  /**
   * Waits for the brief, over restarts of server and worker. Rejects with `RunWithoutReportError` where the run ended with none, and
   * with the reason of `signal` when that aborts.
   */
  brief(options?: WaitForBrief): Promise<Brief>;
  /** What a pass left: the material, the plan, how each version was judged; null before there is any. */
  passResult<Pass extends BriefPassWithResult>(pass: Pass): Promise<BriefPassResults[Pass] | null>;
}

/** How long is waited for a brief; an abort ends the waiting alone. */
export interface WaitForBrief {
  signal?: AbortSignal;
}

export interface StartedBrief extends TakenUp {
  run: BriefHandle;
}

/** What happens to a firing while the run of an earlier one goes on. */
export const OVERLAPS = ['skip', 'buffer-one', 'buffer-all', 'cancel-other', 'allow-all'] as const;
export type Overlap = (typeof OVERLAPS)[number];

/** When a schedule fires: by a cron expression in a time zone (UTC where none is named), or at even intervals. */
export type ScheduleTimes = { cron: string; timeZone?: string } | { everyMs: number };

/** A brief of a schedule: `besides` are subtopics that stand behind those of its paths, as they are now. */
export interface ScheduledBrief extends BriefRequest {
  besides?: readonly GivenSubtopic[];
}

/**
 * What a schedule starts, a run of any kind. Files and folders are read when it fires, by the worker; records and stored
 * sources are what they are now. `runId` and `again` are of no use: each run has an id of its own.
 */
export type ScheduledRequest =
  { report: ReportRequest } | { answer: AnswerRequest } | { brief: ScheduledBrief };

export interface ScheduleRequest {
  /** Letters, digits, dots, dashes and underscores; its runs are called by it. */
  name: string;
  times: ScheduleTimes;
  run: ScheduledRequest;
  /** `skip` where it is absent. */
  overlap?: Overlap;
  /** How long after its time a firing is made up for that the server missed; a day where it is absent, ten seconds at least. */
  catchUpMs?: number;
  /** Each firing comes up to so much later, by chance. */
  jitterMs?: number;
  note?: string;
}

/** A schedule as it stands. Times are ISO 8601. */
export interface ScheduleSummary {
  name: string;
  kind: RunKind;
  question: string;
  engine: string;
  /** What is read when it fires; empty where the sources are stored. */
  paths: string[];
  times: ScheduleTimes;
  paused: boolean;
  note: string | null;
  /** The next times, soonest first. */
  next: string[];
  owner?: string | undefined;
}

export interface DescribedSchedule extends ScheduleSummary {
  overlap: Overlap;
  catchUpMs: number;
  createdAt: string;
  /** How often it has fired, and how often it did not for an earlier run or because the server was away for too long. */
  counts: { fired: number; skipped: number; missed: number };
  /** Latest first. */
  firings: Firing[];
}

export interface Firing extends Pick<FiringMemo, 'runId' | 'status' | 'problem'> {
  /** When it was taken up. */
  at: string;
}

/** A schedule. Every method rejects with `ScheduleNotFoundError` where there is none of the name. */
export interface ScheduleHandle {
  readonly name: string;
  describe(): Promise<DescribedSchedule>;
  /** It does not fire until it is resumed; a run that goes on is not touched. */
  pause(note?: string): Promise<void>;
  resume(note?: string): Promise<void>;
  /** Fires now, besides its times, by its own rule on overlaps. */
  trigger(): Promise<void>;
  /** Runs stay, and one that goes on goes on; what is kept for the next one is let go. */
  delete(): Promise<void>;
}

/** Where a run looks for sources itself: indexes by their names, or with what they are asked with; each bound has a default. */
export interface RequestedSearch extends Partial<SearchBounds> {
  indexes: readonly (SearchIndexName | AskedIndex)[];
}

/** As it stands in a run's input; whether it is allowed is looked at besides. */
export function settledSearch({ indexes, ...bounds }: RequestedSearch): RunSearch {
  const asked = indexes.map((index) => (typeof index === 'string' ? byName(index) : index));
  const { indexes: _one, ...defaults } = RunSearch.parse({ indexes: [byName('arxiv')] });
  return { ...defaults, ...bounds, indexes: asked };
}

export function searchProblems(search: RequestedSearch | undefined): string[] {
  return search === undefined ? [] : shapeProblems([['search', RunSearch, settledSearch(search)]]);
}

function byName(name: SearchIndexName): AskedIndex {
  const { data } = SearchIndexName.safeParse(name);
  return { name, settings: { url: data === undefined ? null : SEARCH_INDEXES[data].address, contact: null } };
}

export type CommonSettings = Pick<RunInput, 'engine' | 'models' | 'budget'>;

export type CommonInput = CommonSettings &
  Pick<
    RunInput,
    'runId' | 'question' | 'stepVersions' | 'shape' | 'outages' | 'searchAttributes' | 'webhook' | 'estimate'
  > & {
    asOf: string;
  };

/** The input of a workflow as it is started: one that looks for its sources itself may have none yet. */
export type StartedInput = Omit<RunInput, 'sourceCount'> & Partial<Pick<RunInput, 'sourceCount'>>;

export interface StoredMaterial<Material> extends GivenCounts {
  input: Material;
  warnings: Warning[];
}

export interface CheckedRequest<Request, Given> {
  request: Request;
  given: Given;
  runId: string;
  /** Without white space at its ends. */
  question: string;
  /** ISO 8601. */
  asOf: string;
}

/** What a schedule of a run looks for when it fires, looked for now; nothing is stored before `store` is called. */
export interface RecipeFiring {
  /** What is read when it fires, absolute. */
  paths: string[];
  /** Stores what every run of the schedule is given, for `keptAs` to hold: a part of each run's input, and what is looked for. */
  store(records: ImportRecords, keptAs: string): Promise<FiringMaterial>;
}

export interface FiringMaterial extends Pick<ScheduledStart, 'sources' | 'subtopics'> {
  input: object;
}

/**
 * A kind of run as a request becomes one: what only it has. Whatever else is done with a request is the same for every kind
 * (`client/start-run.ts`, `client/create-schedule.ts`).
 */
export interface Recipe<Request extends RunRequest, Given, Settings extends object, Material extends object> {
  /** Its workflow's name as well, which histories carry. */
  readonly kind: RunKind;
  readonly idName: 'runId' | 'requestId';
  idOf(request: Request): string | undefined;
  /** What is asked, as it was given; absent where nothing is, and `name` says where it would stand. */
  asked(request: Request): { question: string | undefined; name: string; missing: string };
  problems(request: Request): string[];
  /** Reads what has to be read, and may be wrong, before a run is looked for. */
  read(request: Request): Promise<Given>;
  /** What is set besides what every kind has; what is too long for an input is stored for `holder`. */
  settings(content: ContentStore, holder: string, request: Request): Promise<Settings>;
  /** Stores what the run is about, for `holder` to hold. Records can be read only once, and so it is called once. */
  store(
    records: ImportRecords,
    holder: string,
    checked: Pick<CheckedRequest<Request, Given>, 'request' | 'given'>,
  ): Promise<StoredMaterial<Material>>;
  /** What the run is expected to ask of its models; null where a search is to find the sources. */
  estimate(
    content: Pick<ContentStore, 'retrieve'>,
    asked: { question: string; models: ModelChoices },
    settings: Settings,
    material: Material,
  ): Promise<RunEstimate | null>;
  input(common: CommonInput, settings: Settings, material: Material): StartedInput;
  /** What a schedule of it looks for when it fires; rejects as a start would for what is wrong with that now. */
  firing(request: Request, given: Given): Promise<RecipeFiring>;
}
