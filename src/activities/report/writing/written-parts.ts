import type { ArtifactRef } from '../../../contracts/run/artifact';
import { ReportFrame, SectionDraft } from '../../../contracts/report/draft';
import { SectionFindings, ValidatedFindings } from '../../../contracts/report/finding';
import { WrittenText } from '../../../contracts/report/written-text';
import { Outline } from '../../../contracts/report/outline';
import type { Report } from '../../../contracts/report/report';
import { SourceManifest, type CataloguedSource } from '../../../contracts/source/source';
import { textInReport } from '../../../core/written-text/text-in-report';
import { unvalidated } from '../../../core/evidence/unvalidated';
import type { ReportParts } from '../../../core/report/report-parts';
import { readShared, readIfAny } from '../../shared/artifacts';
import type { ActivityPorts, ReportFacts } from '../../shared/ports';
import { openCatalogue } from '../gather/catalogue';
import { citedIds } from '../../../core/text/citation-marks';
import { bearingSources } from '../../../core/report/bearing-sources';
import { nearestSources } from '../../../core/report/unanswered';

export interface WrittenParts {
  run: ReportFacts;
  /** Null where it ended before it had any sources. */
  manifestRef: ArtifactRef | null;
  catalogueRef: ArtifactRef | null;
  outlineRef: ArtifactRef | null;
  sections: { sectionId: string; findingsRef: ArtifactRef | null; draftRef: ArtifactRef | null }[];
  validatedRef: ArtifactRef | null;
  frameRef: ArtifactRef | null;
  /** A text by a model, which stands for drafts and frame. */
  textRef?: ArtifactRef;
  /** Those of the run; those of the import are in the manifest. */
  warnings: Report['warnings'];
}

export async function readWrittenParts(
  { content }: Pick<ActivityPorts, 'content'>,
  { run, sections, ...refs }: WrittenParts,
): Promise<
  Pick<
    ReportParts,
    | 'question'
    | 'synthesis'
    | 'sourcesGiven'
    | 'catalogue'
    | 'outline'
    | 'findings'
    | 'conflicts'
    | 'gaps'
    | 'drafts'
    | 'frame'
    | 'text'
    | 'readInFull'
    | 'retrievals'
    | 'warnings'
  >
> {
  const manifest =
    refs.manifestRef === null ? null : await readShared(content, refs.manifestRef, SourceManifest);
  const validated = await readIfAny(content, refs.validatedRef, ValidatedFindings);
  const found = await Promise.all(
    sections.map(({ findingsRef }) => readIfAny(content, findingsRef, SectionFindings)),
  );
  const drafts = await Promise.all(
    sections.map(({ draftRef }) => readIfAny(content, draftRef, SectionDraft)),
  );
  const text = await readIfAny(content, refs.textRef ?? null, WrittenText);
  const findings =
    validated?.sections ?? found.flatMap((section) => (section === null ? [] : unvalidated(section)));
  const planned = await readIfAny(content, refs.outlineRef, Outline);
  const frame = await readIfAny(content, refs.frameRef, ReportFrame);
  const conflicts = validated?.conflicts ?? [];
  const written = sections.flatMap(({ sectionId }, index) => {
    const draft = drafts[index];
    return draft ? [{ sectionId, draft }] : [];
  });
  const catalogue = refs.catalogueRef === null ? null : await openCatalogue(content, refs.catalogueRef);
  const named = namedSources({ outline: planned, findings, conflicts, drafts: written, frame, text });
  const sources = (await catalogue?.named(named)) ?? new Map<string, CataloguedSource>();
  const own =
    text === null || planned === null
      ? null
      : textInReport(text, validated?.followUps ?? [], {
          outline: planned,
          findings: findings.flatMap((section) => section.findings),
          sources,
        });
  return {
    question: run.question,
    synthesis: run.synthesis,
    sourcesGiven: manifest?.sources.length ?? 0,
    catalogue:
      catalogue === null
        ? null
        : {
            sources: [...sources.values()],
            counts: catalogue.counts,
            merged: catalogue.merged,
            count: catalogue.ids.length,
            furtherParts: catalogue.furtherParts,
          },
    outline: own?.outline ?? planned,
    findings,
    conflicts,
    gaps: validated?.gaps ?? [],
    drafts: own?.drafts ?? written,
    frame: own?.frame ?? frame,
    ...(own === null || text === null || planned === null
      ? {}
      : { text: { planned, gaps: own.gaps, isChecked: text.isChecked } }),
    readInFull: [
      ...new Set([
        ...found.flatMap((section) => section?.readInFull ?? []),
        ...(validated?.readInFull ?? []),
        // The writer reads the text of each source that it cites.
        ...(text?.statements ?? []).flatMap(({ sourceIds }) =>
          sourceIds.filter((id) => sources.get(id)?.summaryOnly !== true),
        ),
      ]),
    ],
    retrievals: totalRetrievals(found.flatMap((section) => section ?? [])),
    warnings: [...(manifest?.warnings ?? []), ...refs.warnings],
  };
}

function totalRetrievals(sections: readonly SectionFindings[]): Report['sources']['retrievals'] {
  const total = { requested: 0, found: 0, missing: 0, chars: 0 };
  for (const { retrievals } of sections) {
    total.requested += retrievals.requested;
    total.found += retrievals.found;
    total.missing += retrievals.missing;
    total.chars += retrievals.chars;
  }
  return total;
}

type NamingParts = Pick<ReportParts, 'outline' | 'findings' | 'conflicts' | 'drafts' | 'frame'> & {
  text: WrittenText | null;
};

/** The sources that a report of these parts, or who judges it, may name: no other has to be known when it is put together. */
function namedSources({
  outline,
  findings,
  conflicts,
  drafts,
  frame,
  text: written,
}: NamingParts): Set<string> {
  const texts = [...drafts.map(({ draft }) => draft.markdown), ...(frame?.bullets ?? [])];
  return new Set([
    ...(written?.statements ?? []).flatMap(({ sourceIds }) => sourceIds),
    ...(written?.removed ?? []).flatMap(({ sourceIds }) => sourceIds),
    ...bearingSources(outline),
    ...(nearestSources({ outline, noAnswer: true }) ?? []),
    ...findings.flatMap((section) =>
      section.findings.flatMap(({ citations, evidence }) => [
        ...citations,
        ...evidence.map(({ sourceId }) => sourceId),
      ]),
    ),
    ...conflicts.flatMap(({ viewpoints }) => viewpoints.flatMap(({ citations }) => citations)),
    ...texts.flatMap((text) => citedIds(text)),
  ]);
}
