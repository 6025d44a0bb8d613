import type { RunEventType } from '../../../src/contracts/run/event';
import type { EngineName } from '../../../src/contracts/run/run';
import type { AskedStep } from '../../model-server/prompt-material';

/** Where in a run something is disturbed: what has to be seen of it, while work is held. */
export type Point =
  | {
      /** So many calls of the step were answered, and the next are held, before their answers or in the middle of them. */
      held: 'calls';
      step: AskedStep;
      after: number;
      at: 'before the answer' | 'halfway';
      /** Beside that, an event that its log has to have told. */
      told?: RunEventType;
    }
  /** An event was told, and from then on the stores take no writes. */
  | { held: 'writes'; event: RunEventType };

/** `worker` is the one of the two that has been killed less often, if it holds work then. */
export type Killed = 'worker' | 'redis' | 'server';
export type What = `kill ${Killed}` | 'restart redis' | 'fill redis';

export interface Disturbance {
  what: What;
  point: Point;
  /** Whether what was held goes on while the killed part is still away, or when it is there again. */
  goesOn: 'meanwhile' | 'afterwards';
}

/** A run that is disturbed, and one beside it over the same parts that is not held. */
export interface Round {
  engine: EngineName;
  disturbances: Disturbance[];
}

type Calls = Extract<Point, { held: 'calls' }>;
const calls = (step: AskedStep, after: number, more: Partial<Calls> = {}): Calls => ({
  held: 'calls',
  step,
  after,
  at: 'before the answer',
  ...more,
});
const writes = (event: RunEventType): Point => ({ held: 'writes', event });

/** In the order of a run. Of each line one is drawn: calls that were answered come no more. */
const POINTS: Record<EngineName, readonly (readonly Point[])[]> = {
  openai: [
    [calls('outline', 0), calls('outline', 1)],
    [calls('score-relevance', 3), calls('score-relevance', 9)],
    [calls('extract-findings', 0), calls('extract-findings', 1)],
    [calls('cross-check', 0), calls('cross-check', 2)],
    [
      calls('write-section', 0),
      calls('write-section', 1, { at: 'halfway' }),
      calls('write-section', 2, { told: 'section-written' }),
    ],
    [calls('write-summary', 0), calls('write-summary', 0, { at: 'halfway' })],
    [calls('judge', 0)],
  ],
  extractive: [
    [writes('run-started')],
    [writes('outline-generated')],
    [writes('deep-dive-section')],
    [writes('conflict-detected')],
    [writes('content-chunk'), writes('section-written')],
  ],
};

/** Steps with so many calls at once that both workers hold some, so that either can be killed. */
const OF_BOTH_WORKERS: readonly AskedStep[] = ['score-relevance', 'write-section'];

/** Runs by a model are longer, and take more. */
const KILLS_A_ROUND: Record<EngineName, number> = { openai: 4, extractive: 2 };

/** Rounds with so many kills, as many of each part as of any other, and those of Redis without one; the same for the same seed. */
export function planRounds(random: () => number, options: { kills: number; fillUps: number }): Round[] {
  const targets: readonly Killed[] = ['worker', 'redis', 'worker', 'server'];
  const killed = shuffled(
    random,
    Array.from({ length: options.kills }, (_, at) => targets[at % targets.length] ?? 'worker'),
  );
  const rounds: Round[] = [];
  const add = (engine: EngineName, whats: readonly What[]): void => {
    const points = drawnPoints(random, POINTS[engine], whats);
    const waiting = [...whats];
    const disturbances = points.flatMap((point): Disturbance[] => {
      const ofWorker = waiting.indexOf('kill worker');
      const at = isOfBothWorkers(point) && ofWorker > 0 ? ofWorker : 0;
      const [what] = waiting.splice(at, 1);
      if (what === undefined) return [];
      // A Redis that is full is not noticed unless somebody writes.
      const isMeanwhile = what === 'fill redis' || random() < 0.5;
      return [{ what, point, goesOn: isMeanwhile ? 'meanwhile' : 'afterwards' }];
    });
    rounds.push({ engine, disturbances });
  };
  for (let engine: EngineName = 'openai'; killed.length > 0; engine = otherEngine(engine))
    add(
      engine,
      killed.splice(0, KILLS_A_ROUND[engine]).map((part): What => `kill ${part}`),
    );
  for (let at = 0; at < options.fillUps; at += 1)
    add(at % 2 === 0 ? 'openai' : 'extractive', ['restart redis', 'fill redis']);
  return rounds;
}

export function otherEngine(engine: EngineName): EngineName {
  return engine === 'openai' ? 'extractive' : 'openai';
}

/** As many points as there is to do, in the order of a run; those of both workers first where a worker is to be killed. */
function drawnPoints(
  random: () => number,
  lines: readonly (readonly Point[])[],
  whats: readonly What[],
): Point[] {
  const wanted = whats.filter((what) => what === 'kill worker').length;
  const inTurn = shuffled(random, [...lines]);
  const ofBoth = inTurn.filter((line) => line.some(isOfBothWorkers)).slice(0, wanted);
  const others = inTurn.filter((line) => !ofBoth.includes(line));
  const chosen = new Set([...ofBoth, ...others].slice(0, whats.length));
  return lines.flatMap((line) => (chosen.has(line) ? shuffled(random, [...line]).slice(0, 1) : []));
}

function isOfBothWorkers(point: Point): boolean {
  return point.held === 'calls' && OF_BOTH_WORKERS.includes(point.step);
}

function shuffled<Item>(random: () => number, items: Item[]): Item[] {
  return items
    .map((item) => ({ item, key: random() }))
    .sort((one, other) => one.key - other.key)
    .map(({ item }) => item);
}
