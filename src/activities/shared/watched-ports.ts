import type { EngineName } from '../../contracts/run/run';
import type { Engine } from '../../engines/engine';
import type { ActivityPorts } from './ports';
import type { Pulse } from './pulse';

type Threads = ActivityPorts['threads'];

/** The same ports, of whose work the pulse knows what an activity is at. */
export function watchedPorts(ports: ActivityPorts, pulse: Pulse): ActivityPorts {
  const watched = Object.entries(ports.engines).map(([name, engine]) => [name, watchedEngine(engine, pulse)]);
  return {
    ...ports,
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
