import type { ArtifactRef } from '../../../contracts/run/artifact';
import { ReportFrame, SectionDraft } from '../../../contracts/report/draft';
import { type Finding, SectionFindings, ValidatedFindings } from '../../../contracts/report/finding';
import { Outline } from '../../../contracts/report/outline';
import type { Report } from '../../../contracts/report/report';
import { traitsOf } from '../../../contracts/run/engines';
import type { RunOutcome, RunStatus } from '../../../contracts/run/run';
import type { SourceCatalogue } from '../../../contracts/source/source';
import { modelNames } from '../../../core/budget/model-names';
import { eventKey } from '../../../core/run/event-key';
import { unvalidated } from '../../../core/evidence/unvalidated';
import { frameOf, frameText } from '../../../core/settled-text/frame-text';
import { sentenceWording } from '../../../core/settled-text/sentence-wording';
import { draftOf, settleText, type WrittenText } from '../../../core/settled-text/settle-text';
import { themeOfTitles } from '../../../core/ranking/outline-wording';
import { assembleReport as assemble } from '../../../core/report/assemble-report';
import { isHeldLine } from '../../../verification/held-line';
import { judgeSentence } from '../../../verification/judge-sentence';
import { readIfAny, storeArtifact } from '../../shared/artifacts';
import { wholeCatalogue } from '../gather/catalogue';
import { openManifest } from '../../shared/manifest';
import { promptsUsed } from '../../shared/pinned-prompts';
import type { ActivityPorts, RunBrief } from '../../shared/ports';
import { REPORT_STEPS } from '../report-steps';

/** What a run has to make a report of; a run that ended early has less of it. */
export interface AssembleReportInput {
  run: RunBrief;
  status: RunStatus;
  /** Why the run ended early, as a sentence for the reader; null for a run that went to its end. */
  endedEarly: string | null;
  /** What a pass could not do, and what stands in its place: a sentence for the reader each. */
  shortfalls: string[];
  /** Whether the run found nothing that answers its question. */
  noAnswer?: boolean;
  manifestRef: ArtifactRef;
  asOf: string;
  catalogueRef: ArtifactRef | null;
  outlineRef: ArtifactRef | null;
  sections: { sectionId: string; findingsRef: ArtifactRef | null; draftRef: ArtifactRef | null }[];
  validatedRef: ArtifactRef | null;
  frameRef: ArtifactRef | null;
  /** Those of the run; those of the import are in the manifest. */
  warnings: Report['warnings'];
  usage: Report['usage'];
  timings: Report['timings'];
}

export interface AssembledReport extends RunOutcome {
  citations: number;
}

/** The end of every run that was not lost: the report of what there is, stored, and the event log closed. */
export async function assembleReport(
  ports: ActivityPorts,
  input: AssembleReportInput,
): Promise<AssembledReport> {
  const { run, sections } = input;
  const { content, events } = ports;
  const manifest = await openManifest(content, input.manifestRef);
  const validated = await readIfAny(content, input.validatedRef, ValidatedFindings);
  const found = await Promise.all(
    sections.map(({ findingsRef }) => readIfAny(content, findingsRef, SectionFindings)),
  );
  const drafts = await Promise.all(
    sections.map(({ draftRef }) => readIfAny(content, draftRef, SectionDraft)),
  );
  const catalogue = input.catalogueRef === null ? null : await wholeCatalogue(content, input.catalogueRef);
  const told =
    validated?.sections ?? found.flatMap((section) => (section === null ? [] : unvalidated(section)));
  const planned = await readIfAny(content, input.outlineRef, Outline);
  const rewords = !traitsOf(run.engine).framesQuotes;
  const findings = rewords ? inOwnWords(told) : told;
  const frame = await readIfAny(content, input.frameRef, ReportFrame);
  const settle = settling(
    findings.flatMap((section) => section.findings),
    catalogue,
  );
  const traceId = await ports.traces.idOf(run);
  const { report, markdown } = assemble({
    id: run.runId,
    question: run.question,
    status: input.status,
    endedEarly: input.endedEarly,
    shortfalls: input.shortfalls,
    noAnswer: input.noAnswer,
    synthesis: run.synthesis,
    sourcesGiven: manifest.count,
    catalogue,
    outline: rewords && planned !== null ? withHeldTheme(planned, run.question, findings) : planned,
    findings,
    conflicts: validated?.conflicts ?? [],
    gaps: validated?.gaps ?? [],
    drafts: sections.flatMap(({ sectionId }, index) => {
      const draft = drafts[index];
      return draft ? [{ sectionId, draft: settle.draft(draft) }] : [];
    }),
    frame: frame === null ? null : settle.frame(frame),
    readInFull: [
      ...new Set([
        ...found.flatMap((section) => section?.readInFull ?? []),
        ...(validated?.readInFull ?? []),
      ]),
    ],
    retrievals: totalRetrievals(found.flatMap((section) => section ?? [])),
    warnings: [...manifest.warnings, ...input.warnings],
    usage: input.usage,
    timings: input.timings,
    provenance: {
      engine: run.engine,
      models: run.models ? modelNames(run.models) : {},
      steps: run.stepVersions,
      ...(await promptsUsed(ports, run, REPORT_STEPS)),
      asOf: input.asOf,
      runtime: { ...ports.runtime, ...(traceId === null ? {} : { traceId }) },
    },
  });
  const reportRef = await storeArtifact(content, run.runId, report);
  const markdownRef = await content.store(run.runId, markdown);
  const { uniqueCitations: total, coverage } = report.citationReport;
  await events.appendOnce(run.runId, eventKey({ pass: 4, step: 'assemble', type: 'citation-stats' }), {
    type: 'citation-stats',
    payload: { total, coverage },
  });
  await events.appendOnce(run.runId, eventKey({ pass: 4, step: 'assemble', type: 'run-completed' }), {
    type: 'run-completed',
    payload: { status: input.status, reportRef, markdownRef },
  });
  return { runId: run.runId, status: input.status, reportRef, markdownRef, citations: total };
}

/** Findings as a report names them: a claim in other words than its quotes is told by the first of them. */
function inOwnWords(sections: ValidatedFindings['sections']): ValidatedFindings['sections'] {
  const numbersFrom: string[] = [];
  return sections.map(({ sectionId, findings }) => ({
    sectionId,
    findings: findings.map((finding) => {
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
  catalogue: SourceCatalogue | null,
): { draft(draft: SectionDraft): SectionDraft; frame(frame: ReportFrame): ReportFrame } {
  const sources = new Map((catalogue?.sources ?? []).map((source) => [source.id, source]));
  const wording = sentenceWording(findings, sources);
  const settled = (text: WrittenText): WrittenText => settleText(text, new Map(), wording);
  return {
    draft: (draft) => {
      const { markdown, checked } = draft;
      return checked === undefined ? draft : draftOf(settled({ markdown, checked }));
    },
    frame: (frame) => (frame.checked === undefined ? frame : frameOf(frame, settled(frameText(frame)))),
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
