import type { EngineName } from '../core/contracts/run';
import type { Engine } from '../engines/engine';
import type { ContentStore } from '../stores/content-store';
import type { ActivityPorts } from './ports';
import type { Pulse } from './pulse';

/** Ends by itself: a thread that hangs is replaced, a call has its time limit, and those before in a line have theirs. */
const LIMITED = { limited: true };

/** The same ports, of which the pulse knows what an activity is at. */
export function watchedPorts(ports: ActivityPorts, pulse: Pulse): ActivityPorts {
  const { threads, engines } = ports;
  const watched = Object.entries(engines).map(([name, engine]) => [name, watchedEngine(engine, pulse)]);
  return {
    ...ports,
    content: watchedContent(ports.content, pulse),
    engines: Object.fromEntries(watched) as Partial<Record<EngineName, Engine>>, // under the same names
    threads: {
      run: (task, input, signal) => pulse.during(task, () => threads.run(task, input, signal), LIMITED),
      takeTurn: (work, signal) =>
        pulse.during('waiting for its turn', () => threads.takeTurn(work, signal), LIMITED),
    },
  };
}

function watchedEngine(engine: Engine, pulse: Pulse): Engine {
  return {
    ...engine,
    run: (step, input, context) =>
      pulse.during(step.name, () => engine.run(step, input, context), LIMITED),
  };
}

function watchedContent(content: ContentStore, pulse: Pulse): ContentStore {
  return {
    ...content,
    store: (runId, text) => pulse.during('storing', () => content.store(runId, text)),
    storeBatch: (runId, texts) => pulse.during('storing', () => content.storeBatch(runId, texts)),
    retrieve: (ref) => pulse.during('reading', () => content.retrieve(ref)),
    retrieveBatch: (refs) => pulse.during('reading', () => content.retrieveBatch(refs)),
  };
}
