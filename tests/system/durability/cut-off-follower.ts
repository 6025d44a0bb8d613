import type { RunHandle } from '../../../src/client';
import type { RunEvent } from '../../../src/contracts/run/event';
import { sectionTexts } from '../../../src/core/report/streamed-texts';
import { randomFrom } from '../../support/random';

/** What a follower saw until the run's end. */
export interface Followed {
  events: RunEvent[];
  /** Where it was cut off: behind which event, and whether some section's text was half told by then. */
  cuts: { after: number; midText: boolean }[];
}

export interface CutOffFollower {
  /** Cuts it off now, while it waits for something to come. */
  cut(): void;
  ended: Promise<Followed>;
}

/** So many events come between two cuts at most. */
const LONGEST_LEG = 2;

/**
 * Follows a run from its start, and goes on from the last number that it has seen each time it is cut off: by `cut`, and
 * behind events that the seed chooses, `early` times any event, then `inTexts` times a piece of a section's text.
 */
export function followCutOff(
  run: RunHandle,
  { seed, early, inTexts }: { seed: number; early: number; inTexts: number },
): CutOffFollower {
  const random = randomFrom(seed);
  const followed: Followed = { events: [], cuts: [] };
  const lastNumber = (): number => followed.events.at(-1)?.number ?? 0;
  let line = new AbortController();

  async function follow(): Promise<Followed> {
    let chosen = 0;
    for (;;) {
      line = new AbortController();
      const { signal } = line;
      let left = 1 + Math.floor(random() * LONGEST_LEG);
      for await (const event of run.events({ after: lastNumber(), signal })) {
        followed.events.push(event);
        if (chosen < early || event.type === 'content-chunk') left -= 1;
        if (left > 0 || chosen === early + inTexts || signal.aborted) continue;
        chosen += 1;
        line.abort();
      }
      if (!signal.aborted) return followed;
      const texts = [...sectionTexts(followed.events).values()];
      const midText = texts.some(({ text, isWritten }) => text !== '' && !isWritten);
      followed.cuts.push({ after: lastNumber(), midText });
    }
  }
  return { cut: () => line.abort(), ended: follow() };
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
