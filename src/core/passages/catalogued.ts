import type { QualityRule } from '../../contracts/source/quality-rule';
import type { CataloguedSource, SourceEntry } from '../../contracts/source/source';
import { QUALITY_RULES, rateSource } from '../sources/source-quality';

export interface GatheredSource {
  entry: SourceEntry;
  summaryRef: string;
  held: string[];
  /** Which sources were read together; absent where all were. */
  group: string | undefined;
  nearDuplicateOf: string | undefined;
}

/** Sources as the catalogue has them; `accessedAt` is `asOf` for those whose record has none. */
export function catalogued({
  sources,
  rules,
  asOf,
}: {
  sources: readonly GatheredSource[];
  /** Those of the configuration: they stand before the built-in ones. */
  rules: readonly QualityRule[];
  asOf: string;
}): CataloguedSource[] {
  const all = [...rules, ...QUALITY_RULES];
  return sources.map(({ entry, summaryRef, held, group, nearDuplicateOf }) => ({
    ...entry,
    accessedAt: entry.accessedAt ?? asOf,
    summaryRef,
    held,
    ...(group === undefined ? {} : { group }),
    quality: rateSource(entry, all),
    ...(nearDuplicateOf === undefined ? {} : { nearDuplicateOf }),
  }));
}
