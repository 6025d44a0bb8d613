import type { Report } from '../../contracts/report/report';
import { bearingSources, countBearing } from './bearing-sources';
import type { ReportParts } from './report-parts';

/** Of one address one. */
export function countSources({ catalogue }: ReportParts): number {
  return catalogue?.count ?? catalogue?.sources.length ?? 0;
}

/** Every source given is in exactly one of: read in full, known by its summary to some section, unused, duplicate. */
export function sourceCounts(parts: ReportParts): Report['sources'] {
  const inFull = new Set(parts.readInFull);
  const bearing = bearingSources(parts.outline);
  const bearingInFull = [...inFull].filter((id) => bearing.has(id)).length;
  const duplicates = parts.catalogue?.merged.length ?? 0;
  const others = countSources(parts) - inFull.size;
  const bySummary =
    parts.outline === null ? 0 : Math.max(0, Math.min(countBearing(parts.outline) - bearingInFull, others));
  return {
    total: parts.sourcesGiven,
    inFull: inFull.size,
    bySummary,
    unused: parts.sourcesGiven - inFull.size - bySummary - duplicates,
    duplicates,
    retrievals: parts.retrievals,
  };
}
