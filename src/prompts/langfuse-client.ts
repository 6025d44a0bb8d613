import type { Secret } from '../platform/secret';
import { OutsidePrompt } from './template-from-outside';

export interface WantedPrompt {
  name: string;
  version: number | null;
  label: string;
}

/** Langfuse gave no prompt, and not because there is none. */
export class LangfuseAwayError extends Error {
  override readonly name = 'LangfuseAwayError';
}

export interface LangfuseAccess {
  baseUrl: string;
  publicKey: Secret;
  secretKey: Secret;
}

/** Fetches a prompt; null where there is none. Throws `LangfuseAwayError`, without anything of the keys. */
export type FetchPrompt = (wanted: WantedPrompt, signal: AbortSignal) => Promise<OutsidePrompt | null>;

/**
 * Langfuse's own client, of which only the API is used: its cache takes what is stale for new, does not tell a prompt that is not
 * there from a server that is not, and writes to the console. It is loaded only where it is needed.
 */
export async function openLangfuseClient(access: LangfuseAccess, timeoutMs: number): Promise<FetchPrompt> {
  const { LangfuseClient } = await import('@langfuse/client');
  const { api } = new LangfuseClient({
    baseUrl: access.baseUrl.replace(/\/+$/, ''),
    publicKey: access.publicKey.reveal(),
    secretKey: access.secretKey.reveal(),
  });
  return async ({ name, version, label }, abortSignal) => {
    let answer: unknown;
    try {
      const which = version === null ? { label } : { version };
      const limits = { maxRetries: 0, timeoutInSeconds: timeoutMs / 1_000, abortSignal };
      answer = await api.prompts.get(name, which, limits);
    } catch (error) {
      const status = statusOf(error);
      if (status === 404) return null;
      throw new LangfuseAwayError(status === null ? 'it does not answer' : `it answers ${status}`);
    }
    const prompt = OutsidePrompt.safeParse(answer);
    if (prompt.success) return prompt.data;
    throw new LangfuseAwayError(`what it gives as prompt ${name} is none`);
  };
}

function statusOf(error: unknown): number | null {
  const status =
    typeof error === 'object' && error !== null && 'statusCode' in error ? error.statusCode : null;
  return typeof status === 'number' ? status : null;
}
