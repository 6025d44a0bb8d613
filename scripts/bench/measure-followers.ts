// A run that a thousand follow over HTTP at two processes, one of which is killed and started anew; and a run that many ask about.
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { root } from '../checkout.mjs';
import {
  MAIN,
  memoryOf,
  ownEnvironment,
  started,
  stop,
  watchProcess,
  type Started,
  type Usage,
} from './processes';
import { withWorker, type Session } from './worker';

const FOLLOWERS = 1_000;
/** Each 20th reads nothing once it is connected: all of them of the process that goes on. */
const SLOW_EVERY = 20;
/** Written beside the run's own events while its outline waits, so that what nobody reads fills what systems hold back for it. */
const WRITTEN = { events: 1_200, chars: 4_000, everyMs: 40 };
/** Longer than a face waits for whoever does not read. */
const LET_GO_MS = 60_000;
const RECONNECT_MS = 200;
const RATE = { aSecond: 200, seconds: 20 };

export interface FollowersFigures {
  followers: number;
  slow: number;
  events: number;
  /** Of those that are not slow: who got each event once and in order. */
  whole: number;
  /** Of the slow ones: who were let go before the end. */
  letGo: number;
  tookMs: number;
  /** Anonymous memory of the process that went on, in bytes. */
  memory: { alone: number; connected: number; most: number; after: number } | null;
  usage: (Usage | null)[];
  status: { aSecond: number; seconds: number; sortedMs: number[]; failed: number; usage: Usage | null };
}

export function measureFollowers(): Promise<FollowersFigures> {
  return withWorker(async (session) => ({
    ...(await measureEvents(session)),
    status: await measureStatus(session),
  }));
}

/** A face over the folder's runs; on one processor where that is asked. */
async function serve(
  { folder }: Session,
  port = 0,
  onOneCore = false,
): Promise<{ face: Started; url: string }> {
  const args = [MAIN, 'serve', '--set', `http.port=${port}`];
  const face = await started(args, { cwd: folder, env: ownEnvironment() });
  if (onOneCore) spawnSync('taskset', ['-acp', '0', String(face.child.pid)]);
  return { face, url: new URL('/', face.said.split(/\s+/).at(-1)).href };
}

async function measureEvents(session: Session): Promise<Omit<FollowersFigures, 'status'>> {
  const { runs, config, stores } = session;
  const { engine, synthesis, budget } = config;
  const { run } = await runs.startReport({
    question: 'Does vitamin D supplementation improve health outcomes, and by how much?',
    sources: { paths: [join(root, 'examples', 'vitamin-d')] },
    runId: 'followed',
    engine,
    synthesis,
    budget,
    searchAttributes: true,
    approval: { timeoutMs: 3_600_000 },
  });
  while ((await run.progress()).status !== 'awaiting-approval') await sleep(100);
  const staying = await serve(session);
  let restarted = await serve(session);
  const port = Number(new URL(restarted.url).port);
  const agent = new Agent({ maxSockets: Infinity });
  try {
    const alone = memoryOf(staying.face.child.pid)?.anonymousBytes;
    const watched = [watchProcess(staying.face.child.pid)];
    const startedAt = performance.now();
    const followers = Array.from({ length: FOLLOWERS }, (_, at) =>
      follow(agent, at % 2 === 0 ? staying.url : restarted.url, at % SLOW_EVERY === 0),
    );
    await Promise.all(followers.map(({ connected }) => connected));
    const connected = memoryOf(staying.face.child.pid)?.anonymousBytes;
    for (let written = 0; written < WRITTEN.events; written += 1) {
      const offset = written * WRITTEN.chars;
      const payload = { section: 'beside', generation: 1, offset, text: 'x'.repeat(WRITTEN.chars) };
      await stores.events.appendOnce(run.runId, `beside-${written}`, { type: 'content-chunk', payload });
      if (written === Math.floor(WRITTEN.events / 2)) {
        const ended = once(restarted.face.child, 'exit');
        restarted.face.child.kill('SIGKILL');
        await ended;
        restarted = await serve(session, port);
        watched.push(watchProcess(restarted.face.child.pid));
      }
      await sleep(WRITTEN.everyMs);
    }
    await run.approveOutline();
    await Promise.all(followers.filter(({ isSlow }) => !isSlow).map(({ ended }) => ended));
    const tookMs = performance.now() - startedAt;
    const slow = followers.filter(({ isSlow }) => isSlow);
    await Promise.race([Promise.all(slow.map(({ ended }) => ended)), sleep(LET_GO_MS)]);
    const after = memoryOf(staying.face.child.pid)?.anonymousBytes;
    const usage = watched.map((one) => one.stop());
    const events = (await stores.events.read(run.runId)).length;
    const isWhole = (numbers: number[]): boolean =>
      numbers.length === events && numbers.every((number, at) => number === at + 1);
    const most = usage[0]?.anonymousBytes;
    return {
      followers: followers.length,
      slow: slow.length,
      events,
      whole: followers.filter(({ isSlow, numbers }) => !isSlow && isWhole(numbers)).length,
      letGo: slow.filter(({ wasLetGo }) => wasLetGo()).length,
      tookMs,
      memory:
        alone === undefined || connected === undefined || most === undefined || after === undefined
          ? null
          : { alone, connected, most, after },
      usage,
    };
  } finally {
    agent.destroy();
    await Promise.all([stop(staying.face), stop(restarted.face)]);
  }
}

interface Follower {
  isSlow: boolean;
  numbers: number[];
  connected: Promise<void>;
  /** Resolves with the run's last event, and where a slow one was let go. */
  ended: Promise<void>;
  wasLetGo: () => boolean;
}

/** Follows the run as a browser does: whatever ends the stream, it comes back behind the last event that it has. */
function follow(agent: Agent, url: string, isSlow: boolean): Follower {
  const numbers: number[] = [];
  let letGo = false;
  let isConnected = (): void => undefined;
  let hasEnded = (): void => undefined;
  const connected = new Promise<void>((resolve) => (isConnected = resolve));
  const ended = new Promise<void>((resolve) => (hasEnded = resolve));
  const open = (): void => {
    const headers = numbers.length === 0 ? {} : { 'last-event-id': String(numbers.at(-1)) };
    get(new URL('v1/runs/followed/events', url), { agent, headers }, read).on('error', again);
  };
  const again = (): void => void setTimeout(open, RECONNECT_MS);
  const read = (answer: IncomingMessage): void => {
    isConnected();
    let isLast = false;
    let rest = '';
    if (isSlow) {
      // It is told of the end of the connection all the same.
      answer.pause();
      answer.socket.once('close', () => {
        letGo = true;
        hasEnded();
      });
      return;
    }
    answer.setEncoding('utf8').on('data', (text: string) => {
      const events = `${rest}${text}`.split('\n\n');
      rest = events.pop() ?? '';
      for (const event of events) {
        const number = /^id: (\d+)\n/.exec(event)?.[1];
        if (number === undefined) continue;
        numbers.push(Number(number));
        isLast = event.includes('\nevent: run-completed\n');
      }
    });
    answer.on('error', () => undefined); // its end tells
    answer.on('close', () => (isLast ? hasEnded() : again()));
  };
  open();
  return { isSlow, numbers, connected, ended, wasLetGo: () => letGo };
}

/** Requests at a set rate, each timed from when it was due, beside runs that follow one another. */
async function measureStatus(session: Session): Promise<FollowersFigures['status']> {
  const { runs, config } = session;
  const { engine, synthesis, budget } = config;
  const { face, url } = await serve(session, 0, true);
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  let runId = '';
  let goesOn = true;
  const running = (async () => {
    for (let count = 1; goesOn; count += 1) {
      const asked = { engine, synthesis, budget, searchAttributes: true };
      const { run } = await runs.startReport({
        question: `Does vitamin D supplementation improve health outcomes, and by how much? (${count})`,
        sources: { paths: [join(root, 'examples', 'vitamin-d')] },
        runId: `asked-${count}`,
        ...asked,
      });
      ({ runId } = run);
      await run.waitUntilClosed();
    }
  })();
  try {
    while (runId === '') await sleep(50);
    await statusMs(agent, url, runId); // the first loads what all others find loaded
    const watched = watchProcess(face.child.pid);
    const startedAt = performance.now();
    const asked: Promise<number>[] = [];
    let failed = 0;
    for (let at = 0; at < RATE.aSecond * RATE.seconds; at += 1) {
      const due = startedAt + (1_000 * at) / RATE.aSecond;
      if (due > performance.now()) await sleep(due - performance.now());
      asked.push(
        statusMs(agent, url, runId).then(
          () => performance.now() - due,
          () => {
            failed += 1;
            return Infinity;
          },
        ),
      );
    }
    const sortedMs = (await Promise.all(asked)).sort((one, other) => one - other);
    const usage = watched.stop();
    return { ...RATE, sortedMs, failed, usage };
  } finally {
    goesOn = false;
    await running;
    agent.destroy();
    await stop(face);
  }
}

async function statusMs(agent: Agent, url: string, runId: string): Promise<void> {
  const [answer] = (await once(get(new URL(`v1/runs/${runId}`, url), { agent }), 'response')) as [
    IncomingMessage,
  ];
  answer.resume();
  await once(answer, 'end');
  if (answer.statusCode !== 200) throw new Error(`A status was answered with ${String(answer.statusCode)}`);
}
