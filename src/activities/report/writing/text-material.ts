import type { ArtifactRef } from '../../../contracts/run/artifact';
import { ValidatedFindings, type Conflict, type Finding } from '../../../contracts/report/finding';
import { readShared } from '../../shared/artifacts';
import { openCatalogue, type Catalogue } from '../gather/catalogue';
import type { ActivityPorts } from '../../shared/ports';
import type { TextMaterial } from '../../shared/quoted-claims';
import type { CitableSource } from '../../../steps/material/citable-source';
import { describedSource } from '../../shared/described-source';

export async function readTextMaterial(
  ports: ActivityPorts,
  { catalogueRef, validatedRef }: { catalogueRef: ArtifactRef; validatedRef: ArtifactRef },
  sectionId: string,
): Promise<TextMaterial & { validated: ValidatedFindings }> {
  const catalogue = await openCatalogue(ports.content, catalogueRef);
  const validated = await readShared(ports.content, validatedRef, ValidatedFindings);
  const findings = validated.sections.find((entry) => entry.sectionId === sectionId)?.findings ?? [];
  const ids = new Set(findings.map((finding) => finding.id));
  const conflicts = validated.conflicts.filter((conflict) => conflict.findingIds.some((id) => ids.has(id)));
  return { validated, findings, conflicts, sources: await citableSources(catalogue, findings, conflicts) };
}

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
