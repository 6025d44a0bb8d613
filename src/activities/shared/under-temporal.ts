import { Context } from '@temporalio/activity';
import { asActivityCancellation, asActivityFailure } from './activity-failure';
import { startHeartbeat } from './heartbeat';
import type { ActivityPorts } from './ports';
import type { SearchIndexes } from '../../search/search-indexes';
import type { Pages } from '../../sources/pages/page-reader';
import { createPulse, type Pulse } from './pulse';
import type { EngineName } from '../../contracts/run/run';
import type { Engine } from '../../engines/engine';

/**
 * Does the work of an activity with ports that are watched, so that heartbeats say what it is at, and translates cancellations
 * and failures into Temporal's terms.
 */
export async function underTemporal<Result>(
  ports: ActivityPorts,
  work: (watched: ActivityPorts, signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const context = Context.current();
  const pulse = createPulse();
  const stopHeartbeat = startHeartbeat(context, pulse);
  try {
    return await work(watchedPorts(ports, pulse), context.cancellationSignal);
  } catch (error) {
    if (context.cancellationSignal.aborted) {
      // It rejects with the reason for the cancellation.
      await context.cancelled.catch((reason: unknown) => {
        throw asActivityCancellation(reason, error);
      });
    }
    throw asActivityFailure(error);
  } finally {
    stopHeartbeat();
  }
}

type Threads = ActivityPorts['threads'];

/** The same ports, of whose work the pulse knows what an activity is at. */
function watchedPorts(ports: ActivityPorts, pulse: Pulse): ActivityPorts {
  const watched = Object.entries(ports.engines).map(([name, engine]) => [name, watchedEngine(engine, pulse)]);
  const { pages, search } = ports;
  return {
    ...ports,
    ...(pages === undefined ? {} : { pages: watchedPages(pages, pulse) }),
    ...(search === undefined ? {} : { search: watchedSearch(search, pulse) }),
    engines: Object.fromEntries(watched) as Partial<Record<EngineName, Engine>>, // under the same names
    threads: watchedThreads(ports.threads, pulse),
  };
}

function watchedEngine(engine: Engine, pulse: Pulse): Engine {
  return {
    name: engine.name,
    run: (step, input, context) => pulse.during(step.name, () => engine.run(step, input, context)),
    close: () => engine.close(),
  };
}

/** What is fetched has its own limits of time. */
function watchedPages(pages: Pages, pulse: Pulse): Pages {
  return {
    open(importing) {
      const opened = pages.open(importing);
      return {
        ...opened,
        async *read(addresses, formats) {
          const readings = opened.read(addresses, formats)[Symbol.asyncIterator]();
          try {
            for (;;) {
              const next = await pulse.during('fetching pages', () => readings.next());
              if (next.done === true) return;
              yield next.value;
            }
          } finally {
            await readings.return?.();
          }
        },
      };
    },
  };
}

function watchedSearch(search: SearchIndexes, pulse: Pulse): SearchIndexes {
  return {
    ...search,
    open() {
      const opened = search.open();
      return {
        ...opened,
        ask: (index, ...asked) => pulse.during(`searching ${index.name}`, () => opened.ask(index, ...asked)),
      };
    },
  };
}

function watchedThreads(threads: Threads, pulse: Pulse): Threads {
  return {
    run: (task, input, signal) => pulse.during(task, () => threads.run(task, input, signal)),
    takeTurn(work, signal) {
      let begin = (): void => undefined;
      const begun = new Promise<void>((resolve) => (begin = resolve));
      void pulse.during('waiting for a turn', () => begun);
      const taken = threads.takeTurn(() => {
        begin();
        return work();
      }, signal);
      return taken.finally(begin);
    },
  };
}
