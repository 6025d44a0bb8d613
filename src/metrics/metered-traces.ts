import type { Traces } from '../tracing/traces';
import type { Metrics } from './metrics';

/** The same traces, of whose steps the metrics are told as well: what is gathered for the one serves the other. */
export function meteredTraces(traces: Traces, metrics: Pick<Metrics, 'stepEnded'>): Traces {
  return {
    isOn: true,
    step(run, span) {
      metrics.stepEnded(span);
      traces.step(run, span);
    },
    note: (run, note) => traces.note(run, note),
    ended: (run, status) => traces.ended(run, status),
    idOf: (run) => traces.idOf(run),
    close: () => traces.close(),
  };
}
