import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { OTLPExporterBase } from '@opentelemetry/otlp-exporter-base';
import { createOtlpHttpExportDelegate } from '@opentelemetry/otlp-exporter-base/node-http';
import { JsonTraceSerializer, TraceExporterMetricsHelper } from '@opentelemetry/otlp-transformer';
import type { SpanExporter } from '@opentelemetry/sdk-trace-base';

/** All that may wait is sent at once where a worker ends. */
const EXPORTS_AT_ONCE = 16;

/** `ExportResultCode.SUCCESS`, which a package of its own names. */
const DONE = 0;

export interface OtlpTarget {
  name: string;
  /** With the path of traces. */
  url: string;
  headers: Readonly<Record<string, string>>;
}

/**
 * Sends spans to one place, as OTLP in JSON, tried again within the time limit where that may help. It is put together from
 * the SDK's parts because its ready-made exporter adds the headers that the environment has for another place, keys
 * included. `onFailure` gets why an export failed, without anything of what was sent.
 */
export function createOtlpExporter(
  { url, headers }: OtlpTarget,
  timeoutMs: number,
  onFailure: (reason: string) => void,
): SpanExporter {
  const isSecure = url.startsWith('https:');
  const agent = isSecure ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true });
  const sending = new OTLPExporterBase(
    createOtlpHttpExportDelegate(
      {
        url,
        headers: () => Promise.resolve({ ...headers, 'Content-Type': 'application/json' }),
        concurrencyLimit: EXPORTS_AT_ONCE,
        timeoutMillis: timeoutMs,
        compression: 'none',
        agentFactory: () => agent,
      },
      JsonTraceSerializer,
      'otlp_http_span_exporter',
      TraceExporterMetricsHelper,
      undefined,
    ),
  );
  return {
    export(spans, done) {
      sending.export(spans, (result) => {
        if (result.error !== undefined) onFailure(reasonOf(result.error));
        // It has been told of; the SDK would tell whoever has set its handler for all of the process.
        done({ code: DONE });
      });
    },
    forceFlush: () => sending.forceFlush(),
    async shutdown() {
      await sending.shutdown();
      agent.destroy();
    },
  };
}

/** A status, else the message: what an answer said beside its status may be anything. */
function reasonOf(error: Error & { code?: unknown }): string {
  return typeof error.code === 'number' ? `it answers ${error.code}` : error.message.slice(0, 200);
}
