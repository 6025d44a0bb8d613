import type { RunKind } from '../../contracts/kinds';
import type { RunEstimate } from '../../contracts/run/estimate';
import type { ModelChoices, RunInput } from '../../contracts/run/run-input';
import type { Warning } from '../../contracts/run/run';
import type { ScheduledStart } from '../../contracts/schedule/scheduled-start';
import type { GivenCounts } from '../../core/run/first-memo';
import type { ContentStore } from '../../stores/content-store';
import type { ImportRecords } from '../described-run';
import type { RunRequest } from '../run-request';

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
export interface Firing {
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
 * (`starting/start-run.ts`, `schedules/create-schedule.ts`).
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
  firing(request: Request, given: Given): Promise<Firing>;
}
