import type { Conflict, Finding } from '../core/contracts/finding';
import type { SourceCatalogue } from '../core/contracts/source';
import type { CitableSource } from '../steps/write-section';

/** The sources that findings and conflicts cite, in the catalogue's order, with what a writer may say of them. */
export function citableSources(
  catalogue: SourceCatalogue,
  findings: readonly Finding[],
  conflicts: readonly Conflict[],
): CitableSource[] {
  const cited = new Set([
    ...findings.flatMap((finding) => finding.citations),
    ...conflicts.flatMap((conflict) => conflict.viewpoints.flatMap((viewpoint) => viewpoint.citations)),
  ]);
  return catalogue.sources
    .filter((source) => cited.has(source.id))
    .map(({ id, title, author, site, publishedAt, quality }) => ({
      sourceId: id,
      title,
      author,
      site,
      publishedAt,
      quality,
    }));
}
