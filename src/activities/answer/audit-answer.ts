import { AnswerDraft } from '../../contracts/answer/answer-draft';
import { RetrievedPassages, type AnswerPassage } from '../../contracts/answer/answer-passage';
import type { AnswerTraceEntry } from '../../contracts/answer/answer-telemetry';
import type { ArtifactRef } from '../../contracts/run/artifact';
import { traitsOf } from '../../contracts/run/engines';
import type { TextStatement } from '../../contracts/report/written-text';
import type { SourceWindow } from '../../contracts/source/passage';
import { criticEntry } from '../../answers/answer-telemetry';
import { betterAnswer } from '../../answers/better-answer';
import { auditedDraft, textOfDraft } from '../../answers/draft-text';
import { windowOfPassage, worksOfPassages } from '../../answers/passage-windows';
import { settleAnswer } from '../../answers/settle-answer';
import { NO_USAGE } from '../../core/budget/usage';
import { eventKey } from '../../core/run/event-key';
import { ANSWER_TEXT } from '../../core/settled-text/answer-text';
import { countVerdicts } from '../../core/settled-text/count-verdicts';
import { stands } from '../../core/settled-text/stands';
import { critiqueOfClaims } from '../../core/settled-text/critique-of-claims';
import { plainText } from '../../core/written-text/read-text';
import { auditText } from '../../steps/audit-text/audit-text';
import { readIfAny, readShared, storeArtifact } from '../shared/artifacts';
import type { ActivityPorts } from '../shared/ports';
import type { Spent } from '../shared/run-step';
import { openSectionStream } from '../shared/section-stream';
import { auditStatements, statementsToAudit, type TextPlace } from '../shared/written-text/audit-statements';
import { ANSWER_WRITER, type AnswerFacts } from './answer-facts';
import { verdictsByWords, withoutForeignAddress } from './verdicts-by-words';

export interface AuditAnswerInput {
  run: AnswerFacts;
  /** From 1. */
  attempt: number;
  passagesRef: ArtifactRef;
  draftRef: ArtifactRef;
  /** An earlier text that was audited; it stands where this one is no better. */
  insteadRef: ArtifactRef | null;
  logicalGaps: string[];
}

export interface AuditedAnswer extends Spent {
  /** The better text, with its verdicts and without what does not stand. */
  draftRef: ArtifactRef;
  /** This text as it was written, with its verdicts. */
  auditedRef: ArtifactRef;
  isBetter: boolean;
  critiqueRef: ArtifactRef;
  needsRetry: boolean;
  claims: number;
  supported: number;
  telemetry: Extract<AnswerTraceEntry, { node: 'critic' }>;
}

/**
 * A verdict for each claim of an answer, and one critique of all that is wrong. The text in which only what is supported stands
 * is streamed as a newer generation where it differs.
 */
export async function auditAnswer(
  ports: ActivityPorts,
  input: AuditAnswerInput,
  signal: AbortSignal,
): Promise<AuditedAnswer> {
  const begun = Date.now();
  const { run, attempt, passagesRef, draftRef, insteadRef, logicalGaps: known } = input;
  const { content, events } = ports;
  const draft = await readShared(content, draftRef, AnswerDraft);
  const instead = await readIfAny(content, insteadRef, AnswerDraft);
  const { passages } = await readShared(content, passagesRef, RetrievedPassages);
  const place = { pass: 0, section: ANSWER_TEXT, revision: attempt - 1 };
  const at = { place, signal };
  const { draft: audited, toMend, ...spent } = await auditedClaims(ports, run, draft, passages, at);
  const settled = settleAnswer(audited);
  const logicalGaps = [...known, ...(audited.notes ?? []).map(({ text }) => plainText(text))];
  const uncited = settled.markdown === '' ? uncitedIn(audited) : [];
  const found = critiqueOfClaims(settled.setAside, { logicalGaps, uncited });
  // A sentence that only says a little too much is no unsupported claim, and is mended all the same.
  const needsRetry = found.needsRetry || toMend > 0;
  const critique = { ...found, needsRetry };
  const better = instead === null ? settled : betterAnswer(instead, settled);
  const counts = countVerdicts(audited.sentences.flatMap(({ verdict }) => verdict ?? []));
  const { claims, supported } = counts;
  const setAside = settled.setAside.length;
  const tell = async (): Promise<void> => {
    const stream = await openSectionStream(events, run.runId, ANSWER_TEXT, ANSWER_WRITER);
    await stream.finish(better.markdown);
    await events.appendOnce(run.runId, eventKey({ ...place, step: auditText.name, type: 'audit' }), {
      type: 'audit',
      payload: { section: ANSWER_TEXT, revision: attempt - 1, audit: counts, needsRetry, setAside },
    });
  };
  const [betterRef, auditedRef, critiqueRef] = await Promise.all([
    storeArtifact(content, run.runId, better),
    storeArtifact(content, run.runId, audited),
    storeArtifact(content, run.runId, critique),
    tell(),
  ]);
  return {
    draftRef: betterRef,
    auditedRef,
    isBetter: better === settled,
    critiqueRef,
    needsRetry,
    claims,
    supported,
    telemetry: criticEntry(critique, {
      attempt,
      claims,
      supported,
      setAside,
      durationMs: Date.now() - begun,
    }),
    ...spent,
  };
}

/** The draft with a verdict for each claim that has none: by the critic, and where no model is asked by words. `toMend` counts claims. */
async function auditedClaims(
  ports: ActivityPorts,
  run: AnswerFacts,
  draft: AnswerDraft,
  passages: readonly AnswerPassage[],
  at: { place: TextPlace; signal: AbortSignal },
): Promise<{ draft: AnswerDraft; toMend: number } & Spent> {
  if (!traitsOf(run.engine).asksModels) {
    const verdicts = verdictsByWords(draft, passages);
    const sentences = draft.sentences.map((sentence, place) => {
      const verdict = sentence.verdict ?? verdicts.get(place);
      return verdict === undefined ? sentence : { ...sentence, verdict };
    });
    return { draft: { ...draft, sentences }, toMend: 0, usage: NO_USAGE, warnings: [] };
  }
  const open = draft.sentences.flatMap(({ verdict }, place) => (verdict === undefined ? [place] : []));
  const isFirst = draft.sentences.every(({ verdict }) => verdict === undefined);
  const text = textOfDraft(draft, run.question);
  const { asked, shown, sourceIds } = statementsToAudit(
    text,
    open.map((place) => `T${place + 1}`),
  );
  const windows = passages.map(windowOfPassage);
  const cited = windows.filter(({ sourceId }) => sourceIds.has(sourceId));
  const audited = await auditStatements(
    ports,
    run,
    {
      text,
      asked,
      shown: isFirst ? text.statements : shown,
      sources: isFirst ? windows : cited,
      cited,
      works: worksOfPassages(passages),
      asksNotes: isFirst,
      removesWrong: false,
    },
    at,
  );
  const statements = audited.text.statements.map((statement) => withoutForeign(statement, cited));
  const { wrong: toMend, usage, warnings } = audited;
  return { draft: auditedDraft(draft, { ...audited.text, statements }), toMend, usage, warnings };
}

/** The sentences that stand and cite nothing: alone they are no answer. */
function uncitedIn({ sentences }: AnswerDraft): string[] {
  return sentences.flatMap(({ plain, passageIds, verdict }) =>
    verdict !== undefined && stands(verdict) && passageIds.length === 0 ? [plain] : [],
  );
}

function withoutForeign(statement: TextStatement, cited: readonly SourceWindow[]): TextStatement {
  if (statement.verdict === null) return statement;
  const own = cited.filter(({ sourceId }) => statement.sourceIds.includes(sourceId));
  const texts = own.flatMap(({ title, author = '', site = '', passages }) => [
    title,
    author,
    site,
    ...passages.map(({ text }) => text),
  ]);
  return { ...statement, verdict: withoutForeignAddress(statement.plain, statement.verdict, texts) };
}
