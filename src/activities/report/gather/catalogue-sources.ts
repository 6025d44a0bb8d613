import type { ArtifactRef } from '../../../contracts/run/artifact';
import { QualityRules } from '../../../contracts/source/quality-rule';
import {
  type CataloguedSource,
  CATALOGUED_A_PART,
  type SourceCatalogue,
  SOURCES_A_PART,
} from '../../../contracts/source/source';
import { eventKey } from '../../../core/run/event-key';
import { toArtifactText } from '../../../core/run/json-artifact';
import { parted } from '../../../core/values/parted';
import { readArtifact, storeArtifact } from '../../shared/artifacts';
import { readGathered } from './gathered-sources';
import { readLists } from '../../shared/list-artifacts';
import { openManifest } from '../../shared/manifest';
import type { ActivityPorts, RunBrief } from '../../shared/ports';
import { repeatedSources } from './repeated-sources';

export interface CatalogueSourcesInput {
  run: RunBrief;
  manifestRef: ArtifactRef;
  /** In the order of the manifest. */
  batchRefs: ArtifactRef[];
  /** Lists of such references, where there are many. */
  batchListRefs?: ArtifactRef[];
  /** `accessedAt` of sources whose record has none. */
  asOf: string;
  /** Where the rules on quality are, if the settings have none. */
  qualityRulesRef?: ArtifactRef;
}

export interface CataloguedSources {
  catalogueRef: ArtifactRef;
  /** How many sources are left when those of one address are merged. */
  sources: number;
  /** The batches as a list, for more to be added to them. */
  gatheredRef: ArtifactRef;
}

/** The end of pass 0: one entry for each address, rated, and marked where it repeats another's text. */
export async function catalogueSources(
  ports: ActivityPorts,
  { run, manifestRef, batchRefs, batchListRefs = [], asOf, qualityRulesRef }: CatalogueSourcesInput,
  signal: AbortSignal,
): Promise<CataloguedSources> {
  const { content, threads } = ports;
  const manifest = await openManifest(content, manifestRef);
  const refs = [...batchRefs, ...(await readLists(content, batchListRefs))];
  const gathered = await readGathered(content, manifest, refs);
  const { kept, merged } = await threads.run(
    'merge-by-url',
    gathered.entries.map(({ id, url, contentChars }) => ({ id, url, contentChars })),
    signal,
  );
  const repeats = await repeatedSources(ports, gathered, kept, signal);
  const rules = qualityRulesRef
    ? await readArtifact(content, qualityRulesRef, QualityRules)
    : run.synthesis.sourceQualityRules;
  const parts: { ref: ArtifactRef; ids: string[] }[] = [];
  let only: CataloguedSource[] = [];
  for (let from = 0; from < manifest.count; from += SOURCES_A_PART) {
    const given = await manifest.between(from, from + SOURCES_A_PART);
    const sources = given.flatMap((entry, at) => {
      const known = gathered.entries[from + at];
      if (known?.id !== entry.id || !kept.has(entry.id)) return [];
      const { summaryRef, held, group } = known;
      return [{ entry, summaryRef, held, group, nearDuplicateOf: repeats.get(entry.id) }];
    });
    const part = await threads.run('catalogued', { sources, rules, asOf }, signal);
    if (manifest.count <= SOURCES_A_PART) only = part;
    else {
      const cut = parted(part, CATALOGUED_A_PART);
      const refs = await content.storeBatch(
        run.runId,
        cut.map((cataloguedSources) => toArtifactText({ sources: cataloguedSources })),
      );
      cut.forEach((few, at) => parts.push({ ref: refs[at] ?? '', ids: few.map(({ id }) => id) }));
    }
  }
  const { counts } = gathered;
  const catalogue: SourceCatalogue =
    manifest.count <= SOURCES_A_PART
      ? { sources: only, counts, merged }
      : { sources: [], parts, counts, merged };
  for (const [ordinal, warning] of manifest.warnings.entries()) {
    const key = eventKey({ pass: 0, step: 'import', type: 'warning', ordinal });
    await ports.events.appendOnce(run.runId, key, { type: 'warning', payload: warning });
  }
  const catalogueRef = await storeArtifact(content, run.runId, catalogue);
  const gatheredRef = await storeArtifact(content, run.runId, { refs });
  return { catalogueRef, sources: kept.size, gatheredRef };
}
