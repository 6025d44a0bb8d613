import type { OutsideSettings } from '../config/schema';
import type { OtlpTarget } from './otlp-exporter';

export function otlpTargets({
  telemetry,
  langfuse,
}: Pick<OutsideSettings, 'telemetry' | 'langfuse'>): OtlpTarget[] {
  const { endpoint, headers } = telemetry;
  const { baseUrl, publicKey, secretKey } = langfuse;
  const targets: OtlpTarget[] = [];
  if (endpoint !== null)
    targets.push({
      name: 'the collector',
      url: tracesUrl(endpoint),
      headers: headers === null ? {} : headersIn(headers.reveal()),
    });
  if (telemetry.langfuse && baseUrl !== null && publicKey !== null && secretKey !== null) {
    const key = Buffer.from(`${publicKey.reveal()}:${secretKey.reveal()}`).toString('base64');
    targets.push({
      name: 'Langfuse',
      url: tracesUrl(`${baseUrl.replace(/\/+$/, '')}/api/public/otel`),
      headers: { Authorization: `Basic ${key}` },
    });
  }
  return targets;
}

/** The specification adds the signal's path to an endpoint; one that has it already is taken as it is. */
function tracesUrl(endpoint: string): string {
  const url = new URL(endpoint);
  const path = url.pathname.replace(/\/+$/, '');
  url.pathname = path.endsWith('/v1/traces') ? path : `${path}/v1/traces`;
  return url.href;
}

/** `name=value,name=value`; values may be percent-encoded. */
function headersIn(text: string): Record<string, string> {
  const pairs = text.split(',').flatMap((pair) => {
    const at = pair.indexOf('=');
    return at < 1 ? [] : [[pair.slice(0, at).trim(), decoded(pair.slice(at + 1).trim())] as const];
  });
  return Object.fromEntries(pairs);
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
