import { InvalidRequestError } from '../client/client-errors';
import { newRunId } from '../client/run-records';
import {
  hasPaths,
  type ReadableSources,
  readRequestSources as sourceInputReadingsOf,
  type SourcesOfOneKind,
} from '../client/source-input';
import { type AskedEstimate, estimateAnyRequest, type EstimatedRun } from '../client/start-run';
import type { Warning } from '../contracts/run';
import type { GivenSubtopic, SkipInvalid } from '../contracts/start';
import type { VerifiedReport } from '../contracts/verified-report';
import { normaliseUrl } from '../evidence/source-records';
import type { GivenSource } from '../report/statement-verdicts';
import { CITES_NOTHING } from '../report/verify-report';
import { type ParseClient, sharedParser, type TaskOptions } from '../sources/formats/document-parser';
import { type ImportedSources, importSources, readManifest } from '../sources/import-sources';
import type { ImportedPages } from '../sources/pages';
import { InvalidSourcesError, type SourceReading } from '../sources/source-problems';
import { chainReadings, loadSources, reparseSources } from '../sources/source-readings';
import { openStores, type StoresConfig } from '../stores/open-stores';
import type { Stores } from '../stores/stores';
import type { Config } from './config';
import { configuredPages } from './web-access';

// Tasks that need no Temporal server: verify a text, attach sources to subtopics, store sources, estimate a run.

export interface VerifyInput {
  markdown: string;
  sources: ReadableSources;
}

export interface Verifier {
  /** Rejects with `InvalidRequestError`, `InvalidSourcesError`, `ParserBusyError`, or the signal's abort reason. */
  verify(text: VerifyInput, asker: ParseClient): Promise<VerifiedReport & { warnings: Warning[] }>;
}

export function openVerifier(config: Pick<Config, 'fetch' | 'cwd'>): Verifier {
  return {
    async verify({ markdown, sources }, asker) {
      const given = await readVerifySources(config, sources, asker);
      const outcome = await sharedParser().run(
        { what: 'verify', markdown, sources: given.sources },
        { asker, isBegun: hasPaths(sources) },
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

async function readVerifySources(
  config: Pick<Config, 'fetch' | 'cwd'>,
  sources: ReadableSources,
  asker: ParseClient,
): ReturnType<typeof loadSources> {
  const pages = configuredPages(config, null).open({ runId: 'verified', signal: asker.signal });
  try {
    const readings = sourceInputReadingsOf({ ...sources, asker }, { pages, cwd: config.cwd });
    return await loadSources(chainReadings(readings), {
      skipInvalid: sources.skipInvalid ?? false,
      asker,
    });
  } finally {
    await pages.close();
  }
}

export interface ReadSubtopics {
  subtopics: GivenSubtopic[];
  warnings: Warning[];
}

/** Adds to each subtopic the texts of the sources it cites (decision 0039). Rejects with `InvalidSourcesError`. */
export async function withTexts(
  { subtopics, warnings }: ReadSubtopics,
  sources: ReadableSources,
  config: Pick<Config, 'fetch' | 'cwd'>,
): Promise<ReadSubtopics> {
  const pages = configuredPages(config, null).open({ runId: 'subtopics', signal: sources.asker?.signal });
  try {
    const read = await loadSources(
      chainReadings(sourceInputReadingsOf(sources, { pages, cwd: config.cwd })),
      {
        skipInvalid: sources.skipInvalid ?? false,
        asker: sources.asker,
      },
    );
    const cited = new Set<string>();
    const matched = await citedInTexts(subtopics, read.sources, {
      asker: sources.asker ?? null,
      isBegun: hasPaths(sources),
    });
    const filled = subtopics.map((subtopic, at): GivenSubtopic => {
      const ids = citedBy(subtopic, read.sources, new Set(matched[at]));
      for (const id of ids) cited.add(id);
      const own = read.sources.filter(({ id }) => ids.has(id)).map(({ id: _id, ...source }) => source);
      // After the subtopic's own sources, because numbers in a summary may refer to those.
      return own.length === 0 ? subtopic : { ...subtopic, sources: [...(subtopic.sources ?? []), ...own] };
    });
    const others = read.sources.filter(({ id }) => !cited.has(id));
    return { subtopics: filled, warnings: [...warnings, ...read.warnings, ...others.map(notCitedWarning)] };
  } finally {
    await pages.close();
  }
}

async function citedInTexts(
  subtopics: readonly GivenSubtopic[],
  given: readonly GivenSource[],
  options: TaskOptions,
): Promise<string[][]> {
  const texts = subtopics.map(({ summary }) => summary);
  const sources = given.map(({ id, url, title }) => ({ id, url, title, content: '' }));
  const outcome = await sharedParser().run({ what: 'cited', texts, sources }, options);
  if ('failed' in outcome) throw new InvalidRequestError([`subtopics: ${outcome.failed}`]);
  return outcome.result;
}

function citedBy(
  { citations = [], sources = [] }: GivenSubtopic,
  given: readonly GivenSource[],
  matched: ReadonlySet<string>,
): Set<string> {
  const listed = [...citations, ...sources.flatMap(({ url }) => url ?? [])].map(normaliseUrl);
  const addresses = new Set(listed);
  const titles = new Set(sources.flatMap(({ url, title }) => (url === undefined ? (title ?? []) : [])));
  return new Set(
    given
      .filter(
        ({ id, url, title }) =>
          matched.has(id) || (url !== undefined && addresses.has(normaliseUrl(url))) || titles.has(title),
      )
      .map(({ id }) => id),
  );
}

function notCitedWarning({ title }: GivenSource): Warning {
  return {
    code: 'source-not-cited',
    message: `No subtopic cites “${title}”: it is not read. A brief is made of what its subtopics say; for one of sources, run a report of them and give it by --from.`,
  };
}

export type SourcesToStore =
  SourcesOfOneKind | { parts: readonly SourcesOfOneKind[] } | { manifestRef: string };

export async function storeSources(
  config: StoresConfig & Pick<Config, 'fetch' | 'cwd'>,
  {
    given,
    skipInvalid,
    heldBy = newRunId('import', new Date()),
  }: { given: SourcesToStore; skipInvalid: SkipInvalid; heldBy?: string | undefined },
): Promise<ImportedSources & { heldBy: string }> {
  const stores = await openStores(config);
  const pages = configuredPages(config, stores.derived).open({ runId: heldBy });
  try {
    const { content } = stores;
    const readings = await readingsOf(given, stores, { pages, cwd: config.cwd });
    return { ...(await importSources({ runId: heldBy, readings, content, pages, skipInvalid })), heldBy };
  } finally {
    await pages.close();
    await stores.close();
  }
}

async function readingsOf(
  given: SourcesToStore,
  { content }: Pick<Stores, 'content'>,
  { pages, cwd }: { pages: ImportedPages; cwd: string },
): Promise<AsyncIterable<SourceReading>> {
  if (!('manifestRef' in given)) return chainReadings(sourceInputReadingsOf(given, { pages, cwd }));
  const textOf = (ref: string): Promise<string | null> => content.retrieve(ref);
  const entries = await readManifest(textOf, given.manifestRef);
  if (entries !== null)
    return reparseSources(entries, { textOf, originalOf: (sha256) => pages.originalOf(sha256) });
  const message = 'this store has no list of sources under it';
  throw new InvalidSourcesError(
    [{ file: given.manifestRef, message }],
    1,
    'Import the sources, or name the data folder in which they are.',
  );
}

export async function estimateRun(config: Config, asked: AskedEstimate): Promise<EstimatedRun> {
  const stores = await openStores(config);
  try {
    const { content, derived } = stores;
    return await estimateAnyRequest(
      { content, pages: configuredPages(config, derived), cwd: config.cwd },
      asked,
    );
  } finally {
    await stores.close();
  }
}
