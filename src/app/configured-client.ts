import type { AnswerRequest } from '../client/answer/answer-request';
import type { BriefRequest } from '../client/brief/brief-request';
import type { ColligateClient } from '../client/colligate-client';
import type { ReportRequest } from '../client/report-request';
import { InvalidRequestError } from '../client/run-errors';
import type { AskedEstimate } from '../client/starting/estimate-request';
import type { ScheduledRequest } from '../client/schedules/schedule-request';
import type { Config } from '../config/config';
import { chosenTemplate } from './chosen-template';
import { configuredAnswer, configuredBrief, configuredReport } from './configured-requests';

/**
 * A client whose requests have what they leave out as the configuration has it. `attributes` tells whether the server knows
 * Colligate's search attributes, and is asked when a run is started for the first time.
 */
export function configuredClient(
  colligate: ColligateClient,
  config: Config,
  attributes: () => Promise<boolean>,
): ColligateClient {
  let known: Promise<boolean> | null = null;
  const knowsAttributes = (): Promise<boolean> => {
    known ??= attributes().catch((error: unknown) => {
      known = null; // the next request asks again
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

/** The request of an estimate, which no server is asked for. */
async function configuredRun(config: Config, asked: AskedEstimate): Promise<AskedEstimate> {
  if (asked.kind === 'report') return { ...asked, request: configuredReport(config, asked.request) };
  if (asked.kind === 'answer') return { ...asked, request: configuredAnswer(config, asked.request) };
  const template = await templateOf(config, asked.request);
  return { ...asked, request: configuredBrief(config, template, asked.request) };
}

/** A request's own is checked with the rest of it. */
async function templateOf({ cwd, report }: Config, { brief }: BriefRequest): Promise<string> {
  if (brief?.template !== undefined) return brief.template;
  const chosen = await chosenTemplate(report.template, { cwd });
  if ('template' in chosen) return chosen.template;
  throw new InvalidRequestError(
    chosen.problems.map((problem) => `report.template ${report.template}: ${problem}`),
  );
}
