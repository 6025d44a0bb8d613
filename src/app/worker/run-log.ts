import type { Logger } from '@temporalio/worker';
import type { ContentStore } from '../../stores/content-store';
import type { EventLog } from '../../stores/event-log';
import type { Traces } from '../../tracing/traces';

type Log = Pick<Logger, 'debug'>;

/**
 * Document 002's debugging: the content store's statistics at each pass, and the citations behind the last one, in the worker's
 * log. What a run cannot do without goes on as it is, whether or not the statistics can be read.
 */
export function loggedEvents(
  events: EventLog,
  { content, log }: { content: Pick<ContentStore, 'statistics'>; log: Log },
): EventLog {
  const logStore = async (runId: string, pass: number, phase: string): Promise<void> => {
    const { artifacts, totalChars, retrievals } = await content.statistics();
    log.debug('Content store', { runId, pass, phase, artifacts, totalChars, ...retrievals });
  };
  return {
    async appendOnce(runId, key, event) {
      const number = await events.appendOnce(runId, key, event);
      if (event.type === 'multi-pass-phase')
        await logStore(runId, event.payload.pass, event.payload.name).catch((error: unknown) => {
          log.debug('Content store: no statistics', { runId, error });
        });
      if (event.type === 'citation-stats') {
        const { total: citations, coverage } = event.payload;
        log.debug('Citations', { runId, citations, coverage });
      }
      return number;
    },
    read: (...asked) => events.read(...asked),
    follow: (...asked) => events.follow(...asked),
    runs: () => events.runs(),
    clearRun: (...asked) => events.clearRun(...asked),
  };
}

/** The same traces, of whose steps the log has each call of a model with its tokens: what is gathered for the one serves the other. */
export function loggedTraces(traces: Traces, log: Log): Traces {
  return {
    isOn: true,
    step(run, span) {
      for (const { model, usage, startedAt, endedAt, failure } of span.calls)
        log.debug('Model call', {
          runId: run.runId,
          pass: span.place.pass,
          step: span.step.name,
          model,
          inputTokens: usage.inputTokens,
          outputTokens: usage.outputTokens,
          durationMs: endedAt - startedAt,
          ...(failure === null ? {} : { reason: failure }),
        });
      traces.step(run, span);
    },
    note: (run, note) => traces.note(run, note),
    ended: (run, status) => traces.ended(run, status),
    idOf: (run) => traces.idOf(run),
    close: () => traces.close(),
  };
}
