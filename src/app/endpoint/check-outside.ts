import type { OutsideSettings } from '../../config/schema';
import { otlpTargets } from '../../tracing/otlp-targets';

const ANSWER_MS = 5_000;

export interface OutsideAnswer {
  name: 'langfuse' | 'traces';
  /** Without a name, a password or a query. */
  address: string;
  /** Null where it answers as it should. */
  problem: string | null;
}

/** Asks each once: Langfuse whose project the keys are, and whoever takes traces to take none. */
export async function checkOutside(settings: OutsideSettings): Promise<OutsideAnswer[]> {
  const { baseUrl, publicKey, secretKey } = settings.langfuse;
  const asked: Promise<OutsideAnswer>[] = [];
  if (baseUrl !== null && publicKey !== null && secretKey !== null) {
    const key = Buffer.from(`${publicKey.reveal()}:${secretKey.reveal()}`).toString('base64');
    const url = `${baseUrl.replace(/\/+$/, '')}/api/public/projects`;
    asked.push(ask('langfuse', url, { headers: { Authorization: `Basic ${key}` } }));
  }
  for (const { url, headers } of otlpTargets(settings)) {
    const body = JSON.stringify({ resourceSpans: [] });
    const json = { ...headers, 'Content-Type': 'application/json' };
    asked.push(ask('traces', url, { method: 'POST', headers: json, body }));
  }
  return Promise.all(asked);
}

async function ask(name: OutsideAnswer['name'], url: string, request: RequestInit): Promise<OutsideAnswer> {
  const { origin, pathname } = new URL(url);
  const address = `${origin}${pathname}`;
  try {
    const limits = { signal: AbortSignal.timeout(ANSWER_MS), redirect: 'error' as const };
    const response = await fetch(url, { ...request, ...limits });
    await response.body?.cancel();
    const { status } = response;
    if (response.ok) return { name, address, problem: null };
    const isRefused = status === 401 || status === 403;
    return { name, address, problem: isRefused ? `it refuses the keys (${status})` : `it answers ${status}` };
  } catch {
    return { name, address, problem: 'it does not answer' };
  }
}
