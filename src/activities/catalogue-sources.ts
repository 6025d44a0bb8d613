import { eventKey } from '../contracts/run-protocol';
import { QualityRules } from '../contracts/run-settings';
import {
  type ArtifactRef,
  type CataloguedSource,
  type SourceCatalogue,
  type SourceEntry,
  SourceManifest,
  SOURCES_PER_CATALOGUE_PART,
  SOURCES_PER_PART,
  type WordCounts,
} from '../contracts/source';
import { groupBy, splitEvenly } from '../lib/iterables';
import { toArtifactText } from '../lib/json';
import type { ContentStore } from '../stores/content-store';
import { addCounts } from '../text/collection';
import {
  clearSignature,
  createSignatureTable,
  findNearDuplicates,
  setSignature,
  type SignatureTable,
} from '../text/duplicates';
import { readArtifact, readCached, readLists, storeArtifact } from './artifacts';
import { fitsOneCall } from './catalogue';
import type { ActivityPorts, ReportContext } from './ports';
import { SummaryBatch } from './summarise-sources';

export interface CatalogueSourcesInput {
  run: ReportContext;
  manifestRef: ArtifactRef;
  /** In manifest order. */
  batchRefs: ArtifactRef[];
  /** Artifacts that list further batch references. */
  batchListRefs?: ArtifactRef[];
  /** `accessedAt` of sources that have none. */
  asOf: string;
  qualityRulesRef?: ArtifactRef;
}

export interface CataloguedSources {
  catalogueRef: ArtifactRef;
  /** After merging by address. */
  sources: number;
  gatheredRef: ArtifactRef;
  isWhole?: true;
}

/** Ends pass 0: merges sources by address, rates them and marks near-duplicates. */
export async function catalogueSources(
  ports: ActivityPorts,
  { run, manifestRef, batchRefs, batchListRefs = [], asOf, qualityRulesRef }: CatalogueSourcesInput,
  signal: AbortSignal,
): Promise<CataloguedSources> {
  const { content, threads } = ports;
  const manifest = await readCached(content, manifestRef, SourceManifest);
  const refs = [...batchRefs, ...(await readLists(content, batchListRefs))];
  const gathered = await readGathered(content, manifest, refs);
  const { kept, merged } = await threads.run(
    'merge-by-url',
    gathered.entries.map(({ id, url, contentChars }) => ({ id, url, contentChars })),
    signal,
  );
  const repeats = await findRepeatedSources(ports, gathered, kept, signal);
  const shared = multiPartWorks(gathered, kept);
  const rules = qualityRulesRef
    ? await readArtifact(content, qualityRulesRef, QualityRules)
    : run.synthesis.sourceQualityRules;
  const parts: { ref: ArtifactRef; ids: string[] }[] = [];
  let only: CataloguedSource[] = [];
  for (let from = 0; from < manifest.sources.length; from += SOURCES_PER_PART) {
    const given = manifest.sources.slice(from, from + SOURCES_PER_PART);
    const sources = given.flatMap((entry, at) => {
      const known = gathered.entries[from + at];
      if (known?.id !== entry.id || !kept.has(entry.id)) return [];
      const { summaryRef, held, group } = known;
      const { work, ...alone } = entry;
      return [
        {
          entry: shared.has(work?.id) ? entry : alone,
          summaryRef,
          held,
          group,
          nearDuplicateOf: repeats.get(entry.id) ?? versionIn(kept, repeats, entry),
        },
      ];
    });
    const part = await threads.run('catalogued', { sources, rules, asOf }, signal);
    if (manifest.sources.length <= SOURCES_PER_PART) only = part;
    else {
      const cut = splitEvenly(part, SOURCES_PER_CATALOGUE_PART);
      const refs = await content.storeBatch(
        run.runId,
        cut.map((cataloguedSources) => toArtifactText({ sources: cataloguedSources })),
      );
      cut.forEach((few, at) => parts.push({ ref: refs[at] ?? '', ids: few.map(({ id }) => id) }));
    }
  }
  const { counts } = gathered;
  const furtherParts = [...shared.values()].reduce((sum, parts) => sum + parts - 1, 0);
  const told = { counts, merged, ...(furtherParts === 0 ? {} : { furtherParts }) };
  const catalogue: SourceCatalogue =
    manifest.sources.length <= SOURCES_PER_PART
      ? { sources: only, ...told }
      : { sources: [], parts, ...told };
  for (const [ordinal, warning] of manifest.warnings.entries()) {
    const key = eventKey({ pass: 0, step: 'import', type: 'warning', ordinal });
    await ports.events.appendOnce(run.runId, key, { type: 'warning', payload: warning });
  }
  const catalogueRef = await storeArtifact(content, run.runId, catalogue);
  const gatheredRef = await storeArtifact(content, run.runId, { refs });
  const isWhole = fitsOneCall(
    run,
    gathered.entries.filter(({ id }) => kept.has(id)),
  );
  return { catalogueRef, sources: kept.size, gatheredRef, ...(isWhole ? { isWhole } : {}) };
}

function multiPartWorks(
  { entries }: GatheredSources,
  kept: ReadonlySet<string>,
): ReadonlyMap<string | undefined, number> {
  const parts = groupBy(
    entries.filter(({ id, workId }) => workId !== undefined && kept.has(id)),
    ({ workId }) => workId,
  );
  return new Map(
    [...parts].flatMap(([workId, { length }]) => (length > 1 ? [[workId, length] as const] : [])),
  );
}

/** Maps each near-duplicate to its original. */
async function findRepeatedSources(
  { content, threads }: ActivityPorts,
  { entries, signatures }: GatheredSources,
  kept: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<Map<string, string>> {
  // Merged sources take no part in the comparison.
  for (const [at, { id }] of entries.entries()) if (!kept.has(id)) clearSignature(signatures, at);
  const repeats = await findNearDuplicates(
    signatures,
    (at) => entries[at]?.contentChars ?? 0,
    async (places) => {
      const refs = new Map(places.map((at) => [at, entries[at]?.contentRef ?? '']));
      const texts = await content.retrieveBatch([...refs.values()]);
      return new Map([...refs].map(([at, ref]) => [at, texts.get(ref) ?? '']));
    },
    {
      candidates: (table) => threads.run('near-duplicate-candidates', table, signal),
      verify: (suspected) => threads.run('verify-copies', suspected, signal),
    },
  );
  const idOf = (at: number): string => entries[at]?.id ?? '';
  return new Map([...repeats].map(([at, original]) => [idOf(at), idOf(original)]));
}

/** Undefined if the other version is not kept, or is itself a duplicate. */
function versionIn(
  kept: ReadonlySet<string>,
  repeats: ReadonlyMap<string, string>,
  { versionOf }: SourceEntry,
): string | undefined {
  return versionOf !== undefined && kept.has(versionOf) && !repeats.has(versionOf) ? versionOf : undefined;
}

/** Small, because the entries of all sources are in memory at once. */
interface GatheredEntry extends Pick<SourceEntry, 'id' | 'url' | 'contentChars' | 'contentRef'> {
  summaryRef: ArtifactRef;
  held: string[];
  /** Sources of one group were read together; absent if all were. */
  group: string | undefined;
  workId: string | undefined;
}

interface GatheredSources {
  entries: GatheredEntry[];
  signatures: SignatureTable;
  counts: WordCounts;
}

async function readGathered(
  content: ContentStore,
  { sources }: SourceManifest,
  batchRefs: readonly ArtifactRef[],
): Promise<GatheredSources> {
  const entries: GatheredEntry[] = [];
  const signatures = createSignatureTable(sources.length);
  const counts: WordCounts[] = [];
  let start = 0;
  for (const ref of batchRefs) {
    const batch = await readArtifact(content, ref, SummaryBatch);
    const end = start + batch.sources.length;
    const given = new Map(sources.slice(start, end).map((entry) => [entry.id, entry]));
    for (const { id, summaryRef, signature, held, group } of batch.sources) {
      const entry = given.get(id);
      if (entry === undefined) throw new Error(`The manifest has no source ${id} where the batch has it.`);
      const { url, contentChars, contentRef, work } = entry;
      setSignature(signatures, entries.length, signature);
      entries.push({ id, url, contentChars, contentRef, summaryRef, held, group, workId: work?.id });
    }
    counts.push(batch.counts);
    start = end;
  }
  return { entries, signatures, counts: addCounts(counts) };
}
