import type { z } from 'zod';
import type { Answer } from '../contracts/answer';
import type { Brief } from '../contracts/brief';
import type { Critique } from '../contracts/finding';
import type { ApprovalSettings, EngineName, OutageSettings, RunKind, Warning } from '../contracts/run';
import {
  type BudgetLimits,
  type ModelChoices,
  type RequestedIndex,
  type RunEstimate,
  type RunInput,
  RunSearch,
  SEARCH_INDEXES,
  type SearchBounds,
  SearchIndexName,
  type Webhook,
} from '../contracts/run-input';
import type { InputCounts } from '../contracts/run-protocol';
import type {
  AnswerSettings,
  BriefSettings,
  JudgeSettings,
  SynthesisSettings,
} from '../contracts/run-settings';
import type { ArtifactRef } from '../contracts/source';
import type { AnswerMessage, FiringMemo, GivenSubtopic, ScheduledStart } from '../contracts/start';
import { schemaProblemTexts } from '../lib/validation';
import type { InputRecords } from '../sources/source-readings';
import type { ContentStore } from '../stores/content-store';
import type { BriefPassResults, BriefPassWithResult } from './brief-passes';
import type { RunHandle } from './run-handle';
import type { ImportRecords } from './run-records';
import type { ReadableSources, RequestedSources } from './source-input';
import type { ReportSteering } from './steering';

export interface RunRequest {
  /** Replaces an ended run of the id, whose result is deleted once the new run has started. */
  again?: boolean;
  /** Default: `extractive`, which calls no model. */
  engine?: EngineName;
  /** Models of an engine that calls some. They are part of the run's input, so that the worker's settings do not change it. */
  models?: ModelChoices | null;
  /** Missing settings have defaults. An answer is judged only if this is present. */
  judge?: z.input<typeof JudgeSettings>;
  /** Default: no limits. */
  budget?: BudgetLimits;
  /** Notified of the end of the run, signed with the workers' `webhooks.secret`. */
  webhook?: Webhook;
  /**
   * Handling of outages. By default, a report and a brief retry for 1 day and are then parked; an answer retries for 2 min and
   * then falls back.
   */
  outages?: OutageSettings;
  /** ISO 8601; `accessedAt` of sources without one. Default: the start time. */
  asOf?: string;
  /** For servers that separate the runs of their users. Default: none. */
  owner?: string;
  /** Set it only if the server has Colligate's search attributes; otherwise it rejects the start. */
  searchAttributes?: boolean;
}

export interface StartResult {
  /** True if a run of this id with the same question was already running; nothing was started or stored. */
  attached: boolean;
  /** Number of sources, for a brief of those that its subtopics cite; null if attached. */
  sources: number | null;
  warnings: Warning[];
  /** Expected model calls; null without a model, if a search finds the sources, and if attached. */
  estimate: RunEstimate | null;
}

/** Required are `question`, and `sources` or `search` or both. */
export interface ReportRequest extends RunRequest {
  /** At most 4,000 characters. */
  question: string;
  sources?: RequestedSources;
  search?: RequestedSearch;
  /** Default: a new id with the start time in it. */
  runId?: string;
  synthesis?: Partial<SynthesisSettings>;
  /** If present, the run waits this long for the approval of its outline and then continues with it. */
  approval?: ApprovalSettings;
}

export interface StartedRun extends StartResult {
  run: RunHandle;
}

export interface Corpus {
  manifestRef: ArtifactRef;
  count: number;
}

export interface OpenedCorpus extends Corpus {
  /** Holds the texts until `delete(heldBy)`. Each request also holds them from its start. */
  heldBy: string;
  warnings: Warning[];
}

/** Required is only `question` or `messages`. */
export interface AnswerRequest extends RunRequest {
  /** At most 4,000 characters. */
  question?: string;
  /** Without `question`, the first human message is the question. */
  messages?: readonly AnswerMessage[];
  observations?: readonly string[];
  /** Whole documents as records. May be combined with `sources`, but not with `corpus`. */
  documents?: InputRecords;
  /** Read and stored at the start of this request. */
  sources?: ReadableSources;
  /** Stored earlier by `openCorpus` or `colligate import`. */
  corpus?: Corpus;
  /** May be combined with any of the others. */
  search?: RequestedSearch;
  /** Result of a research agent: context, and the reply if no answer can be written. */
  finalOutput?: string;
  /** The turns before the question, oldest first. */
  history?: readonly AnswerMessage[];
  critique?: Partial<Critique>;
  /** Default: a new id with the start time in it. */
  requestId?: string;
  answers?: Partial<AnswerSettings>;
}

/** An abort ends the wait, not the request. */
export interface WaitForAnswer {
  signal?: AbortSignal;
}

/** Every method rejects with `RunNotFoundError` if the server does not know the id. */
export interface AnswerHandle extends Omit<
  RunHandle,
  'outline' | 'report' | 'passResult' | 'kind' | 'owner' | ReportSteering
> {
  /** Null before the reply. */
  reply(): Promise<Answer | null>;
  /**
   * Waits for the reply across restarts of the server and the workers. Rejects with `RunWithoutAnswerError` if the request ends
   * without one, and with the reason of `signal` on abort.
   */
  answer(options?: WaitForAnswer): Promise<Answer>;
}

export interface StartedAnswer extends StartResult {
  request: AnswerHandle;
}

/** Subtopics, or files and folders that the client reads now; relative paths start at the working directory. */
export type RequestedSubtopics = readonly GivenSubtopic[] | { paths: readonly string[] };

export interface BriefRequest extends RunRequest {
  /** At most 4,000 characters. */
  question: string;
  subtopics: RequestedSubtopics;
  /** Default: a new id with the start time in it. */
  runId?: string;
  /** Missing settings have defaults. */
  brief?: Partial<BriefSettings>;
}

/** Every method rejects with `RunNotFoundError` if the server does not know the id. */
export interface BriefHandle extends Omit<
  RunHandle,
  'kind' | 'outline' | 'report' | 'passResult' | ReportSteering
> {
  /** The stored brief, partial ones included; null if there is none (yet). Rejects with `RunKindError` for other kinds. */
  result(): Promise<Brief | null>;
  /**
   * Waits for the brief across restarts of the server and the workers. Rejects with `RunWithoutReportError` if the run ends
   * without one, and with the reason of `signal` on abort.
   */
  brief(options?: WaitForBrief): Promise<Brief>;
  /** The material, the plan, or the judgement of each version; null if there is none (yet). */
  passResult<Pass extends BriefPassWithResult>(pass: Pass): Promise<BriefPassResults[Pass] | null>;
}

/** An abort ends the wait, not the run. */
export interface WaitForBrief {
  signal?: AbortSignal;
}

export interface StartedBrief extends StartResult {
  run: BriefHandle;
}

/** Handling of a firing while an earlier run is still running. */
export const OVERLAPS = ['skip', 'buffer-one', 'buffer-all', 'cancel-other', 'allow-all'] as const;
export type Overlap = (typeof OVERLAPS)[number];

/** A cron expression in a time zone (default UTC), or a fixed interval. */
export type ScheduleTimes = { cron: string; timeZone?: string } | { everyMs: number };

/** `besides` are fixed subtopics that follow those read from paths. */
export interface ScheduledBrief extends BriefRequest {
  besides?: readonly GivenSubtopic[];
}

/**
 * A run of any kind. Workers read files and folders at each firing; records and stored sources are fixed. `runId` and `again`
 * have no effect, because each run gets an id of its own.
 */
export type ScheduledRequest =
  { report: ReportRequest } | { answer: AnswerRequest } | { brief: ScheduledBrief };

export interface ScheduleRequest {
  /** Letters, digits, dots, dashes and underscores. Run ids begin with it. */
  name: string;
  times: ScheduleTimes;
  run: ScheduledRequest;
  /** Default: `skip`. */
  overlap?: Overlap;
  /** How long a missed firing is made up for. Default 1 day, minimum 10 s. */
  catchUpMs?: number;
  /** Maximum random delay of each firing. */
  jitterMs?: number;
  note?: string;
}

/** Times are ISO 8601. */
export interface ScheduleSummary {
  name: string;
  kind: RunKind;
  question: string;
  engine: string;
  /** Read at each firing; empty if the sources are stored. */
  paths: string[];
  times: ScheduleTimes;
  paused: boolean;
  note: string | null;
  /** Soonest first. */
  next: string[];
  owner?: string | undefined;
}

export interface DescribedSchedule extends ScheduleSummary {
  overlap: Overlap;
  catchUpMs: number;
  createdAt: string;
  /** Skipped: for an earlier run. Missed: the server was away for too long. */
  counts: { fired: number; skipped: number; missed: number };
  /** Latest first. */
  firings: Firing[];
}

export interface Firing extends Pick<FiringMemo, 'runId' | 'status' | 'problem'> {
  at: string;
}

/** Every method rejects with `ScheduleNotFoundError` if there is no schedule of the name. */
export interface ScheduleHandle {
  readonly name: string;
  describe(): Promise<DescribedSchedule>;
  /** No firings until `resume`. A running run continues. */
  pause(note?: string): Promise<void>;
  resume(note?: string): Promise<void>;
  /** Fires now in addition to its times; its overlap policy applies. */
  trigger(): Promise<void>;
  /** Runs stay, and a running one continues. Content stored for future runs is deleted. */
  delete(): Promise<void>;
}

/** Search indexes by name or with settings. Each bound has a default. */
export interface RequestedSearch extends Partial<SearchBounds> {
  indexes: readonly (SearchIndexName | RequestedIndex)[];
}

/** The search of a run's input, not validated. */
export function resolveSearch({ indexes, ...bounds }: RequestedSearch): RunSearch {
  const asked = indexes.map((index) => (typeof index === 'string' ? indexByName(index) : index));
  const { indexes: _one, ...defaults } = RunSearch.parse({ indexes: [indexByName('arxiv')] });
  return { ...defaults, ...bounds, indexes: asked };
}

export function searchProblems(search: RequestedSearch | undefined): string[] {
  return search === undefined ? [] : schemaProblemTexts([['search', RunSearch, resolveSearch(search)]]);
}

function indexByName(name: SearchIndexName): RequestedIndex {
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

/** Input at the start of a workflow. A run that searches for its sources may have none yet. */
export type StartInput = Omit<RunInput, 'sourceCount'> & Partial<Pick<RunInput, 'sourceCount'>>;

export interface StoredMaterial<Material> extends InputCounts {
  input: Material;
  warnings: Warning[];
}

export interface CheckedRequest<Request, Given> {
  request: Request;
  given: Given;
  runId: string;
  /** Trimmed. */
  question: string;
  /** ISO 8601. */
  asOf: string;
}

/** The input of a schedule's runs, looked up now. Nothing is stored before `store`. */
export interface ScheduledInput {
  /** Absolute paths that are read at each firing. */
  paths: string[];
  /**
   * Stores the content that all runs of the schedule share, with `keptAs` as its holder. Returns a part of each run's input, and
   * the sources to look for.
   */
  store(records: ImportRecords, keptAs: string): Promise<FiringInput>;
}

export interface FiringInput extends Pick<ScheduledStart, 'sources' | 'subtopics'> {
  input: object;
}

/** The part of a start that depends on the kind of run. The common part is in `start-run.ts` and `create-schedule.ts`. */
export interface RunDefinition<
  Request extends RunRequest,
  Given,
  Settings extends object,
  Material extends object,
> {
  /** Also the workflow type, which histories contain. */
  readonly kind: RunKind;
  readonly idName: 'runId' | 'requestId';
  idOf(request: Request): string | undefined;
  /** The question as given and the name of its field. `missing` is the problem if there is none. */
  asked(request: Request): { question: string | undefined; name: string; missing: string };
  problems(request: Request): string[];
  /** Reads input that may be invalid, before a run is looked up. */
  read(request: Request): Promise<Given>;
  /** The settings of this kind alone. Values that are too long for an input are stored for `holder`. */
  settings(content: ContentStore, holder: string, request: Request): Promise<Settings>;
  /** Stores the sources for `holder`. Called once, because records can be read only once. */
  store(
    records: ImportRecords,
    holder: string,
    checked: Pick<CheckedRequest<Request, Given>, 'request' | 'given'>,
  ): Promise<StoredMaterial<Material>>;
  /** Null if a search finds the sources. */
  estimate(
    content: Pick<ContentStore, 'retrieve'>,
    asked: { question: string; models: ModelChoices },
    settings: Settings,
    material: Material,
  ): Promise<RunEstimate | null>;
  input(common: CommonInput, settings: Settings, material: Material): StartInput;
  /** Rejects like a start if the input is invalid now. */
  firing(request: Request, given: Given): Promise<ScheduledInput>;
}
