import type { ArtifactRef } from '../core/contracts/artifact';
import type { CataloguedSource, SourceCatalogue } from '../core/contracts/source';
import { SourceManifest } from '../core/contracts/source';
import { eventKey } from '../core/event-key';
import { markNearDuplicates } from '../core/near-duplicates';
import { QUALITY_RULES, rateSource } from '../core/source-quality';
import { mergeByUrl } from '../core/source-url';
import { addCounts } from '../reading/rarity';
import { readArtifact, readShared, storeArtifact } from './artifacts';
import type { ActivityPorts, RunBrief } from './ports';
import { SummaryBatch } from './summarise-batch';

export interface CatalogueSourcesInput {
  run: RunBrief;
  manifestRef: ArtifactRef;
  /** In the order of the manifest. */
  batchRefs: ArtifactRef[];
  /** `accessedAt` of sources whose record has none. */
  asOf: string;
}

export interface CataloguedSources {
  catalogueRef: ArtifactRef;
  /** How many sources are left when those of one address are merged. */
  sources: number;
}

/** The end of pass 0: one entry for each address, rated, and marked where it repeats another's text. */
export async function catalogueSources(
  ports: ActivityPorts,
  { run, manifestRef, batchRefs, asOf }: CatalogueSourcesInput,
): Promise<CataloguedSources> {
  const manifest = await readShared(ports.content, manifestRef, SourceManifest);
  const batches = await Promise.all(batchRefs.map((ref) => readArtifact(ports.content, ref, SummaryBatch)));
  const summarised = new Map(batches.flatMap((batch) => batch.sources).map((source) => [source.id, source]));
  const { sources: distinct, merged } = mergeByUrl(manifest.sources);
  const contentRefs = new Map(distinct.map((source) => [source.id, source.contentRef]));
  const repeats = await markNearDuplicates(
    new Map(distinct.map(({ id }) => [id, summarised.get(id)?.signature ?? []])),
    async (id) => {
      const ref = contentRefs.get(id);
      return (ref && (await ports.content.retrieve(ref))) ?? '';
    },
  );
  // Rules of the configuration stand before the built-in ones.
  const rules = [...run.synthesis.sourceQualityRules, ...QUALITY_RULES];
  const catalogue: SourceCatalogue = {
    sources: distinct.flatMap((source): CataloguedSource[] => {
      const known = summarised.get(source.id);
      if (known === undefined) return [];
      const nearDuplicateOf = repeats.get(source.id);
      return [
        {
          ...source,
          accessedAt: source.accessedAt ?? asOf,
          summaryRef: known.summaryRef,
          held: known.held,
          ...(known.group === undefined ? {} : { group: known.group }),
          quality: rateSource(source, rules),
          ...(nearDuplicateOf === undefined ? {} : { nearDuplicateOf }),
        },
      ];
    }),
    counts: addCounts(batches.map(({ counts }) => counts)),
    merged,
  };
  for (const [ordinal, warning] of manifest.warnings.entries()) {
    const key = eventKey({ pass: 0, step: 'import', type: 'warning', ordinal });
    await ports.events.appendOnce(run.runId, key, { type: 'warning', payload: warning });
  }
  const catalogueRef = await storeArtifact(ports.content, run.runId, catalogue);
  return { catalogueRef, sources: catalogue.sources.length };
}
