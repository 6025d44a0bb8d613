import { traitsOf } from '../../../contracts/run/engines';
import type { ArtifactRef } from '../../../contracts/run/artifact';
import { ReportFrame, SectionDraft } from '../../../contracts/report/draft';
import { type Finding, SectionFindings, ValidatedFindings } from '../../../contracts/report/finding';
import { Outline } from '../../../contracts/report/outline';
import type { Report } from '../../../contracts/report/report';
import { SourceManifest, type CataloguedSource } from '../../../contracts/source/source';
import { unvalidated } from '../../../core/evidence/unvalidated';
import { themeOfTitles } from '../../../core/ranking/outline-wording';
import type { ReportParts } from '../../../core/report/report-parts';
import { frameOf, frameText } from '../../../core/settled-text/frame-text';
import { summaryWording } from '../../../core/settled-text/summary-wording';
import { sentenceWording } from '../../../core/settled-text/sentence-wording';
import { draftOf, settleText, type WrittenText } from '../../../core/settled-text/settle-text';
import { isHeldLine } from '../../../verification/held-line';
import { judgeSentence } from '../../../verification/judge-sentence';
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
  const told =
    validated?.sections ?? found.flatMap((section) => (section === null ? [] : unvalidated(section)));
  const planned = await readIfAny(content, refs.outlineRef, Outline);
  const rewords = !traitsOf(run.engine).framesQuotes;
  const findings = rewords ? inOwnWords(told) : told;
  const frame = await readIfAny(content, refs.frameRef, ReportFrame);
  const conflicts = validated?.conflicts ?? [];
  const written = sections.flatMap(({ sectionId }, index) => {
    const draft = drafts[index];
    return draft ? [{ sectionId, draft }] : [];
  });
  const catalogue = refs.catalogueRef === null ? null : await openCatalogue(content, refs.catalogueRef);
  const named = namedSources({ outline: planned, findings, conflicts, drafts: written, frame });
  const sources = (await catalogue?.named(named)) ?? new Map<string, CataloguedSource>();
  const settle = settling(
    findings.flatMap((section) => section.findings),
    sources,
  );
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
    outline: rewords && planned !== null ? withHeldTheme(planned, run.question, findings) : planned,
    findings,
    conflicts,
    gaps: validated?.gaps ?? [],
    drafts: written.map(({ sectionId, draft }) => ({ sectionId, draft: settle.draft(draft) })),
    frame: frame === null ? null : settle.frame(frame),
    readInFull: [
      ...new Set([
        ...found.flatMap((section) => section?.readInFull ?? []),
        ...(validated?.readInFull ?? []),
      ]),
    ],
    retrievals: totalRetrievals(found.flatMap((section) => section ?? [])),
    warnings: [...(manifest?.warnings ?? []), ...refs.warnings],
  };
}

/**
 * Findings as a report names them: a claim of one source in other words than its quotes is told by the first of them. What several
 * sources were found to say is told as it was claimed: the words of one are not those of the others.
 */
function inOwnWords(sections: ValidatedFindings['sections']): ValidatedFindings['sections'] {
  const numbersFrom: string[] = [];
  return sections.map(({ sectionId, findings }) => ({
    sectionId,
    findings: findings.map((finding) => {
      if (finding.citations.length > 1) return finding;
      const passages = finding.evidence.map(({ quote }) => quote);
      const judgement = judgeSentence(finding.claim, { passages, attribution: [], numbersFrom });
      return judgement.verdict === 'close' ? finding : { ...finding, claim: passages[0] ?? finding.claim };
    }),
  }));
}

/** A theme was planned before anything was found; one with words that no finding has is told by the sections' titles. */
function withHeldTheme(outline: Outline, question: string, sections: ValidatedFindings['sections']): Outline {
  const quotes = sections.flatMap(({ findings }) =>
    findings.flatMap(({ evidence }) => evidence.map(({ quote }) => quote)),
  );
  const titles = outline.sections.map(({ title }) => title);
  if (outline.sections.length === 0 || isHeldLine(outline.overallTheme, [question, ...titles, ...quotes])) {
    return outline;
  }
  return { ...outline, overallTheme: themeOfTitles(titles) };
}

/** What no critic has decided by the end of a run does not stand. */
function settling(
  findings: readonly Finding[],
  sources: ReadonlyMap<string, CataloguedSource>,
): { draft(draft: SectionDraft): SectionDraft; frame(frame: ReportFrame): ReportFrame } {
  const wording = sentenceWording(findings, sources);
  const settled = (text: WrittenText): WrittenText => settleText(text, new Map(), wording);
  return {
    draft: (draft) => {
      const { markdown, checked } = draft;
      return checked === undefined ? draft : draftOf(settled({ markdown, checked }));
    },
    frame: (frame) =>
      frame.checked === undefined
        ? frame
        : frameOf(frame, settleText(frameText(frame), new Map(), summaryWording(findings, sources))),
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

type NamingParts = Pick<ReportParts, 'outline' | 'findings' | 'conflicts' | 'drafts' | 'frame'>;

/** The sources that a report of these parts, or who judges it, may name: no other has to be known when it is put together. */
function namedSources({ outline, findings, conflicts, drafts, frame }: NamingParts): Set<string> {
  const texts = [...drafts.map(({ draft }) => draft.markdown), ...(frame?.bullets ?? [])];
  const checked = [...drafts.map(({ draft }) => draft.checked), frame?.checked];
  return new Set([
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
    ...checked.flatMap((text) => [
      ...(text?.sentences ?? []).flatMap((sentence) => citedIds(sentence.text)),
      ...(text?.setAside ?? []).flatMap(({ text: claim, sourceIds }) => [...citedIds(claim), ...sourceIds]),
    ]),
  ]);
}
