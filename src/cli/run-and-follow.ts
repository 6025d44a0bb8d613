import type { Config } from '../app/config';
import { localHint } from '../app/local-engine';
import { estimateRun } from '../app/local-tasks';
import { checkEndpoint } from '../app/model-endpoint';
import { configuredBrief, configuredReport } from '../app/open-colligate';
import type { Session } from '../app/session';
import { isServerRunning } from '../app/session-server';
import { searchProblems } from '../app/web-access';
import { LimitTooSmallError } from '../client/client-errors';
import type { ClosedRun, RunHandle } from '../client/run-handle';
import type { RequestedSearch, StartResult } from '../client/run-requests';
import type { EstimatedRun } from '../client/start-run';
import { formatEstimate, type LimitNames } from '../contracts/budget';
import type { OutageSettings } from '../contracts/run';
import type { RunEstimate } from '../contracts/run-input';
import type { GivenSubtopic } from '../contracts/start';
import { formatCount } from '../lib/strings';
import type { ValidatedBrief } from './brief-options';
import {
  COMMAND,
  type CommandContext,
  ExitCode,
  exitCodeOfRun,
  listenForStop,
  quoteRunId,
  UsageError,
} from './command-context';
import { givenSources } from './command-options';
import { exitImmediately, openCommandSession, ownWorkerLine } from './command-session';
import { deliverBrief, deliverReport } from './delivery';
import { EndpointError } from './failures';
import { followRun, reportLimitedRun, reportParkedRun, resumeIfParked } from './follow-run';
import { checkSources, type ValidatedReport } from './report-options';
import { safeExcerpt, type Terminal } from './terminal';
import { warningLines } from './warning-lines';

// The commands `report` and `brief`, and checks and estimates that `answer` shares with them.

const OTHER_WORKER =
  'Another worker asks the models of this run, at its own endpoint: it needs COLLIGATE_ENGINE=local as well.';

export interface RunToFollow {
  question: string;
  config: Config;
  outages: OutageSettings;
  detach: boolean;
  json: boolean;
  /** Checks that need no server. Nothing starts if it throws. */
  checkBeforeServer(): Promise<void>;
  start(session: Session): Promise<StartResult & { runId: string }>;
  given(sources: number): string;
  deliver(session: Session, run: RunHandle, ended: ClosedRun): Promise<void>;
}

async function runAndFollow(context: CommandContext, wanted: RunToFollow): Promise<ExitCode> {
  const { terminal } = context;
  const signals = listenForStop(context.io.signals);
  const wasStopped = (): boolean => signals.stopped.aborted;
  signals.onSecond(() => exitImmediately(context, wanted.config));
  let following = false;
  signals.stopped.addEventListener('abort', () => {
    if (!following) terminal.say('Stopping as soon as possible. Ctrl-C again leaves at once.');
  });
  try {
    await requireEndpoint(context, wanted.config, {
      waits: wanted.outages.afterwards === 'park',
      stopped: signals.stopped,
    });
    await wanted.checkBeforeServer();
    const session = await openCommandSession(context, wanted.config, {
      server: wanted.detach ? 'must-run' : 'start',
      worker: wanted.detach ? 'must-run' : 'start',
    });
    try {
      if (wasStopped()) return ExitCode.cancelled;
      const started = await withLimitNames(LIMIT_FLAGS, () => wanted.start(session));
      const run = session.client.run(started.runId);
      announceRun(context, session, wanted, started);
      const keepWorker = async (): Promise<string | null> => {
        const work = await session.keepWorker();
        return work === null ? null : ownWorkerLine(work);
      };
      const news = await keepWorker();
      if (news !== null && !session.startedServer) terminal.say(news);
      if (news === null && wanted.config.localModels !== null) terminal.say(OTHER_WORKER);
      if (wanted.detach) {
        if (wanted.json) terminal.printJson({ id: run.runId, status: 'running', attached: started.attached });
        else terminal.print(run.runId);
        return ExitCode.ok;
      }
      if (started.attached) await resumeIfParked(context, run);
      following = true;
      const followed = followRun(context, run, {
        stopped: signals.stopped,
        leavesLimited: wanted.outages.outlastsLimits === true,
        keepWorker,
        told: started.warnings,
        whatHelps: outageHint(wanted),
      });
      const ended = await Promise.race([followed, session.serverLost]);
      if ('parked' in ended) {
        reportParkedRun(context, { runId: run.runId, parked: ended.parked, json: wanted.json });
        return ExitCode.unreachable;
      }
      if ('limited' in ended) {
        reportLimitedRun(context, { runId: run.runId, limited: ended.limited, json: wanted.json });
        return ExitCode.unreachable;
      }
      await wanted.deliver(session, run, ended);
      return wasStopped() ? ExitCode.cancelled : exitCodeOfRun(ended);
    } finally {
      await session.close();
    }
  } finally {
    signals.dispose();
  }
}

function outageHint({ config }: RunToFollow): string {
  return config.temporal.address === null
    ? 'The run is kept, and goes on when the server is back: it is started again.'
    : 'The run is kept, and goes on when the server is back.';
}

function announceRun(
  { terminal }: CommandContext,
  session: Session,
  wanted: RunToFollow,
  { runId, attached, sources, warnings, estimate }: StartResult & { runId: string },
): void {
  if (attached) {
    terminal.say(`Run ${runId} is running already: following it. Ctrl-C cancels it.`);
  } else {
    terminal.say(`Run ${runId}: ${safeExcerpt(wanted.question, 160)}`);
    if (sources !== null) terminal.say(`${wanted.given(sources)}, ${wanted.config.engine} engine.`);
    if (estimate !== null) terminal.say(estimateLine(estimate, LIMIT_FLAGS));
  }
  for (const line of warningLines(warnings, { sources, names: LIMIT_FLAGS })) terminal.say(line);
  if (wanted.detach) terminal.say(`Follow it with: ${COMMAND} watch ${quoteRunId(runId)}`);
  else {
    const url = session.runUrl(runId);
    if (url !== null) terminal.say(`Web UI: ${url}`);
  }
}

export async function runReport(context: CommandContext, request: ValidatedReport): Promise<ExitCode> {
  const { config, question, paths, search, skipInvalid, outages, detach, json, html } = request;
  const sources = givenSources(paths, request.zotero);
  const given = {
    question,
    ...(sources === null ? {} : { sources: { ...sources, skipInvalid } }),
    ...(search === null ? {} : { search }),
  };
  if (request.estimate) {
    const asked = { kind: 'report' as const, request: configuredReport(config, given) };
    const estimated = await withLimitNames(LIMIT_FLAGS, () => estimateRun(config, asked));
    printEstimate(context.terminal, estimated, { names: LIMIT_FLAGS, json });
    return ExitCode.ok;
  }
  return runAndFollow(context, {
    config,
    question,
    outages,
    detach,
    json,
    async checkBeforeServer() {
      if (detach || (await isServerRunning(config))) return;
      checkSearch(config, search);
      if (paths.length > 0) await checkSources(paths, { cwd: config.cwd, skipInvalid });
    },
    async start(session) {
      const asked = configuredReport(config, {
        ...given,
        ...(request.runId === undefined ? {} : { runId: request.runId }),
        again: request.again,
        ...(request.approval === undefined ? {} : { approval: request.approval }),
        outages,
        searchAttributes: session.searchAttributes,
      });
      const { run, ...started } = await session.client.startReport(asked);
      return { runId: run.runId, ...started };
    },
    given: (sources) =>
      [
        ...(sources === 0 ? [] : [`${formatCount(sources, 'source')} read`]),
        ...(search === null ? [] : ['sources searched for by the run']),
      ].join(', '),
    deliver: (session, run, ended) =>
      deliverReport(context, session, run, ended, { outDir: config.outDir, json, html }),
  });
}

export async function runBrief(context: CommandContext, request: ValidatedBrief): Promise<ExitCode> {
  const { config, question, outages, detach, json, words, template } = request;
  if (request.estimate) {
    const from = request.from.length === 0 ? [] : await subtopicsOfRuns(context, request);
    const asked = configuredBrief(config, template, {
      question,
      subtopics: [...request.subtopics, ...from],
      brief: { words },
    });
    const estimated = await withLimitNames(LIMIT_FLAGS, () =>
      estimateRun(config, { kind: 'brief', request: asked }),
    );
    const warnings = [...request.warnings, ...estimated.warnings];
    printEstimate(context.terminal, { ...estimated, warnings }, { names: LIMIT_FLAGS, json });
    return ExitCode.ok;
  }
  let given = request.subtopics;
  return runAndFollow(context, {
    config,
    question,
    outages,
    detach,
    json,
    checkBeforeServer: () => Promise.resolve(),
    async start(session) {
      given = [...request.subtopics, ...(await session.client.briefFrom(request.from))];
      const asked = configuredBrief(config, template, {
        question,
        subtopics: given,
        ...(request.runId === undefined ? {} : { runId: request.runId }),
        again: request.again,
        brief: { words },
        outages,
        searchAttributes: session.searchAttributes,
      });
      const { run, warnings, ...started } = await session.client.startBrief(asked);
      return { runId: run.runId, ...started, warnings: [...request.warnings, ...warnings] };
    },
    given: (sources) =>
      `${formatCount(given.length, 'subtopic')} with ${formatCount(sources, 'source')} read`,
    deliver: (session, { runId }, ended) =>
      deliverBrief(context, session, session.client.briefOf(runId), ended, { outDir: config.outDir, json }),
  });
}

async function subtopicsOfRuns(
  context: CommandContext,
  { config, from }: Pick<ValidatedBrief, 'config' | 'from'>,
): Promise<GivenSubtopic[]> {
  const session = await openCommandSession(context, config, { server: 'start', worker: 'none' });
  try {
    return await session.client.briefFrom(from);
  } finally {
    await session.close();
  }
}

const LIMIT_FLAGS: LimitNames = { maxTokens: '--max-tokens', maxCostUsd: '--max-cost' };
export const LIMIT_SETTINGS: LimitNames = {
  maxTokens: '--set budget.maxTokens',
  maxCostUsd: '--set budget.maxCostUsd',
};

/** Names the flag for a limit unless the run is free. */
export function estimateLine(estimate: RunEstimate, names: LimitNames): string {
  const { costUsd } = estimate;
  const flag = costUsd === 0 ? null : costUsd === null ? names.maxTokens : names.maxCostUsd;
  return `${formatEstimate(estimate)}${flag === null ? '' : `; ${flag} sets a limit`}.`;
}

export function printEstimate(
  terminal: Terminal,
  { kind, estimate, asksModels, sources, warnings }: EstimatedRun,
  { names, json }: { names: LimitNames; json: boolean },
): void {
  for (const line of warningLines(warnings, { sources, names })) terminal.say(line);
  if (json) terminal.printJson({ kind, sources, estimate });
  else if (estimate !== null) terminal.print(estimateLine(estimate, names));
  else if (asksModels) terminal.print('Not known: what a search finds has no size yet.');
  else terminal.print('No model: costs nothing.');
}

export async function withLimitNames<Result>(
  names: LimitNames,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof LimitTooSmallError ? new UsageError([error.told(names)]) : error;
  }
}

/**
 * Asks the endpoint once. Throws `EndpointError` for a problem that a person must fix, and for any other problem
 * if the run neither waits for the endpoint nor has a fallback.
 */
export async function requireEndpoint(
  { terminal }: CommandContext,
  config: Config,
  { waits, hasFallback = false, stopped }: { waits: boolean; hasFallback?: boolean; stopped: AbortSignal },
): Promise<void> {
  const problem = await checkEndpoint(config, stopped);
  if (problem === null) return;
  const message = safeExcerpt(problem.message, 500);
  if (problem.state === 'to-be-mended' || !(waits || hasFallback)) throw new EndpointError(message);
  // A busy or slow endpoint is reachable: the run handles it.
  if (problem.state !== 'away') return;
  const next = [
    waits ? ' The run waits for it; correct OPENAI_BASE_URL if that is wrong.' : '',
    hasFallback ? ' If no answer can be written, the reply is the given final output.' : '',
  ];
  terminal.say(`${message}${next.join('')}`);
}

/** Prints a hint if no engine is configured and a local model server runs. Does not delay the command. */
export function hintAtLocalModels({ terminal }: Pick<CommandContext, 'terminal'>, config: Config): void {
  void localHint(config).then((line) => {
    if (line !== null) terminal.interject(safeExcerpt(line, 500));
  });
}

/** Throws `UsageError` if a worker with this configuration could not search. */
export function checkSearch(config: Config, search: RequestedSearch | null): void {
  const lacks = search === null ? [] : searchProblems(config, search);
  if (lacks.length > 0) throw new UsageError(lacks.map((lack) => `--search: ${lack}.`));
}
