import type { ArtifactRef } from '../../../contracts/run/artifact';
import { SectionFindings, ValidatedFindings, type Conflict } from '../../../contracts/report/finding';
import { Outline } from '../../../contracts/report/outline';
import { readIfAny, readShared, storeArtifact } from '../../shared/artifacts';
import type { ActivityPorts, ReportFacts } from '../../shared/ports';
import type { Spent } from '../../shared/run-step';
import { confirmNamed, NOTHING_ASKED } from '../cross-reference/confirm-named';
import { SectionChecks } from '../cross-reference/section-checks';
import { tellConflicts } from '../cross-reference/tell-conflicts';
import { openCatalogue } from '../gather/catalogue';
import { placedSection } from '../overview/outline-section';

export interface ReconcileAddedInput {
  run: ReportFacts;
  catalogueRef: ArtifactRef;
  /** How many sources there were before. */
  known: number;
  outlineRef: ArtifactRef;
  validatedRef: ArtifactRef;
  added: { sectionId: string; addedRef: ArtifactRef; checksRef: ArtifactRef | null; unvalidated: boolean }[];
  /** True where a model named what agrees and what contradicts: only what is confirmed of it counts. */
  confirms?: true;
}

export interface ReconciledAdded extends Spent {
  validatedRef: ArtifactRef;
  /** The sections that have other findings now, in outline order. */
  changed: string[];
}

/** What later sources gave, put among the findings that there are; sections that they do not concern stay as they are. */
export async function reconcileAdded(
  ports: ActivityPorts,
  {
    run,
    catalogueRef,
    known,
    outlineRef,
    validatedRef: beforeRef,
    added: given,
    confirms,
  }: ReconcileAddedInput,
  signal: AbortSignal,
): Promise<ReconciledAdded> {
  const { content } = ports;
  const outline = await readShared(content, outlineRef, Outline);
  const before = await readShared(content, beforeRef, ValidatedFindings);
  const catalogue = await openCatalogue(content, catalogueRef);
  const added = await Promise.all(
    given.map(async ({ sectionId, addedRef, checksRef, unvalidated }) => ({
      sectionId,
      found: await readShared(content, addedRef, SectionFindings),
      checks: await readIfAny(content, checksRef, SectionChecks),
      unvalidated,
    })),
  );
  const named = new Set([
    ...before.sections.flatMap(({ findings }) => findings.flatMap(({ citations }) => citations)),
    ...before.conflicts.flatMap(sourcesOf),
    ...added.flatMap(({ found, checks }) => [
      ...found.findings.flatMap(({ citations }) => citations),
      ...(checks?.checks ?? []).flatMap(({ supporting, contradicting }) =>
        [...supporting, ...contradicting].map(({ sourceId }) => sourceId),
      ),
      ...(checks?.conflicts ?? []).flatMap(sourcesOf),
    ]),
  ]);
  const sources = await catalogue.named(named);
  const together = {
    question: run.question,
    detectConflicts: run.synthesis.enableConflictDetection,
    before,
    sections: outline.sections.map((section) => placedSection(section, named)),
    added,
    fresh: new Set(catalogue.ids.slice(known)),
    sources: new Map(
      [...sources].map(([id, { title, quality, publishedAt, nearDuplicateOf }]) => [
        id,
        { title, quality, publishedAt, nearDuplicateOf },
      ]),
    ),
  };
  const { confirmed, usage, warnings } =
    confirms === undefined
      ? NOTHING_ASKED
      : await confirmNamed(ports, run, await ports.threads.run('named-in-added', together, signal), signal);
  const { changed, ...reconciled } = await ports.threads.run(
    'reconcile-added',
    { ...together, ...confirmed },
    signal,
  );
  const validated: ValidatedFindings = {
    ...reconciled,
    readInFull: [
      ...new Set([...before.readInFull, ...added.flatMap(({ checks }) => checks?.readInFull ?? [])]),
    ],
  };
  await tellConflicts(ports.events, run.runId, validated.conflicts);
  const validatedRef = await storeArtifact(content, run.runId, validated);
  return { validatedRef, changed, usage, warnings };
}

function sourcesOf({ viewpoints }: Conflict): string[] {
  return viewpoints.flatMap(({ citations, evidence }) => [
    ...citations,
    ...evidence.map(({ sourceId }) => sourceId),
  ]);
}
