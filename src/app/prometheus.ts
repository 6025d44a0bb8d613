import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { ModelCall } from '../engines/engine';
import type { Metrics } from './metrics';

const SECONDS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1_800, 3_600];

export interface PrometheusSettings {
  version: string;
  deployment: string | null;
  buildId: string | null;
  roles: readonly string[];
  activeRuns: () => Promise<number | null>;
}

export interface PrometheusMetrics extends Metrics {
  drains(): void;
  text(): Promise<{ body: string; contentType: string }>;
}

/** Creates the worker metrics in a registry of their own. docs/workers.md explains each metric and its alerts. */
export function createPrometheusMetrics(settings: PrometheusSettings): PrometheusMetrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const counter = <Label extends string>(name: string, help: string, labelNames: Label[]): Counter<Label> =>
    new Counter({ name: `colligate_${name}`, help, labelNames, registers });
  const histogram = <Label extends string>(
    name: string,
    help: string,
    labelNames: Label[],
  ): Histogram<Label> =>
    new Histogram({ name: `colligate_${name}`, help, labelNames, buckets: SECONDS, registers });
  const gauge = <Label extends string>(name: string, help: string, labelNames: Label[]): Gauge<Label> =>
    new Gauge({ name: `colligate_${name}`, help, labelNames, registers });

  const calls = counter('model_calls_total', 'Requests to models, by how they ended.', [
    'step',
    'model',
    'outcome',
  ]);
  const callSeconds = histogram(
    'model_call_duration_seconds',
    'How long requests to models took that were sent, their waits included.',
    ['step', 'model'],
  );
  const tokens = counter('model_tokens_total', 'Tokens that were paid for.', ['model', 'direction']);
  const cost = counter(
    'model_cost_usd_total',
    'What requests to models cost, in USD by the configured prices.',
    ['model'],
  );
  const cache = counter(
    'response_cache_requests_total',
    'What was asked of models, by whether the answer was kept already.',
    ['outcome'],
  );
  const waits = histogram(
    'model_call_wait_seconds',
    'What requests to models waited for before they were sent.',
    [],
  );
  const stepSeconds = histogram('step_duration_seconds', 'How long steps took, whoever carried them out.', [
    'step',
    'engine',
  ]);
  const stepFailures = counter('step_failures_total', 'Steps that failed, by the kind of failure.', [
    'step',
    'engine',
    'kind',
  ]);
  const queued = histogram(
    'activity_queue_seconds',
    'How long activities lay in their queue before this worker took them.',
    ['queue', 'activity'],
  );
  const activitySeconds = histogram('activity_duration_seconds', 'How long attempts of activities took.', [
    'activity',
    'outcome',
  ]);
  const activityFailures = counter(
    'activity_failures_total',
    'Attempts of activities that failed, by the kind of failure.',
    ['activity', 'kind'],
  );
  const underWay = gauge('activities_in_progress', 'Activities that this worker carries out now.', ['queue']);
  const storeErrors = counter('store_errors_total', 'Operations of stores that failed.', [
    'port',
    'operation',
    'error',
  ]);
  const draining = gauge('worker_draining', '1 from when the worker was told to stop.', []);
  const info = gauge('worker_info', 'Always 1; the labels say what this worker is.', [
    'version',
    'deployment',
    'build_id',
    'roles',
  ]);
  new Gauge({
    name: 'colligate_active_runs',
    help: 'Runs of this task queue that are under way, whoever works on them; the same from every worker.',
    registers,
    async collect() {
      const runs = await settings.activeRuns();
      // A reset would report 0 runs.
      if (runs === null) this.remove();
      else this.set(runs);
    },
  });

  draining.set(0);
  info.set(
    {
      version: settings.version,
      deployment: settings.deployment ?? '',
      build_id: settings.buildId ?? '',
      roles: settings.roles.join(','),
    },
    1,
  );

  function callEnded(step: string, { model, usage, failure, startedAt, endedAt }: ModelCall): void {
    const wasKept = usage.calls === 0 && usage.cachedCalls > 0;
    cache.inc({ outcome: wasKept ? 'hit' : 'miss' });
    calls.inc({ step, model, outcome: failure ?? (wasKept ? 'cached' : 'answered') });
    // A cached answer may carry the usage of an earlier attempt that is already counted.
    if (usage.calls === 0) return;
    callSeconds.observe({ step, model }, seconds(endedAt - startedAt));
    tokens.inc({ model, direction: 'input' }, usage.inputTokens);
    tokens.inc({ model, direction: 'output' }, usage.outputTokens);
    cost.inc({ model }, usage.costUsd);
  }

  return {
    stepEnded({ step: { name }, engine, startedAt, endedAt, failure, calls: asked }) {
      stepSeconds.observe({ step: name, engine }, seconds(endedAt - startedAt));
      if (failure !== null) stepFailures.inc({ step: name, engine, kind: failure });
      for (const call of asked) callEnded(name, call);
    },
    activityBegan({ queue, activity }, queuedMs) {
      queued.observe({ queue, activity }, seconds(queuedMs));
      underWay.inc({ queue });
    },
    activityEnded({ queue, activity }, { outcome, ms, failure }) {
      underWay.dec({ queue });
      activitySeconds.observe({ activity, outcome }, seconds(ms));
      if (failure !== null) activityFailures.inc({ activity, kind: failure });
    },
    callWaited: (ms) => waits.observe(seconds(ms)),
    storeFailed: (failed) => storeErrors.inc(failed),
    drains: () => draining.set(1),
    text: async () => ({ body: await registry.metrics(), contentType: registry.contentType }),
  };
}

function seconds(ms: number): number {
  return ms / 1_000;
}

const REQUEST_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** `route` is the pattern, because a path contains run ids. */
export interface AnsweredRequest {
  method: string;
  route: string;
  status: number;
  seconds: number;
}

/** Metrics of the HTTP server. Labels contain no run ids, tokens or addresses. */
export interface HttpMetrics {
  requestBegan(): void;
  requestEnded(): void;
  answered(request: AnsweredRequest): void;
  streamOpened(): void;
  streamClosed(): void;
  text(): Promise<{ body: string; contentType: string }>;
}

export function createHttpMetrics({ version }: { version: string }): HttpMetrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: 'colligate_http_info',
    help: 'Always 1. The label is the version of this server.',
    labelNames: ['version'],
    registers,
  }).set({ version }, 1);
  const duration = new Histogram({
    name: 'colligate_http_request_duration_seconds',
    help: 'Duration of requests, event streams excepted.',
    labelNames: ['method', 'route', 'status'],
    buckets: REQUEST_SECONDS,
    registers,
  });
  const inProgress = new Gauge({
    name: 'colligate_http_requests_in_progress',
    help: 'Requests that this server handles now, event streams included.',
    registers,
  });
  const streams = new Gauge({
    name: 'colligate_http_event_streams',
    help: 'Open event streams.',
    registers,
  });
  return {
    requestBegan: () => inProgress.inc(),
    requestEnded: () => inProgress.dec(),
    answered: ({ method, route, status, seconds }) => duration.observe({ method, route, status }, seconds),
    streamOpened: () => streams.inc(),
    streamClosed: () => streams.dec(),
    text: async () => ({ body: await registry.metrics(), contentType: registry.contentType }),
  };
}
