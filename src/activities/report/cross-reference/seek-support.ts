import type { ArtifactRef } from '../../../contracts/run/artifact';
import { SectionFindings, type Finding } from '../../../contracts/report/finding';
import { majorFindings } from '../../../core/report/major-findings';
import { NO_USAGE } from '../../../core/budget/usage';
import { readIfAny, readShared } from '../../shared/artifacts';
import { openCatalogue } from '../gather/catalogue';
import { checkFindings, SectionChecks } from './check-findings';
import { nearestSources } from './nearest-sources';
import type { ActivityPorts, ReportFacts } from '../../shared/ports';
import type { Spent } from '../../shared/run-step';

export interface SeekSupportInput {
  run: ReportFacts;
  catalogueRef: ArtifactRef;
  /** In outline order. */
  sections: { findingsRef: ArtifactRef; checksRef: ArtifactRef | null }[];
}

export interface SoughtSupport extends Spent {
  /** Null where no major finding lacks support. */
  supportRef: ArtifactRef | null;
}

const MAJOR_FINDINGS = {
  id: 'major-findings',
  title: 'Major findings',
  description: 'The findings that the report rests on most.',
  subsections: [],
};

const NOTHING_SOUGHT: SoughtSupport = { supportRef: null, usage: NO_USAGE, warnings: [] };

/**
 * The end of pass 3: the findings that the report rests on most, and that fewer sources support than it should, are held
 * against the sources nearest to each of them. What is found is added to them; what is not is not made up.
 */
export async function seekSupport(
  ports: ActivityPorts,
  { run, catalogueRef, sections }: SeekSupportInput,
  signal: AbortSignal,
): Promise<SoughtSupport> {
  const { confidenceThreshold, minCitationsPerSection, pass3CrossRefCount: count } = run.synthesis;
  const told = (await Promise.all(sections.map((section) => checkedFindings(ports, section)))).flat();
  const weak = majorFindings(told, confidenceThreshold).listed.filter(
    ({ citations }) => citations.length < minCitationsPerSection,
  );
  if (weak.length === 0) return NOTHING_SOUGHT;
  const findings = weak.map(({ finding }) => finding);
  const cited = new Set(weak.flatMap(({ citations }) => citations));
  const catalogue = await openCatalogue(ports.content, catalogueRef);
  const statements = findings.map(({ claim }) => claim);
  const further = await nearestSources(ports, catalogue, { statements, except: cited, count }, signal);
  const own = new Set(findings.flatMap(({ citations }) => citations));
  const byId = await catalogue.named([...own, ...further]);
  const chosen = [...own, ...further].flatMap((id) => byId.get(id) ?? []);
  // What is wanted of the passages is what the findings say.
  const wanted = { ...MAJOR_FINDINGS, subsections: statements };
  const { checksRef, ...spent } = await checkFindings(
    ports,
    run,
    { section: MAJOR_FINDINGS, findings, sources: chosen, wanted, checkAll: true },
    signal,
  );
  return { supportRef: checksRef, ...spent };
}

async function checkedFindings(
  { content }: ActivityPorts,
  { findingsRef, checksRef }: SeekSupportInput['sections'][number],
): Promise<{ finding: Finding; citations: string[] }[]> {
  const { findings } = await readShared(content, findingsRef, SectionFindings);
  const checked = await readIfAny(content, checksRef, SectionChecks);
  return findings.map((finding) => {
    const check = checked?.checks.find(({ findingId }) => findingId === finding.id);
    const supporting = check?.supporting.map(({ sourceId }) => sourceId) ?? [];
    return {
      finding: { ...finding, confidence: check?.confidence ?? finding.confidence },
      citations: [...new Set([...finding.citations, ...supporting])],
    };
  });
}
