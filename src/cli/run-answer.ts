import { setTimeout as delay } from 'node:timers/promises';
import { estimateRun } from '../app/local-tasks';
import { configuredAnswer } from '../app/open-colligate';
import type { Session } from '../app/session';
import { isServerRunning } from '../app/session-server';
import type { AnswerHandle, AnswerRequest, Corpus } from '../client/run-requests';
import type { Answer } from '../contracts/answer';
import type { RunEvent } from '../contracts/event';
import { type AgentState, toAgentState } from '../report/answer-state';
import type { AnswerMaterial, AnswerRunSettings, ValidatedAnswer } from './answer-options';
import { COMMAND, type CommandContext, ExitCode, listenForStop, quoteRunId } from './command-context';
import { givenSources } from './command-options';
import { exitImmediately, openCommandSession, ownWorkerLine } from './command-session';
import { cancelWhenStopped, ensureWorker, waitingText } from './follow-run';
import { checkSources } from './report-options';
import { answerFooter, exitCodeOfAnswer, printAnswer } from './result-text';
import {
  checkSearch,
  estimateLine,
  LIMIT_SETTINGS,
  printEstimate,
  requireEndpoint,
  withLimitNames,
} from './run-and-follow';
import { createLiveAnswer } from './stream-view';
import { safeExcerpt, type Terminal } from './terminal';
import { warningLines } from './warning-lines';

export async function runAnswer(context: CommandContext, request: ValidatedAnswer): Promise<ExitCode> {
  const { terminal } = context;
  if (request.estimate) {
    const { config, json } = request;
    const estimated = await withLimitNames(LIMIT_SETTINGS, async () =>
      estimateRun(config, { kind: 'answer', request: configuredAnswer(config, estimateRequest(request)) }),
    );
    printEstimate(terminal, estimated, { names: LIMIT_SETTINGS, json });
    return ExitCode.ok;
  }
  const signals = listenForStop(context.io.signals);
  const wasStopped = (): boolean => signals.stopped.aborted;
  signals.onSecond(() => exitImmediately(context, request.config));
  try {
    await checkBeforeServer(context, request, signals.stopped);
    const session = await openCommandSession(context, request.config, { server: 'start', worker: 'start' });
    try {
      if (wasStopped()) return ExitCode.cancelled;
      const {
        request: asked,
        attached,
        sources,
        warnings,
        estimate,
      } = await withLimitNames(LIMIT_SETTINGS, async () =>
        session.client.startAnswer(await createAnswerRequest(session, request)),
      );
      const { runId } = asked;
      terminal.say(
        attached ? `Request ${runId} is being answered already: waiting for it.` : `Request ${runId}`,
      );
      if (estimate !== null) terminal.say(estimateLine(estimate, LIMIT_SETTINGS));
      for (const line of warningLines(warnings, { sources, names: LIMIT_SETTINGS })) terminal.say(line);
      const keepWorker = workerStarter(session);
      const news = await keepWorker();
      if (news !== null && !session.startedServer) terminal.say(news);
      const followed = followAnswer(terminal, asked, {
        stopped: signals.stopped,
        keepWorker,
        streams: canStream(terminal) && !request.json && !request.agentState,
      });
      const { answer, shown } = await Promise.race([followed, session.serverLost]);
      if (request.agentState) terminal.printJson(agentStateOf(answer, request.material));
      else if (request.json) terminal.printJson(answer);
      else {
        printAnswer(terminal, answer, { shown, below: answerFooter(answer) });
        terminal.say(`To see it again: ${COMMAND} show ${quoteRunId(runId)}`);
      }
      return wasStopped() ? ExitCode.cancelled : exitCodeOfAnswer(answer);
    } finally {
      await session.close();
    }
  } finally {
    signals.dispose();
  }
}

/** The stored manifest has the real `count` of a corpus. */
function estimateRequest(checked: ValidatedAnswer): AnswerRequest {
  const { material, search, judge, config } = checked;
  const { question, observations, history, manifestRef } = material;
  return {
    question,
    ...sourcesOf(material, checked),
    ...(manifestRef === null ? {} : { corpus: { manifestRef, count: 1 } }),
    ...(observations.length === 0 ? {} : { observations }),
    ...(history.length === 0 ? {} : { history }),
    ...(search === null ? {} : { search }),
    ...(judge ? { judge: { ...config.judge, enabled: true } } : {}),
  };
}

function agentStateOf(answer: Answer, { history }: AnswerMaterial): AgentState {
  return toAgentState(answer, [...history, { role: 'human', content: answer.question }]);
}

async function checkBeforeServer(
  context: CommandContext,
  { config, outages, skipInvalid, search, material: { paths, finalOutput } }: ValidatedAnswer,
  stopped: AbortSignal,
): Promise<void> {
  const hasFallback = finalOutput !== null && finalOutput.trim() !== '';
  await requireEndpoint(context, config, { waits: outages.patienceMs !== 0, hasFallback, stopped });
  if ((paths.length === 0 && search === null) || (await isServerRunning(config))) return;
  checkSearch(config, search);
  if (paths.length > 0) await checkSources(paths, { cwd: config.cwd, skipInvalid });
}

/** Starts a worker in this process if none polls, and returns a message if that is news. */
export function workerStarter(session: Session): () => Promise<string | null> {
  return async () => {
    const work = await session.keepWorker();
    return work === null ? null : ownWorkerLine(work);
  };
}

/** True on a terminal. Elsewhere the answer is printed when it is complete. */
export function canStream({ width }: Terminal): boolean {
  return Number.isFinite(width);
}

export async function createAnswerRequest(
  session: Session,
  checked: ValidatedAnswer,
): Promise<AnswerRequest> {
  const { material, search, requestId, again, judge, config } = checked;
  return withRunSettings(session, checked, {
    ...(await materialOf(session, material, checked)),
    question: material.question,
    ...(search === null ? {} : { search }),
    ...(requestId === undefined ? {} : { requestId, again }),
    ...(judge ? { judge: { ...config.judge, enabled: true } } : {}),
  });
}

export function withRunSettings(
  session: Session,
  { config, outages }: AnswerRunSettings,
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
  given: AnswerMaterial,
  settings: AnswerRunSettings,
): Promise<AnswerRequest> {
  const { observations, finalOutput, history } = given;
  const corpus = await corpusOf(client, given);
  return {
    ...sourcesOf(given, settings),
    ...(corpus === null ? {} : { corpus }),
    ...(observations.length === 0 ? {} : { observations }),
    ...(finalOutput === null ? {} : { finalOutput }),
    ...(history.length === 0 ? {} : { history }),
  };
}

function sourcesOf(
  { paths }: Pick<AnswerMaterial, 'paths'>,
  { zotero, skipInvalid }: AnswerRunSettings,
): Pick<AnswerRequest, 'sources'> {
  const sources = givenSources(paths, zotero);
  return sources === null ? {} : { sources: { ...sources, skipInvalid } };
}

async function corpusOf(client: Session['client'], { manifestRef }: AnswerMaterial): Promise<Corpus | null> {
  if (manifestRef === null) return null;
  const { count } = await client.corpus(manifestRef);
  return { manifestRef, count };
}

/** Time for the last events after the reply has arrived. */
const GRACE_MS = 1_000;

interface FollowOptions {
  stopped: AbortSignal;
  keepWorker: () => Promise<string | null>;
  streams: boolean;
}

/** Shows events until the reply arrives. Cancels the request when `stopped` aborts, and waits for a partial reply. */
async function followAnswer(
  terminal: Terminal,
  request: AnswerHandle,
  { stopped, keepWorker, streams }: FollowOptions,
): Promise<{ answer: Answer; shown: string }> {
  const ended = new AbortController();
  const live = createLiveAnswer();
  const show = async (): Promise<void> => {
    for await (const event of request.events({ signal: ended.signal })) {
      const line = lineOf(event);
      if (line !== null) terminal.say(line);
      const text = live.add(event);
      if (streams && text !== '') terminal.write(text);
    }
  };
  // Events are only shown. A failure must not affect the reply.
  const showing = show().catch(() => undefined);
  const note = terminal.say;
  const sideWork = [
    cancelWhenStopped(request, { stopped, ended: ended.signal, note, left: 'what there is of a reply' }),
    ensureWorker(keepWorker, note, ended.signal),
  ];
  try {
    const answer = await request.answer();
    await Promise.race([showing, delay(GRACE_MS, undefined, { ref: false })]);
    return { answer, shown: streams ? live.shown() : '' };
  } finally {
    ended.abort();
    await Promise.all([...sideWork, showing]);
  }
}

function lineOf(event: RunEvent): string | null {
  switch (event.type) {
    case 'attempt': {
      const { decision, reason } = event.payload;
      return decision === 'end' ? null : `Trying again (${decision}): ${safeExcerpt(reason, 300)}`;
    }
    case 'warning':
      return `Warning: ${safeExcerpt(event.payload.message, 300)}`;
    case 'run-waiting':
      return waitingText(event.payload);
    case 'run-parked':
      return `Paused until it is resumed: ${safeExcerpt(event.payload.reason, 300)}`;
    case 'run-goes-on':
      return 'It goes on.';
    default:
      return null;
  }
}
