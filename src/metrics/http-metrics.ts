import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** Upper bounds in seconds, from a status to an upload. */
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** One answered request. `route` is the pattern, never the path: a path names runs. */
export interface AnsweredRequest {
  method: string;
  route: string;
  status: number;
  seconds: number;
}

/** Metrics of the HTTP server. They name no run, no token and no address. */
export interface HttpMetrics {
  requestBegan(): void;
  requestEnded(): void;
  answered(request: AnsweredRequest): void;
  streamOpened(): void;
  streamClosed(): void;
  text(): Promise<{ body: string; contentType: string }>;
}

/** Creates the metrics in a registry of their own; docs/http.md lists them. */
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
    buckets: SECONDS,
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
