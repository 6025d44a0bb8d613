import { readingsOf, readsPaths } from '../client/given-sources';
import type { ReadableSources } from '../client/requested-sources';
import { InvalidRequestError } from '../client/run-errors';
import type { Config } from '../config/config';
import type { Warning } from '../contracts/run/run';
import type { VerifiedReport } from '../contracts/verification/verified-report';
import { chainedReadings } from '../sources/chained-readings';
import { type Asker, sharedParser } from '../sources/formats/parsing/document-parser';
import { readWholeSources } from '../sources/read-whole-sources';
import { CITES_NOTHING } from '../verification/report/verify-report';
import { configuredPages } from './configured-pages';

export interface TextToVerify {
  markdown: string;
  sources: ReadableSources;
}

/** Verifies texts for a process that has others to serve meanwhile: by words alone, in the processes that parse. */
export interface Verifier {
  /** Rejects with `InvalidRequestError`, with `InvalidSourcesError`, with `ParserBusyError`, and with the reason of the asker's signal. */
  verify(text: TextToVerify, asker: Asker): Promise<VerifiedReport & { warnings: Warning[] }>;
}

export function openVerifier(config: Pick<Config, 'fetch' | 'cwd'>): Verifier {
  return {
    async verify({ markdown, sources }, asker) {
      const given = await readGiven(config, sources, asker);
      const outcome = await sharedParser().run(
        { what: 'verify', markdown, sources: given.sources },
        { asker, isBegun: readsPaths(sources) },
      );
      if ('failed' in outcome) throw new InvalidRequestError([`markdown: ${outcome.failed}`]);
      const { result } = outcome;
      if ('refused' in result) throw new InvalidRequestError([`markdown: ${result.refused}`]);
      const { verified } = result;
      if (verified.claims.length === 0) throw new InvalidRequestError([`markdown: ${CITES_NOTHING}`]);
      return { ...verified, warnings: given.warnings };
    },
  };
}

async function readGiven(
  config: Pick<Config, 'fetch' | 'cwd'>,
  sources: ReadableSources,
  asker: Asker,
): ReturnType<typeof readWholeSources> {
  const pages = configuredPages(config, null).open({ runId: 'verified', signal: asker.signal });
  try {
    const readings = readingsOf({ ...sources, asker }, { pages, cwd: config.cwd });
    return await readWholeSources(chainedReadings(readings), {
      skipInvalid: sources.skipInvalid ?? false,
      asker,
    });
  } finally {
    await pages.close();
  }
}
