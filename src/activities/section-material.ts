import type { ArtifactRef } from '../core/contracts/artifact';
import { ValidatedFindings } from '../core/contracts/finding';
import { readShared } from './artifacts';
import { openCatalogue } from './catalogue';
import type { TextMaterial } from './check-text';
import { citableSources } from './citable-sources';
import type { ActivityPorts } from './ports';

/** What a section is written from: its findings, the conflicts in which they stand, the sources of both. */
export async function sectionMaterial(
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
