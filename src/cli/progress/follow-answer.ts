import { setTimeout as delay } from 'node:timers/promises';
import type { AnswerHandle } from '../../client/answer/answer-request';
import type { Answer } from '../../contracts/answer/answer';
import type { RunEvent } from '../../contracts/run/event';
import type { Terminal } from '../terminal/terminal';
import { safeExcerpt } from '../terminal/safe-text';
import { cancelWhenStopped } from './cancel-when-stopped';
import { keepWorking } from './keep-working';
import { createLiveAnswer } from './live-answer';
import { waitTold } from './parked-run';

/** So long the last events may take to be shown when there is the reply. */
const GRACE_MS = 1_000;

interface FollowOptions {
  stopped: AbortSignal;
  keepWorker: () => Promise<string | null>;
  streams: boolean;
}

/** Waits for a reply, and shows what happens meanwhile; where `stopped` aborts, it is cancelled, and what there is awaited. */
export async function followAnswer(
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
  // What it tells is only shown: the reply is waited for without it.
  const showing = show().catch(() => undefined);
  const note = terminal.say;
  const sideWork = [
    cancelWhenStopped(request, { stopped, ended: ended.signal, note, left: 'what there is of a reply' }),
    keepWorking(keepWorker, note, ended.signal),
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
      return waitTold(event.payload);
    case 'run-parked':
      return `Paused until it is resumed: ${safeExcerpt(event.payload.reason, 300)}`;
    case 'run-goes-on':
      return 'It goes on.';
    default:
      return null;
  }
}
