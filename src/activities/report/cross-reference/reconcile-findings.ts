import { traitsOf } from '../../../contracts/run/engines';
import type { ArtifactRef } from '../../../contracts/run/artifact';
import { SectionFindings, type ValidatedFindings } from '../../../contracts/report/finding';
import { Outline } from '../../../contracts/report/outline';
import type { CataloguedSource } from '../../../contracts/source/source';
import type { SourceFacts } from '../../../core/evidence/distinct-evidence';
import { readIfAny, readShared, storeArtifact, readArtifact } from '../../shared/artifacts';
import { terms } from '../../../language/words';
import { type Catalogue, openCatalogue } from '../gather/catalogue';
import { placedSection } from '../overview/outline-section';
import { readQuestion } from '../../../reading/question/question';
import type { SilentSources } from '../../../reading/reconcile/find-gaps';
import type { ActivityPorts, ReportFacts } from '../../shared/ports';
import { checkedSources, SectionChecks, sourcesOf, tellConflicts } from './check-findings';
import { unvalidated } from '../../../core/evidence/unvalidated';

export interface ReconcileFindingsInput {
  run: ReportFacts;
  catalogueRef: ArtifactRef;
  outlineRef: ArtifactRef;
  /** In outline order. */
  sections: { findingsRef: ArtifactRef; checksRef: ArtifactRef | null; unvalidated: boolean }[];
  supportRef: ArtifactRef | null;
}

export interface ReconciledFindings {
  validatedRef: ArtifactRef;
  findings: number;
  conflicts: number;
  gaps: number;
}

/** The end of pass 3, one for all sections: each finding with its final confidence, said once; conflicts and gaps. Asks no engine. */
export async function reconcileFindings(
  ports: ActivityPorts,
  { run, catalogueRef, outlineRef, sections, supportRef }: ReconcileFindingsInput,
  signal: AbortSignal,
): Promise<ReconciledFindings> {
  const outline = await readShared(ports.content, outlineRef, Outline);
  const catalogue = await openCatalogue(ports.content, catalogueRef);
  const support = await readIfAny(ports.content, supportRef, SectionChecks);
  const left = await Promise.all(
    sections.map(async ({ findingsRef, checksRef, unvalidated }) => ({
      found: await readShared(ports.content, findingsRef, SectionFindings),
      checks: await readIfAny(ports.content, checksRef, SectionChecks),
      unvalidated,
    })),
  );
  const named = new Set([
    ...left.flatMap(({ found, checks }) => [...sourcesOf(found.findings), ...checkedSources(checks)]),
    ...checkedSources(support),
  ]);
  const sectionsById = new Map(
    outline.sections.map((section) => [section.id, placedSection(section, named)]),
  );
  const checked = left.map(({ found, checks, unvalidated }) => {
    const section = sectionsById.get(found.sectionId);
    if (section === undefined) throw new Error(`The outline has no section ${found.sectionId}.`);
    return { section, found, unvalidated, checks };
  });
  const sources = await catalogue.named(named);
  const given = {
    question: run.question,
    detectConflicts: run.synthesis.enableConflictDetection,
    byModel: traitsOf(run.engine).asksModels,
    sections: checked,
    support,
    sources: new Map([...sources].map(([id, source]) => [id, factsOf(source)])),
    ...(traitsOf(run.engine).asksModels ? {} : { silent: await silentSources(catalogue, run.question) }),
  };
  const reconciled = await ports.threads.run('reconcile', given, signal);
  const read = [...checked.map(({ checks }) => checks), support];
  const validated: ValidatedFindings = {
    ...reconciled,
    readInFull: [...new Set(read.flatMap((checks) => checks?.readInFull ?? []))],
  };
  const validatedRef = await storeArtifact(ports.content, run.runId, validated);
  await tellConflicts(ports.events, run.runId, validated.conflicts);
  return {
    validatedRef,
    findings: validated.sections.reduce((sum, section) => sum + section.findings.length, 0),
    conflicts: validated.conflicts.length,
    gaps: validated.gaps.length,
  };
}

/** The sources in which none of the question's words stands, in their titles, their headings or their texts. */
async function silentSources(catalogue: Catalogue, question: string): Promise<SilentSources> {
  const { words, asking } = readQuestion(question);
  const about = words.filter((word) => !asking.has(word));
  const titles: string[] = [];
  for await (const part of about.length === 0 ? [] : catalogue.parts())
    for (const { title, held } of part) {
      const said = new Set([...held, ...terms(title)]);
      if (!about.some((word) => said.has(word))) titles.push(title);
    }
  return { titles, of: catalogue.ids.length };
}

function factsOf({ title, quality, publishedAt, nearDuplicateOf, work }: CataloguedSource): SourceFacts {
  return { title, quality, publishedAt, nearDuplicateOf, work };
}

export interface FindingsUncheckedInput {
  run: ReportFacts;
  /** In outline order. */
  findingsRefs: ArtifactRef[];
}

/** Where there is no pass 3: the findings as pass 2 left them, each marked as not validated. Asks no engine. */
export async function findingsUnchecked(
  ports: ActivityPorts,
  { run, findingsRefs }: FindingsUncheckedInput,
): Promise<{ validatedRef: ArtifactRef }> {
  const found = await Promise.all(
    findingsRefs.map((ref) => readArtifact(ports.content, ref, SectionFindings)),
  );
  const kept: ValidatedFindings = {
    sections: found.map(unvalidated),
    conflicts: [],
    gaps: [],
    readInFull: [],
  };
  return { validatedRef: await storeArtifact(ports.content, run.runId, kept) };
}
