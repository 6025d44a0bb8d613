import {
  Answer,
  type AnswerMetrics,
  type AnswerPassage,
  type AnswerTelemetry,
  type AnswerTraceEntry,
  RetrievedPassages,
} from '../contracts/answer';
import { modelNames, NO_USAGE } from '../contracts/budget';
import { AnswerDraft, type AnswerSentence } from '../contracts/draft';
import { type CriticisedClaim, Critique, type Evidence } from '../contracts/finding';
import type { JudgedVersion } from '../contracts/judgement';
import { capabilitiesOf } from '../contracts/pipeline';
import type { RunOutcome, RunStatus, Usage, Warning } from '../contracts/run';
import { type PreviousRun, SearchLog } from '../contracts/run-input';
import { eventKey } from '../contracts/run-protocol';
import { type ArtifactRef, SourceManifest } from '../contracts/source';
import { writingTexts } from '../contracts/wording';
import { answerConflicts, findConflicts } from '../evidence/conflicts';
import type { SourceMetadata } from '../evidence/corroboration';
import { judgeNotice } from '../evidence/judge-scores';
import { citedIds } from '../lib/citation-marks';
import { rejectedClaimInSources } from '../report/answer-passages';
import { toAgentState } from '../report/answer-state';
import { sinceMarkdown } from '../report/attribution';
import { visibleStrings } from '../report/citations';
import { answerAsReport } from '../report/diff/since-last';
import { judgedAnswer } from '../report/judged-documents';
import { listSourcesRead } from '../report/sources-read';
import { type Reply, writeFallback, writeReply } from '../report/write-reply';
import type { ContentStore } from '../stores/content-store';
import { ANSWERABLE_THRESHOLD } from '../text/answerability';
import { splitSentences } from '../text/sentences';
import { terms } from '../text/words';
import { ANSWER_STEPS, JUDGED_ANSWER_STEPS } from './admit-answer';
import { readCached, readOptional, storeArtifact } from './artifacts';
import type { SpanAttributes } from './external-ports';
import { readJudgement } from './judge-and-mend';
import type { ActivityPorts, AnswerContext } from './ports';
import { usedPrompts } from './run-step';
import { changesSincePrevious } from './scheduled-runs';
import type { CritiqueRefs } from './write-answer';

export interface ConcludeAnswerInput {
  run: AnswerContext;
  status: RunStatus;
  observationCount: number;
  finalOutputRef: ArtifactRef | null;
  /** Passages of the text, or the last ones found. */
  passagesRef: ArtifactRef | null;
  draftRef: ArtifactRef | null;
  critique: CritiqueRefs | null;
  measured: AttemptMetrics[];
  attempts: number;
  overCompression: boolean;
  trace: AnswerTraceEntry[];
  warnings: Warning[];
  /** Why the answer is a fallback; null if the run finished. */
  failure: string | null;
  usage: Usage;
  estimate?: Answer['estimate'];
  latencyMs: number;
  /** Judgement of the kept version; absent if there is none. */
  judge?: { judgementRef: ArtifactRef; version: number; versions: JudgedVersion[] };
  since?: { before: PreviousRun; manifestRef: ArtifactRef | null };
  searchRef?: ArtifactRef;
  /** Of the sources that were searched; absent without any. */
  manifestRef?: ArtifactRef;
}

export interface ConcludedAnswer extends RunOutcome {
  answer: Answer;
}

export async function concludeAnswer(
  ports: ActivityPorts,
  given: ConcludeAnswerInput,
): Promise<ConcludedAnswer> {
  const { run, status } = given;
  const { content, events } = ports;
  const { runId } = run;
  const built = await appendChanges(content, await buildAnswer(ports, given), given);
  const answer = await withSourcesRead(content, built, given.manifestRef);
  const [reportRef, markdownRef] = await Promise.all([
    storeArtifact(content, runId, answer),
    content.store(runId, answer.answer),
  ]);
  exportAttempts(ports, run, given.measured);
  exportSynthesis(ports, run, answer, given.measured);
  const last = given.trace.filter(({ node }) => node === 'supervisor').at(-1);
  const told: Promise<number>[] = [];
  if (last?.node === 'supervisor' && last.decision === 'end') {
    const { attempt, decision, reason } = last;
    const key = eventKey({ pass: 0, step: 'decide', type: 'attempt', ordinal: attempt });
    told.push(events.appendOnce(runId, key, { type: 'attempt', payload: { attempt, decision, reason } }));
  }
  const completed = eventKey({ pass: 0, step: 'conclude', type: 'run-completed' });
  const payload = { status, reportRef, markdownRef };
  told.push(events.appendOnce(runId, completed, { type: 'run-completed', payload }));
  await Promise.all(told);
  return { runId, status, reportRef, markdownRef, answer };
}

/** The answer becomes part of the run's history, so that its list of sources is short. */
const MAX_SOURCES_READ = 100;

async function withSourcesRead(
  content: ContentStore,
  answer: Answer,
  manifestRef: ArtifactRef | undefined,
): Promise<Answer> {
  if (manifestRef === undefined) return answer;
  const { sources, warnings } = await readCached(content, manifestRef, SourceManifest);
  const cited = new Set(answer.citations.map(({ sourceId }) => sourceId));
  const listed = listSourcesRead({ sources, warnings, cited }, MAX_SOURCES_READ);
  return { ...answer, sourcesRead: visibleStrings(listed) };
}

/** Appends the changes, so that the offsets of claims stay valid. */
async function appendChanges(
  content: ContentStore,
  answer: Answer,
  { since: told, status }: ConcludeAnswerInput,
): Promise<Answer> {
  const asOf = told?.before.asOf ?? '';
  const since = await changesSincePrevious(content, told?.before, {
    schema: Answer,
    asReport: (stored: Answer) => answerAsReport(stored, { status, asOf }),
    after: () => answerAsReport(answer, { status, asOf: '' }),
    manifestRef: told?.manifestRef ?? undefined,
  });
  if (since === undefined) return answer;
  const chapter = `**${writingTexts.sinceHeading}**\n\n${sinceMarkdown(since)}`;
  return { ...answer, since, answer: `${answer.answer}\n\n${chapter}` };
}

async function buildAnswer(ports: ActivityPorts, given: ConcludeAnswerInput): Promise<Answer> {
  const { content, runtime, traces } = ports;
  const { run, attempts, overCompression, measured, failure, warnings, usage } = given;
  const said = await buildReply(content, given);
  const search = await readOptional(content, given.searchRef ?? null, SearchLog);
  const judge = given.judge === undefined ? null : await readJudgement(content, given.judge);
  const notice = judge === null ? null : judgeNotice(judge);
  const traceId = await traces.idOf(run);
  return {
    requestId: run.runId,
    question: run.question,
    ...said,
    // Appended, so that the offsets of claims stay valid.
    answer: [said.answer, ...(notice === null ? [] : [notice])].join('\n\n'),
    ...(judge === null ? {} : { judge }),
    ...(search === null ? {} : { search }),
    latencyMs: given.latencyMs,
    tokensUsed: usage.inputTokens + usage.outputTokens,
    diagnostics: {
      attempts,
      overCompression,
      critique: await critiqueBySources(content, given.critique),
      metrics: measured.at(-1)?.metrics ?? null,
      failure,
      warnings,
    },
    trace: given.trace,
    ...(given.estimate === undefined ? {} : { estimate: given.estimate }),
    usage,
    provenance: {
      engine: run.engine,
      models: run.models ? modelNames(run.models) : {},
      steps: run.stepVersions,
      ...(await usedPrompts(ports, run, judge === null ? ANSWER_STEPS : JUDGED_ANSWER_STEPS)),
      runtime: { ...runtime, ...(traceId === null ? {} : { traceId }) },
    },
  };
}

async function critiqueBySources(content: ContentStore, told: CritiqueRefs | null): Promise<Critique | null> {
  if (told === null) return null;
  const critique = await readCached(content, told.critiqueRef, Critique);
  const read = await readOptional(content, told.passagesRef, RetrievedPassages);
  const bySources = (claim: CriticisedClaim): CriticisedClaim =>
    rejectedClaimInSources(claim, read?.passages ?? []);
  return {
    ...critique,
    unsupportedClaims: critique.unsupportedClaims.map(bySources),
    conflictingEvidence: critique.conflictingEvidence.map(bySources),
  };
}

async function buildReply(content: ContentStore, given: ConcludeAnswerInput): Promise<Reply> {
  const { run, draftRef, passagesRef, failure, finalOutputRef, overCompression, observationCount } = given;
  const draft = await readOptional(content, draftRef, AnswerDraft);
  const retrieved = await readOptional(content, passagesRef, RetrievedPassages);
  const reply = writeReply({
    question: run.question,
    draft,
    passages: retrieved?.passages ?? [],
    documents: retrieved?.searched.documents ?? 0,
    answerable: capabilitiesOf(run.engine).asksModels ? 1 : (retrieved?.answerable ?? 0),
    answeredFrom: ANSWERABLE_THRESHOLD,
    overCompression,
    disputed: countDisputed(run.question, draft?.sentences ?? [], retrieved?.passages ?? []),
    observations: observationCount,
    settings: run.answers,
  });
  const setAside = reply.setAside.map((claim) => rejectedClaimInSources(claim, retrieved?.passages ?? []));
  if (failure === null || reply.outcome === 'answered') return { ...reply, setAside };
  const finalOutput = finalOutputRef === null ? null : await content.retrieve(finalOutputRef);
  return { ...writeFallback(finalOutput ?? undefined), setAside };
}

/** Compares the sentences behind the claims, because one claim may contain both sides. */
function countDisputed(
  question: string,
  sentences: readonly AnswerSentence[],
  passages: readonly AnswerPassage[],
): number {
  const documents = passages.filter(({ origin }) => origin === 'text');
  const findings = sentences
    .filter(({ text }) => citedIds(text).length > 0)
    .map(({ plain, passageIds }, at) => {
      const cited = documents.filter(({ id }) => passageIds.includes(id));
      const evidence = cited.flatMap((passage) => supportingSentences(plain, passage));
      const citations = [...new Set(evidence.map(({ sourceId }) => sourceId))];
      return { id: `${at}`, sectionId: '', claim: plain, confidence: 0, citations, evidence };
    });
  const sources = new Map(
    documents.map(({ sourceId, title, publishedAt }): [string, SourceMetadata] => [
      sourceId,
      { title, quality: { level: 'general', reason: '' }, publishedAt },
    ]),
  );
  const conflicts = [
    ...findConflicts(findings, sources, { question }),
    ...answerConflicts(question, findings),
  ];
  return new Set(conflicts.flatMap(({ findingIds }) => findingIds)).size;
}

/** The sentences that a claim quotes, else the one that shares most words with it. */
function supportingSentences(claim: string, { sourceId, text, start }: AnswerPassage): Evidence[] {
  const said = new Set(terms(claim));
  const sentences = splitSentences(text).map((sentence) => ({
    ...sentence,
    shared: new Set(terms(sentence.text).filter((term) => said.has(term))).size,
  }));
  const quoted = sentences.filter((sentence) => claim.includes(sentence.text.replace(/\s+/g, ' ')));
  const most = Math.max(0, ...sentences.map(({ shared }) => shared));
  const best = sentences.filter(({ shared }) => shared > 0 && shared === most).slice(0, 1);
  return (quoted.length > 0 ? quoted : best).map((sentence) => ({
    sourceId,
    quote: sentence.text,
    start: start + sentence.start,
    end: start + sentence.end,
  }));
}

export interface AssembledAnswer {
  judgedRef: ArtifactRef;
  reportRef: ArtifactRef;
  markdownRef: ArtifactRef;
}

/** Omits run-specific data, so that the same version of another run has the same reference. */
export async function assembleAnswer(
  ports: ActivityPorts,
  given: ConcludeAnswerInput,
): Promise<AssembledAnswer> {
  const { content } = ports;
  const { runId } = given.run;
  const answer = withoutRunData(await buildAnswer(ports, given));
  // The judge always reads numbered citations, so that the style does not affect the score.
  const isNumbered = given.run.answers.citations === 'numbered';
  const judged = isNumbered ? answer : withoutRunData(await buildAnswer(ports, withNumberedCitations(given)));
  const retrieved = await readOptional(content, given.passagesRef, RetrievedPassages);
  const [judgedRef, reportRef, markdownRef] = await Promise.all([
    storeArtifact(content, runId, judgedAnswer(judged, retrieved?.passages ?? [])),
    storeArtifact(content, runId, answer),
    content.store(runId, answer.answer),
  ]);
  return { judgedRef, reportRef, markdownRef };
}

function withNumberedCitations(given: ConcludeAnswerInput): ConcludeAnswerInput {
  const { run } = given;
  return { ...given, run: { ...run, answers: { ...run.answers, citations: 'numbered' } } };
}

const VERSION_REQUEST_ID = 'version';

function withoutRunData({ estimate: _expected, ...answer }: Answer): Answer {
  return {
    ...answer,
    requestId: VERSION_REQUEST_ID,
    latencyMs: 0,
    tokensUsed: 0,
    trace: [],
    usage: NO_USAGE,
    diagnostics: { ...answer.diagnostics, metrics: null },
    provenance: { ...answer.provenance, runtime: {} },
  };
}

/** Agent name of document 001, and the prefix under which Langfuse looks for metadata. */
const AGENT_NAME = 'AnswerSynthesisAgent';
const METADATA_PREFIX = 'langfuse.observation.metadata.';

/** Times are milliseconds since 1970 by the workflow's clock, so that retries report the same. */
export interface AttemptMetrics {
  metrics: AnswerMetrics;
  telemetry: AnswerTelemetry;
  startedAt: number;
  endedAt: number;
}

/** Uses the names of document 004; exports no content. */
function exportAttempts(
  { traces }: Pick<ActivityPorts, 'traces'>,
  run: AnswerContext,
  measured: readonly AttemptMetrics[],
): void {
  for (const { metrics, telemetry, startedAt, endedAt } of measured) {
    const attributes = {
      ...prefixAttributes('telemetry', telemetry),
      ...prefixAttributes('metrics', snakeCaseMetrics(metrics)),
    };
    traces.note(run, { name: telemetry.node, attributes, startedAt, endedAt });
  }
}

/** The generation span of document 001's synthesis agent; exports no content. */
function exportSynthesis(
  { traces }: Pick<ActivityPorts, 'traces'>,
  run: AnswerContext,
  answer: Answer,
  measured: readonly AttemptMetrics[],
): void {
  const last = measured.at(-1);
  if (last === undefined) return;
  const { confidence_score, last_agent } = toAgentState(answer);
  const { confidence, outcome } = answer;
  const metadata = { agent: AGENT_NAME, confidence_score, confidence, outcome };
  traces.note(run, {
    name: last_agent,
    attributes: {
      'gen_ai.agent.name': AGENT_NAME,
      ...Object.fromEntries(Object.entries(metadata).map(([name, value]) => [METADATA_PREFIX + name, value])),
    },
    startedAt: measured[0]?.startedAt ?? last.startedAt,
    endedAt: last.endedAt,
  });
}

function snakeCaseMetrics(metrics: AnswerMetrics): Record<string, number> {
  return {
    original_context_chars: metrics.originalContextChars,
    compressed_context_chars: metrics.compressedContextChars,
    compression_ratio: metrics.compressionRatio,
    citation_count: metrics.citationCount,
    answer_length: metrics.answerLength,
    compression_latency_ms: metrics.compressionLatencyMs,
  };
}

function prefixAttributes(group: string, values: SpanAttributes): SpanAttributes {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [`colligate.${group}.${name}`, value]),
  );
}
