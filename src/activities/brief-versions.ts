import { Brief, BriefMaterial } from '../contracts/brief';
import { modelNames } from '../contracts/budget';
import { type SectionDraft, type TextStatement, WrittenText } from '../contracts/draft';
import type { ClaimVerdict } from '../contracts/finding';
import type { JudgedVersion } from '../contracts/judgement';
import { BriefPlan } from '../contracts/outline';
import type { RunStatus, Warning } from '../contracts/run';
import type { PreviousRun } from '../contracts/run-input';
import { eventKey } from '../contracts/run-protocol';
import type { ArtifactRef } from '../contracts/source';
import { assembleBrief as assemble, type AssembledBrief as Assembled } from '../report/brief/assemble-brief';
import { type BriefTemplate, BUILT_IN_TEMPLATES, parseTemplate } from '../report/brief/brief-template';
import { briefAsReport } from '../report/diff/since-last';
import { templateText } from '../report/template-file';
import { draftOfPart } from '../report/text-in-report';
import type { ContentStore } from '../stores/content-store';
import { BRIEF_STEPS } from './admit-run';
import { readOptional, readTexts, storeArtifact } from './artifacts';
import { readJudgement } from './judge-and-mend';
import { PART_WRITER, type PartText, readParts } from './plan-brief';
import type { ActivityPorts, BriefContext } from './ports';
import { streamParts } from './publish-events';
import { usedPrompts } from './run-step';
import { changesSincePrevious } from './scheduled-runs';

export interface AssembleBriefInput {
  run: BriefContext;
  status: RunStatus;
  /** From 1. */
  version: number;
  materialRef: ArtifactRef | null;
  planRef: ArtifactRef | null;
  textRef?: ArtifactRef;
  drafts: { partId: string; draftRef: ArtifactRef }[];
  /** Judgement of the kept version; null before judging, or without a judge. */
  judge: { judgementRef: ArtifactRef; version: number; versions: JudgedVersion[] } | null;
  /** Why the run ended early, as a sentence for the reader; null if it finished. */
  endedEarly: string | null;
  shortfalls: string[];
  /** Warnings of the run; those of the material are added. */
  warnings: Brief['warnings'];
  usage: Brief['usage'];
  estimate?: Brief['estimate'];
  timings: Brief['timings'];
  asOf: string;
  /** True if nothing follows; closes the event log. */
  isFinal: boolean;
  since?: PreviousRun;
}

export interface AssembledBrief {
  judgedRef: ArtifactRef;
  reportRef: ArtifactRef;
  markdownRef: ArtifactRef;
  citations: number;
}

const PASS = 4;

export async function assembleBrief(
  ports: ActivityPorts,
  input: AssembleBriefInput,
): Promise<AssembledBrief> {
  const { content, events } = ports;
  const { run, status, isFinal } = input;
  const material = await readOptional(content, input.materialRef, BriefMaterial);
  const text = await readOptional(content, input.textRef ?? null, WrittenText);
  const written = text === null || material === null ? [] : textDrafts(text, material);
  const drafts = [...written, ...(await readParts(ports, input.drafts))];
  const { brief, markdown, judged } = await buildBrief(ports, input, { material, drafts, text });
  const judgedRef = await storeArtifact(content, run.runId, judged);
  const reportRef = await storeArtifact(content, run.runId, brief);
  const markdownRef = await content.store(run.runId, markdown);
  const all = brief.citations.length;
  const total = brief.citations.filter(({ timesCited }) => timesCited > 0).length;
  if (isFinal) {
    // A cut-off or rejected revision may have left its text in the log.
    const texts = drafts.map(({ partId, draft }) => ({ id: partId, markdown: draft.markdown }));
    await streamParts(ports, run.runId, PART_WRITER, texts);
    const place = { pass: PASS, step: 'assemble' };
    await events.appendOnce(run.runId, eventKey({ ...place, type: 'citation-stats' }), {
      type: 'citation-stats',
      payload: { total, coverage: all === 0 ? 0 : total / all },
    });
    await events.appendOnce(run.runId, eventKey({ ...place, type: 'run-completed' }), {
      type: 'run-completed',
      payload: { status, reportRef, markdownRef },
    });
  }
  return { judgedRef, reportRef, markdownRef, citations: total };
}

async function buildBrief(
  ports: ActivityPorts,
  input: AssembleBriefInput,
  {
    material,
    drafts,
    text,
  }: { material: BriefMaterial | null; drafts: PartText[]; text: WrittenText | null },
): Promise<Assembled> {
  const { content } = ports;
  const { run, status, endedEarly, shortfalls, estimate, usage, timings, asOf } = input;
  const { template, warnings } = await loadTemplate(run.brief.template);
  const traceId = await ports.traces.idOf(run);
  const builtIn = BUILT_IN_TEMPLATES.find((name) => name === run.brief.template);
  const parts = {
    id: run.runId,
    question: run.question,
    status,
    endedEarly,
    shortfalls,
    settings: run.brief,
    template,
    material,
    summaries: await readSummaries(content, material),
    title: text?.title ?? (await readOptional(content, input.planRef, BriefPlan))?.title ?? run.question,
    drafts,
    judge: input.judge === null ? null : await readJudgement(content, input.judge),
    warnings: [...warnings, ...input.warnings],
    estimate,
    usage,
    timings,
    provenance: {
      engine: run.engine,
      models: run.models ? modelNames(run.models) : {},
      steps: run.stepVersions,
      ...(await usedPrompts(ports, run, BRIEF_STEPS)),
      template: builtIn ?? 'own',
      asOf,
      runtime: { ...ports.runtime, ...(traceId === null ? {} : { traceId }) },
    },
  };
  // Only the final version reports changes since the previous run.
  const since = await changesSincePrevious(content, input.isFinal ? input.since : undefined, {
    schema: Brief,
    asReport: briefAsReport,
    manifestRef: undefined,
    after: () => briefAsReport(assemble(parts).brief),
  });
  return assemble({ ...parts, since });
}

async function readSummaries(
  content: ContentStore,
  material: BriefMaterial | null,
): Promise<ReadonlyMap<string, string>> {
  const subtopics = material?.subtopics ?? [];
  const texts = await readTexts(
    content,
    subtopics.map(({ summaryRef }) => summaryRef),
  );
  return new Map(subtopics.map(({ id, summaryRef }) => [id, texts.get(summaryRef) ?? '']));
}

async function loadTemplate(setting: string): Promise<{ template: BriefTemplate; warnings: Warning[] }> {
  const read = parseTemplate(await templateText(setting));
  if ('template' in read) return { template: read.template, warnings: [] };
  const standard = parseTemplate(await templateText(BUILT_IN_TEMPLATES[0]));
  if ('problems' in standard) throw new Error(`The template that ships: ${standard.problems.join(' ')}`);
  const warnings = read.problems.map((message) => ({ code: 'template', message }));
  return { template: standard.template, warnings };
}

const NOT_AUDITED: ClaimVerdict = {
  verdict: 'unchecked',
  code: 'open',
  reason: 'The claim was not audited.',
  evidence: null,
  probability: null,
};

function textDrafts(
  text: WrittenText,
  { subtopics, sources }: BriefMaterial,
): { partId: string; draft: SectionDraft }[] {
  const material = {
    findings: subtopics.flatMap(({ findings }) => findings),
    sources: new Map(sources.map((source) => [source.id, source])),
  };
  const known = { ...text, statements: text.statements.map(withVerdict) };
  return text.parts.map((part) => ({ partId: part.id, draft: draftOfPart(known, part, material) }));
}

function withVerdict(statement: TextStatement): TextStatement {
  const isOpen = statement.verdict === null && statement.sourceIds.length > 0;
  return isOpen ? { ...statement, verdict: NOT_AUDITED } : statement;
}
