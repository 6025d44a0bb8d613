import type { ArtifactRef } from '../../../contracts/run/artifact';
import { ValidatedFindings } from '../../../contracts/report/finding';
import { readShared } from '../../shared/artifacts';
import { openCatalogue } from '../gather/catalogue';
import { citableSources } from './citable-sources';
import type { ActivityPorts } from '../../shared/ports';
import type { TextMaterial } from '../../shared/texts/text-material';

/** What a section is written from: its findings, the conflicts in which they stand, the sources of both. */
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
