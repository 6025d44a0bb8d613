import type { RunHandle } from '../../../src/client';
import type { RunEvent } from '../../../src/contracts/event';
import { sectionTexts } from '../../../src/report/citations';
import { randomFrom } from '../random';

export interface Followed {
  readonly events: readonly RunEvent[];
  /** Where it was cut off: behind which event, and whether some section's text was half told by then. */
  readonly cuts: readonly { after: number; midText: boolean }[];
}

interface Follower extends Followed {
  cut(): void;
  ended: Promise<Followed>;
}

/** So many events come between two cuts at most. */
const LONGEST_LEG = 2;

/** Follows a run from its start, and goes on from the last number that it has seen each time it is cut off. `seen` is told of each event at once. */
function followRun(run: RunHandle, seen: (event: RunEvent) => void): Follower {
  const events: RunEvent[] = [];
  const cuts: { after: number; midText: boolean }[] = [];
  let line = new AbortController();
  const lastNumber = (): number => events.at(-1)?.number ?? 0;

  async function follow(): Promise<Followed> {
    for (;;) {
      line = new AbortController();
      const { signal } = line;
      for await (const event of run.events({ after: lastNumber(), signal })) {
        events.push(event);
        if (!signal.aborted) seen(event);
      }
      if (!signal.aborted) return { events, cuts };
      const texts = [...sectionTexts(events).values()];
      const midText = texts.some(({ text, isWritten }) => text !== '' && !isWritten);
      cuts.push({ after: lastNumber(), midText });
    }
  }
  return { events, cuts, cut: () => line.abort(), ended: follow() };
}

/** Cut off by `cut`, and behind events that the seed chooses, `early` times any event, then `inTexts` times a piece of a text. */
export function followCutOff(
  run: RunHandle,
  { seed, early, inTexts }: { seed: number; early: number; inTexts: number },
): Follower {
  const random = randomFrom(seed);
  let chosen = 0;
  let leg = -1;
  let left = 0;
  const follower = followRun(run, ({ type }) => {
    if (leg < follower.cuts.length) left = 1 + Math.floor(random() * LONGEST_LEG);
    leg = follower.cuts.length;
    if (chosen < early || type === 'content-chunk') left -= 1;
    if (left > 0 || chosen === early + inTexts) return;
    chosen += 1;
    follower.cut();
  });
  return follower;
}

/** What is wrong with what a follower saw of a run, whose log has `logged`; for problems of the log see `problemsOfLog`. */
export function problemsOfFollower({ events, cuts }: Followed, logged: readonly RunEvent[]): string[] {
  const problems: string[] = [];
  events.forEach(({ number, key }, index) => {
    if (number !== index + 1) problems.push(`event ${number} came at place ${index + 1}`);
    if (key !== logged[index]?.key) problems.push(`event ${number} is not the one that the log has`);
  });
  if (new Set(events.map(({ key }) => key)).size !== events.length) problems.push('a key came twice');
  if (events.length !== logged.length) problems.push(`${events.length} of ${logged.length} events came`);
  if (new Set(cuts.map(({ after }) => after)).size < cuts.length / 2)
    problems.push('it was cut off at few different places');
  return problems;
}
