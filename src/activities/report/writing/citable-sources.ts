import type { Conflict, Finding } from '../../../contracts/report/finding';
import type { CitableSource } from '../../../steps/material/citable-source';
import type { Catalogue } from '../gather/catalogue';
import { describedSource } from '../../shared/texts/described-source';

/** The sources that findings and conflicts cite, in the catalogue's order, with what a writer may say of them. */
export async function citableSources(
  catalogue: Catalogue,
  findings: readonly Finding[],
  conflicts: readonly Conflict[],
): Promise<CitableSource[]> {
  const cited = new Set([
    ...findings.flatMap((finding) => finding.citations),
    ...conflicts.flatMap((conflict) => conflict.viewpoints.flatMap((viewpoint) => viewpoint.citations)),
  ]);
  return [...(await catalogue.named(cited)).values()].map(describedSource);
}
