import { toAgentState, type AgentState } from '../answers/to-agent-state';
import { configuredAnswer } from '../app/configured-requests';
import type { Session } from '../app/session/open-session';
import { serverRuns } from '../app/session/reach-server';
import type { AnswerRequest, Corpus } from '../client/answer/answer-request';
import type { Answer } from '../contracts/answer/answer';
import type { CommandContext } from './command-context';
import { ExitCode } from './exit-code';
import { COMMAND } from './package-files';
import { followAnswer } from './progress/follow-answer';
import type { AnswerConditions, CheckedAnswer } from './request/answer-options';
import type { GivenMaterial } from './request/answer-material';
import { checkSearch } from './request/check-search';
import { checkSources } from './request/check-sources';
import { requireEndpoint } from './request/require-endpoint';
import { belowAnswer } from './results/answer-lines';
import { exitCodeOfAnswer, printAnswer } from './results/print-answer';
import { estimateRun } from '../app/estimate-run';
import {
  estimateLine,
  LIMIT_SETTINGS,
  printEstimate,
  warningLine,
  withLimitNames,
} from './results/print-estimate';
import { runArgument } from './results/run-name';
import { openCommandSession } from './session/command-session';
import { leaveAtOnce } from './session/leave-at-once';
import { listenForStop } from './session/stop-signals';
import { ownWorkerLine } from './session/worker-lines';
import type { Terminal } from './terminal/terminal';

export async function runAnswer(context: CommandContext, request: CheckedAnswer): Promise<ExitCode> {
  const { terminal } = context;
  if (request.estimate) {
    const { config, json } = request;
    const estimated = await withLimitNames(LIMIT_SETTINGS, async () =>
      estimateRun(config, { kind: 'answer', request: configuredAnswer(config, answerToEstimate(request)) }),
    );
    printEstimate(terminal, estimated, { names: LIMIT_SETTINGS, json });
    return ExitCode.ok;
  }
  const signals = listenForStop(context.io.signals);
  const wasStopped = (): boolean => signals.stopped.aborted;
  signals.onSecond(() => leaveAtOnce(context, request.config));
  try {
    await checkBeforeServer(context, request, signals.stopped);
    const session = await openCommandSession(context, request.config, { server: 'start', worker: 'start' });
    try {
      if (wasStopped()) return ExitCode.cancelled;
      const {
        request: asked,
        attached,
        warnings,
        estimate,
      } = await withLimitNames(LIMIT_SETTINGS, async () =>
        session.client.startAnswer(await answerRequestOf(session, request)),
      );
      const { runId } = asked;
      terminal.say(
        attached ? `Request ${runId} is being answered already: waiting for it.` : `Request ${runId}`,
      );
      if (estimate !== null) terminal.say(estimateLine(estimate, LIMIT_SETTINGS));
      for (const warning of warnings) terminal.say(warningLine(warning, LIMIT_SETTINGS));
      const keepWorker = workerOf(session);
      const news = await keepWorker();
      if (news !== null && !session.startedServer) terminal.say(news);
      const followed = followAnswer(terminal, asked, {
        stopped: signals.stopped,
        keepWorker,
        streams: streamsTo(terminal) && !request.json && !request.agentState,
      });
      const { answer, shown } = await Promise.race([followed, session.serverLost]);
      if (request.agentState) terminal.printJson(agentStateOf(answer, request.material));
      else if (request.json) terminal.printJson(answer);
      else {
        printAnswer(terminal, answer, { shown, below: belowAnswer(answer) });
        terminal.say(`To see it again: ${COMMAND} show ${runArgument(runId)}`);
      }
      return wasStopped() ? ExitCode.cancelled : exitCodeOfAnswer(answer);
    } finally {
      await session.close();
    }
  } finally {
    signals.dispose();
  }
}

/** What an answer rests on, without a client: of a stored corpus the list itself says how many sources it has. */
function answerToEstimate({ material, search, judge, skipInvalid, config }: CheckedAnswer): AnswerRequest {
  const { question, paths, observations, history, manifestRef } = material;
  return {
    question,
    ...(paths.length === 0 ? {} : { sources: { paths, skipInvalid } }),
    ...(manifestRef === null ? {} : { corpus: { manifestRef, count: 1 } }),
    ...(observations.length === 0 ? {} : { observations }),
    ...(history.length === 0 ? {} : { history }),
    ...(search === null ? {} : { search }),
    ...(judge ? { judge: { ...config.judge, enabled: true } } : {}),
  };
}

function agentStateOf(answer: Answer, { history }: GivenMaterial): AgentState {
  return toAgentState(answer, [...history, { role: 'human', content: answer.question }]);
}

async function checkBeforeServer(
  context: CommandContext,
  { config, outages, skipInvalid, search, material: { paths, finalOutput } }: CheckedAnswer,
  stopped: AbortSignal,
): Promise<void> {
  const hasFallback = finalOutput !== null && finalOutput.trim() !== '';
  await requireEndpoint(context, config, { waits: outages.patienceMs !== 0, hasFallback, stopped });
  if ((paths.length === 0 && search === null) || (await serverRuns(config))) return;
  checkSearch(config, search);
  if (paths.length > 0) await checkSources(paths, { cwd: config.cwd, skipInvalid });
}

/** Starts a worker of this process where none polls, and tells so where that is news. */
export function workerOf(session: Session): () => Promise<string | null> {
  return async () => {
    const work = await session.keepWorker();
    return work === null ? null : ownWorkerLine(work);
  };
}

/** Whether somebody watches the answer come: elsewhere it is printed when it is whole. */
export function streamsTo({ width }: Terminal): boolean {
  return Number.isFinite(width);
}

export async function answerRequestOf(session: Session, checked: CheckedAnswer): Promise<AnswerRequest> {
  const { material, search, requestId, again, judge, config } = checked;
  return askedWith(session, checked, {
    ...(await materialOf(session, material, checked)),
    question: material.question,
    ...(search === null ? {} : { search }),
    ...(requestId === undefined ? {} : { requestId, again }),
    ...(judge ? { judge: { ...config.judge, enabled: true } } : {}),
  });
}

export function askedWith(
  session: Session,
  { config, outages }: AnswerConditions,
  request: AnswerRequest,
): AnswerRequest {
  return configuredAnswer(config, {
    ...request,
    outages,
    searchAttributes: session.searchAttributes,
  });
}

async function materialOf(
  { client }: Session,
  given: GivenMaterial,
  { skipInvalid }: Pick<CheckedAnswer, 'skipInvalid'>,
): Promise<AnswerRequest> {
  const { paths, observations, finalOutput, history } = given;
  const corpus = await corpusOf(client, given);
  return {
    ...(paths.length === 0 ? {} : { sources: { paths, skipInvalid } }),
    ...(corpus === null ? {} : { corpus }),
    ...(observations.length === 0 ? {} : { observations }),
    ...(finalOutput === null ? {} : { finalOutput }),
    ...(history.length === 0 ? {} : { history }),
  };
}

async function corpusOf(client: Session['client'], { manifestRef }: GivenMaterial): Promise<Corpus | null> {
  if (manifestRef === null) return null;
  const { count } = await client.corpus(manifestRef);
  return { manifestRef, count };
}
