import { readingsOf } from '../client/given-sources';
import type { ReadableSources } from '../client/requested-sources';
import { InvalidRequestError } from '../client/run-errors';
import type { Config } from '../config/config';
import type { Warning } from '../contracts/run/run';
import type { VerifiedReport } from '../contracts/verification/verified-report';
import { chainedReadings } from '../sources/chained-readings';
import { readWholeSources } from '../sources/read-whole-sources';
import { createThreadPool, type ThreadPool } from '../threads/pool';
import { CITES_NOTHING } from '../verification/report/verify-report';
import { configuredPages } from './configured-pages';

export interface TextToVerify {
  markdown: string;
  sources: ReadableSources;
}

/** Verifies texts for a process that has others to serve meanwhile: by words alone, in a thread, one after the other. */
export interface Verifier {
  /** Rejects with `InvalidRequestError` where the text cites nothing, and with `InvalidSourcesError`. */
  verify(text: TextToVerify, signal: AbortSignal): Promise<VerifiedReport & { warnings: Warning[] }>;
  close(): Promise<void>;
}

export function openVerifier(
  config: Pick<Config, 'fetch' | 'cwd'>,
  threads: Pick<ThreadPool, 'run' | 'close'> = createThreadPool({ threads: 1, encoder: 'off' }),
): Verifier {
  return {
    async verify({ markdown, sources }, signal) {
      const given = await readGiven(config, sources, signal);
      const text = { markdown, sources: given.sources };
      const verified = await threads.run('verify-report', text, signal);
      if (verified.claims.length === 0) throw new InvalidRequestError([`markdown: ${CITES_NOTHING}`]);
      return { ...verified, warnings: given.warnings };
    },
    close: () => threads.close(),
  };
}

async function readGiven(
  config: Pick<Config, 'fetch' | 'cwd'>,
  sources: ReadableSources,
  signal: AbortSignal,
): ReturnType<typeof readWholeSources> {
  const pages = configuredPages(config, null).open({ runId: 'verified', signal });
  try {
    return await readWholeSources(chainedReadings(readingsOf(sources, { pages, cwd: config.cwd })), {
      skipInvalid: sources.skipInvalid ?? false,
    });
  } finally {
    await pages.close();
  }
}
