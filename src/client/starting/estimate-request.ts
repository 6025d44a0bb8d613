import { artifactRef } from '../../stores/artifact-ref';
import type { ContentStore } from '../../stores/content-store';
import type { Pages } from '../../sources/pages/page-reader';
import type { RunEstimate } from '../../contracts/run/estimate';
import type { RunKind } from '../../contracts/kinds';
import type { Warning } from '../../contracts/run/run';
import { limitProblem } from '../../core/budget/told-estimate';
import type { AnswerRequest } from '../answer/answer-request';
import type { BriefRequest } from '../brief/brief-request';
import type { ImportRecords } from '../described-run';
import type { ReportRequest } from '../report-request';
import type { Recipe } from '../kinds/recipe';
import { newRunId } from '../new-run-id';
import { LimitTooSmallError } from '../run-errors';
import type { RunRequest } from '../run-request';
import { estimateOfStart, limitWarnings } from './start-estimate';
import { checkedRequest, commonSettings } from './start-run';

/** What a request is expected to ask of models. */
export interface EstimatedRun {
  kind: RunKind;
  /** Null where no model is asked, and where it is not known: what a search finds has no size yet. */
  estimate: RunEstimate | null;
  asksModels: boolean;
  sources: number | null;
  warnings: Warning[];
}

export type AskedEstimate =
  | { kind: 'report'; request: ReportRequest }
  | { kind: 'answer'; request: AnswerRequest }
  | { kind: 'brief'; request: BriefRequest };

/** As `estimateRequest`, of a run of any kind. */
export async function estimateAsked(records: ImportRecords, asked: AskedEstimate): Promise<EstimatedRun> {
  switch (asked.kind) {
    case 'report':
      return estimateRequest(records, (await import('../kinds/report.js')).REPORT, asked.request);
    case 'answer':
      return estimateRequest(records, (await import('../kinds/answer.js')).ANSWER, asked.request);
    case 'brief':
      return estimateRequest(records, (await import('../kinds/brief.js')).BRIEF, asked.request);
  }
}

/** Reads what a run would be given, and keeps nothing of it. Rejects as a start does. */
async function estimateRequest<
  Request extends RunRequest,
  Given,
  Settings extends object,
  Material extends object,
>(
  records: ImportRecords,
  recipe: Recipe<Request, Given, Settings, Material>,
  request: Request,
): Promise<EstimatedRun> {
  const now = new Date();
  const id = newRunId('import', now);
  const checked = await checkedRequest(recipe, request, id, now);
  const common = commonSettings(request);
  const content = forgetful(records.content);
  const pages = records.pages === undefined ? {} : { pages: pagesLetGo(records.pages) };
  const {
    input: material,
    sources,
    warnings,
  } = await recipe.store({ ...records, ...pages, content }, id, checked);
  const settings = await recipe.settings(content, id, request);
  const { question } = checked;
  const estimate = await estimateOfStart({ content, recipe, common, question, settings, material });
  const problem = estimate === null ? null : limitProblem(estimate, common.budget, { kind: recipe.kind });
  if (estimate !== null && problem?.kind === 'too-small')
    throw new LimitTooSmallError(recipe.kind, estimate, common.budget);
  return {
    kind: recipe.kind,
    estimate,
    asksModels: common.models !== null,
    sources,
    warnings: [...warnings, ...limitWarnings(problem)],
  };
}

/** Keeps lists and forgets the texts of sources, of which the size is all that is wanted. */
function forgetful(content: ContentStore): ContentStore {
  const kept = new Map<string, string>();
  return {
    store(_holder, text) {
      const ref = artifactRef(text);
      kept.set(ref, text);
      return Promise.resolve(ref);
    },
    storeBatch: (_holder, texts) => Promise.resolve(texts.map((text) => artifactRef(text))),
    retrieve: (ref) => (kept.has(ref) ? Promise.resolve(kept.get(ref) ?? null) : content.retrieve(ref)),
    retrieveBatch: (refs) => content.retrieveBatch(refs),
    has: (ref) => (kept.has(ref) ? Promise.resolve(true) : content.has(ref)),
    hold: () => Promise.resolve([]),
    statistics: () => content.statistics(),
    clearRun: () => Promise.resolve(0),
  };
}

function pagesLetGo(pages: Pages): Pages {
  return {
    open(importing) {
      const opened = pages.open(importing);
      return { ...opened, handOver: () => opened.takeBack() };
    },
  };
}
