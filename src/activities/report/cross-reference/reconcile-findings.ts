import { traitsOf } from '../../../contracts/run/engines';
import type { ArtifactRef } from '../../../contracts/run/artifact';
import { type Gap, SectionFindings, type ValidatedFindings } from '../../../contracts/report/finding';
import { Outline } from '../../../contracts/report/outline';
import type { CataloguedSource } from '../../../contracts/source/source';
import { inTurns } from '../../../core/values/in-turns';
import type { SourceFacts } from '../../../core/evidence/distinct-evidence';
import { readIfAny, readShared, storeArtifact } from '../../shared/artifacts';
import { openCatalogue } from '../gather/catalogue';
import { placedSection } from '../overview/outline-section';
import type { StudyDesign } from '../../../reading/statements/study-design';
import type { ActivityPorts, ReportFacts } from '../../shared/ports';
import type { Spent } from '../../shared/run-step';
import { confirmNamed, NOTHING_ASKED } from './confirm-named';
import { checkedSources, SectionChecks, sourcesOf } from './section-checks';
import { tellConflicts } from './tell-conflicts';

export interface ReconcileFindingsInput {
  run: ReportFacts;
  catalogueRef: ArtifactRef;
  outlineRef: ArtifactRef;
  /** In outline order. */
  sections: { findingsRef: ArtifactRef; checksRef: ArtifactRef | null; unvalidated: boolean }[];
  /** What was found when support for the major findings was sought. */
  supportRef: ArtifactRef | null;
  /** True where a model named what agrees and what contradicts: only what is confirmed of it counts. */
  confirms?: true;
}

const READ_FOR_UNKNOWNS = 60;
/** Of a longer text the rest is not looked at. */
const MOST_CHARS = 400_000;

export interface ReconciledFindings extends Spent {
  validatedRef: ArtifactRef;
  findings: number;
  conflicts: number;
  gaps: number;
}

/** The end of pass 3, one for all sections: each finding with its final confidence, said once; conflicts and gaps. */
export async function reconcileFindings(
  ports: ActivityPorts,
  { run, catalogueRef, outlineRef, sections, supportRef, confirms }: ReconcileFindingsInput,
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
  const told = await toldBy(
    ports,
    run.question,
    { findings: left.map(({ found }) => found), sources },
    signal,
  );
  const given = {
    question: run.question,
    detectConflicts: run.synthesis.enableConflictDetection,
    // Also where the engine that only quotes ends what a model began.
    sectionsStand: confirms === true || traitsOf(run.engine).asksModels,
    sections: checked,
    support,
    sources: new Map(
      [...sources].map(([id, source]) => [id, { ...factsOf(source), design: told.designs.get(id) }]),
    ),
    allSources: catalogue.ids.length,
    counts: catalogue.counts,
    stated: told.stated,
  };
  const { confirmed, usage, warnings } =
    confirms === undefined
      ? NOTHING_ASKED
      : await confirmNamed(ports, run, await ports.threads.run('named-in-findings', given, signal), signal);
  const reconciled = await ports.threads.run('reconcile', { ...given, ...confirmed }, signal);
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
    usage,
    warnings,
  };
}

/** What the sources that findings rest on say of themselves: what is not known, and whether they had controls; the first are of the best. */
async function toldBy(
  { content, threads }: Pick<ActivityPorts, 'content' | 'threads'>,
  question: string,
  told: { findings: readonly SectionFindings[]; sources: ReadonlyMap<string, CataloguedSource> },
  signal: AbortSignal,
): Promise<{ stated: Gap[]; designs: ReadonlyMap<string, StudyDesign | undefined> }> {
  const ids = inTurns(told.findings.map(({ findings }) => sourcesOf(findings)));
  const read = [...new Set(ids)].flatMap((id) => told.sources.get(id) ?? []).slice(0, READ_FOR_UNKNOWNS);
  const contents = await content.retrieveBatch(read.map(({ contentRef }) => contentRef));
  const sources = read.map(({ id: sourceId, title, contentRef }) => ({
    sourceId,
    title,
    content: (contents.get(contentRef) ?? '').slice(0, MOST_CHARS),
  }));
  return {
    stated: await threads.run('stated-unknowns', { question, sources }, signal),
    designs: await threads.run('study-designs', sources, signal),
  };
}

function factsOf({ title, quality, publishedAt, nearDuplicateOf }: CataloguedSource): SourceFacts {
  return { title, quality, publishedAt, nearDuplicateOf };
}
