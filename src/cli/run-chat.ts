import type { Session } from '../app/session/open-session';
import type { KnownCorpus } from '../client/answer/known-corpus';
import { newRunId } from '../client/new-run-id';
import type { CommandContext } from './command-context';
import type { CommandIo } from './command-io';
import { ExitCode } from './exit-code';
import { describeFailure } from './failures/describe-failure';
import { isServerSilent } from './failures/server-silence';
import { COMMAND } from './package-files';
import { followAnswer } from './progress/follow-answer';
import type { CheckedChat } from './request/chat-request';
import { briefBelowAnswer } from './results/answer-lines';
import { printAnswer } from './results/print-answer';
import { count } from '../core/values/grouped-digits';
import { runArgument } from './results/run-name';
import { askedWith, checkBeforeServer, streamsTo, workerOf } from './run-answer';
import { openCommandSession } from './session/command-session';
import { listenForInterrupts, type Interrupts } from './session/interrupts';
import { leaveAtOnce } from './session/leave-at-once';
import { safeExcerpt } from './terminal/safe-text';
import { createInterface } from 'node:readline';
import { conversationLog } from '../core/run/kept-names';
import { UsageError } from './failures/usage-error';
import type { Terminal } from './terminal/terminal';

const TITLE_CHARS = 100;

interface Chat {
  context: CommandContext;
  session: Session;
  request: CheckedChat;
  conversationId: string;
  /** Null where each question is only searched for. */
  corpus: KnownCorpus | null;
}

/** Answers one line after the other, until there is none or somebody leaves. */
export async function runChat(context: CommandContext, request: CheckedChat): Promise<ExitCode> {
  const interrupts = listenForInterrupts(context.io.signals);
  const opening = new AbortController();
  // Until there is a conversation, nothing is lost.
  interrupts.onPress(() => (opening.signal.aborted ? leaveAtOnce(context, request.config) : opening.abort()));
  interrupts.onEnd(() => opening.abort());
  try {
    await checkBeforeServer(context, request, request.paths, opening.signal);
    const session = await openCommandSession(context, request.config, { server: 'start', worker: 'start' });
    try {
      const conversationId = request.conversationId ?? newRunId('chat', new Date());
      const corpus = await chatCorpus(context.terminal, session, request, conversationId);
      if (opening.signal.aborted) return ExitCode.cancelled;
      const chat = { context, session, request, conversationId, corpus };
      return await Promise.race([converse(chat, interrupts), session.serverLost]);
    } finally {
      await session.close();
    }
  } finally {
    interrupts.dispose();
  }
}

async function converse(chat: Chat, interrupts: Interrupts): Promise<ExitCode> {
  const { say } = chat.context.terminal;
  const { conversationId, corpus, request } = chat;
  const about = [
    ...(corpus === null ? [] : [count(corpus.count, 'source')]),
    ...(request.search === null ? [] : ['what is searched for each question']),
  ].join(' and ');
  say(`Conversation ${conversationId} about ${about}. /sources lists sources, /quit leaves.`);
  const input = openLineInput(chat.context.io, () => interrupts.press());
  const turn = createTurn(chat, interrupts, input);
  try {
    input.prompt();
    for await (const line of input.lines()) {
      const said = line.trim();
      if (said === '/quit' || turn.hasLeft()) break;
      if (said === '/sources') listSources(chat);
      else if (said.startsWith('/'))
        say(`There is no ${safeExcerpt(said, 40)}: /sources and /quit are there.`);
      else if (said !== '') await turn.ask(said);
      input.prompt();
    }
  } finally {
    input.close();
  }
  say(`To go on with it: ${COMMAND} chat --conversation ${runArgument(conversationId)}`);
  return turn.hasLeft() ? ExitCode.cancelled : ExitCode.ok;
}

interface Turn {
  ask(question: string): Promise<void>;
  /** Whether somebody left with Ctrl-C. */
  hasLeft(): boolean;
}

/** The first Ctrl-C cancels the answer under way, and a second leaves. */
function createTurn(chat: Chat, interrupts: Interrupts, input: LineInput): Turn {
  const { context, request } = chat;
  let underWay: AbortController | null = null;
  let presses = 0;
  let left = false;
  const leave = (): void => {
    left = true;
    underWay?.abort();
    input.close();
  };
  interrupts.onEnd(leave);
  interrupts.onPress(() => {
    presses += 1;
    if (underWay !== null && presses > 1) leaveAtOnce(context, request.config);
    else if (underWay !== null) underWay.abort();
    else if (presses > 1) leave();
    else {
      context.terminal.say('\nCtrl-C again leaves.');
      input.prompt();
    }
  });
  return {
    hasLeft: () => left,
    async ask(question) {
      presses = 0;
      underWay = new AbortController();
      try {
        await askOne(chat, question, underWay.signal);
      } catch (error) {
        if (isServerSilent(error)) throw error;
        context.terminal.say(describeFailure(error).message);
      } finally {
        underWay = null;
        presses = 0;
      }
    },
  };
}

async function askOne(chat: Chat, question: string, stopped: AbortSignal): Promise<void> {
  const { context, session, request, conversationId, corpus } = chat;
  const { terminal } = context;
  const asked = {
    question,
    conversationId,
    ...(corpus === null ? {} : { corpus: { manifestRef: corpus.manifestRef, count: corpus.count } }),
    ...(request.search === null ? {} : { search: request.search }),
  };
  const started = await session.client.startAnswer(askedWith(session, request, asked));
  const keepWorker = workerOf(session);
  await keepWorker();
  const streams = streamsTo(terminal);
  const { answer, shown } = await followAnswer(terminal, started.request, { stopped, keepWorker, streams });
  printAnswer(terminal, answer, { shown, below: briefBelowAnswer(answer) });
  terminal.print('');
}

function listSources({ context, corpus }: Chat): void {
  for (const { title, url } of corpus?.sources ?? [])
    context.terminal.print(
      `  ${safeExcerpt(title, TITLE_CHARS)}${url === null ? '' : ` · ${safeExcerpt(url, TITLE_CHARS)}`}`,
    );
}

/** Lines that somebody types, or that a pipe brings. */
interface LineInput {
  /** In their order; ends with the input, or when it is closed. */
  lines(): AsyncIterable<string>;
  /** Asks for the next line, where somebody types. */
  prompt(): void;
  close(): void;
}

/** At a terminal keys are read here, and so a Ctrl-C is told here. */
function openLineInput({ stdin, stdout }: CommandIo, onPress: () => void): LineInput {
  const isTyped = stdin.isTTY === true && stdout.isTTY === true;
  const reader = createInterface({
    input: stdin,
    ...(isTyped ? { output: stdout, prompt: '\n› ', terminal: true } : { terminal: false }),
  });
  reader.on('SIGINT', onPress);
  const lines = reader[Symbol.asyncIterator]();
  return {
    lines: () => ({ [Symbol.asyncIterator]: () => lines }),
    prompt() {
      if (isTyped) reader.prompt();
    },
    close: () => reader.close(),
  };
}

/** What a conversation is about: read and stored now, stored before, or what it was about so far; null where it is only searched for. */
async function chatCorpus(
  { say }: Terminal,
  { client }: Session,
  { paths, manifestRef, skipInvalid, search }: CheckedChat,
  conversationId: string,
): Promise<KnownCorpus | null> {
  if (manifestRef !== null) return client.corpus(manifestRef);
  if (paths.length > 0) {
    // The conversation holds them for as long as it is kept.
    const heldBy = conversationLog(conversationId);
    const opened = await client.openCorpus({ paths, skipInvalid }, { heldBy });
    for (const { message } of opened.warnings) say(`Warning: ${safeExcerpt(message, 300)}`);
    return client.corpus(opened.manifestRef);
  }
  const { turns, corpus } = await client.conversation(conversationId);
  if (corpus !== null) return client.corpus(corpus.manifestRef);
  if (search !== null) return null;
  throw new UsageError([
    turns.length === 0
      ? `--conversation ${conversationId}: nobody has asked anything under this id. Give --sources PATH or --search INDEXES to begin it.`
      : `--conversation ${conversationId}: it has no sources that are kept. Give --sources PATH or --search INDEXES to go on with it.`,
  ]);
}
