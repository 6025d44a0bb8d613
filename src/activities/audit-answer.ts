import { type AnswerPassage, type AnswerTraceEntry, RetrievedPassages } from '../contracts/answer';
import { NO_USAGE } from '../contracts/budget';
import { ANSWER_SECTION, AnswerDraft, type AnswerSentence, type TextStatement } from '../contracts/draft';
import type { ClaimVerdict, Evidence } from '../contracts/finding';
import { capabilitiesOf } from '../contracts/pipeline';
import { eventKey } from '../contracts/run-protocol';
import type { ArtifactRef, SourceWindow } from '../contracts/source';
import { judgeSentence } from '../evidence/claim-alignment';
import { type PreparedPassages, preparePassages, splitClauses } from '../evidence/claim-passages';
import { foreignAddresses } from '../evidence/claim-tokens';
import { countVerdicts, createCritique, isSupported } from '../evidence/decide-statement';
import { attributedQuotations, comparableText } from '../evidence/quotations';
import { verifyPrepared } from '../evidence/verify-claim';
import { plainText } from '../evidence/written-text';
import { citedIds } from '../lib/citation-marks';
import { auditedDraft, betterAnswer, draftAsText, finalizeAnswer } from '../report/answer-draft';
import { passagesByWork, passageWindow } from '../report/answer-passages';
import { criticEntry } from '../report/answer-state';
import { auditText } from '../steps/audit-text';
import { readCached, readOptional, storeArtifact } from './artifacts';
import { auditStatements, statementsToAudit, type TextPlace } from './audit-statements';
import { type ActivityPorts, ANSWER_WRITER, type AnswerContext } from './ports';
import { openSectionStream } from './publish-events';
import type { UsageAndWarnings } from './run-step';

export interface AuditAnswerInput {
  run: AnswerContext;
  /** From 1. */
  attempt: number;
  passagesRef: ArtifactRef;
  draftRef: ArtifactRef;
  /** Kept if this one is no better. */
  insteadRef: ArtifactRef | null;
  logicalGaps: string[];
}

export interface AuditedAnswer extends UsageAndWarnings {
  /** The better draft, with its verdicts and without rejected claims. */
  draftRef: ArtifactRef;
  auditedRef: ArtifactRef;
  isBetter: boolean;
  critiqueRef: ArtifactRef;
  needsRetry: boolean;
  claims: number;
  supported: number;
  telemetry: Extract<AnswerTraceEntry, { node: 'critic' }>;
}

/** Streams the better text as a new generation if it differs. */
export async function auditAnswer(
  ports: ActivityPorts,
  input: AuditAnswerInput,
  signal: AbortSignal,
): Promise<AuditedAnswer> {
  const begun = Date.now();
  const { run, attempt, passagesRef, draftRef, insteadRef, logicalGaps: known } = input;
  const { content, events } = ports;
  const draft = await readCached(content, draftRef, AnswerDraft);
  const instead = await readOptional(content, insteadRef, AnswerDraft);
  const { passages } = await readCached(content, passagesRef, RetrievedPassages);
  const place = { pass: 0, section: ANSWER_SECTION, revision: attempt - 1 };
  const at = { place, signal };
  const { draft: audited, toMend, ...spent } = await auditClaims(ports, run, draft, passages, at);
  const settled = finalizeAnswer(audited);
  const logicalGaps = [...known, ...(audited.notes ?? []).map(({ text }) => plainText(text))];
  const uncited = settled.markdown === '' ? uncitedSentences(audited) : [];
  const found = createCritique(settled.setAside, { logicalGaps, uncited });
  // A claim that only overstates its source is not unsupported, but is mended.
  const needsRetry = found.needsRetry || toMend > 0;
  const critique = { ...found, needsRetry };
  const better = instead === null ? settled : betterAnswer(instead, settled);
  const counts = countVerdicts(audited.sentences.flatMap(({ verdict }) => verdict ?? []));
  const { claims, supported } = counts;
  const setAside = settled.setAside.length;
  const tell = async (): Promise<void> => {
    const stream = await openSectionStream(events, run.runId, ANSWER_SECTION, ANSWER_WRITER);
    await stream.finish(better.markdown);
    await events.appendOnce(run.runId, eventKey({ ...place, step: auditText.name, type: 'audit' }), {
      type: 'audit',
      payload: { section: ANSWER_SECTION, revision: attempt - 1, audit: counts, needsRetry, setAside },
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

/** Verdicts by the critic; without a model, by lexical checks. `toMend` counts claims. */
async function auditClaims(
  ports: ActivityPorts,
  run: AnswerContext,
  draft: AnswerDraft,
  passages: readonly AnswerPassage[],
  at: { place: TextPlace; signal: AbortSignal },
): Promise<{ draft: AnswerDraft; toMend: number } & UsageAndWarnings> {
  if (!capabilitiesOf(run.engine).asksModels) {
    const verdicts = lexicalVerdicts(draft, passages);
    const sentences = draft.sentences.map((sentence, place) => {
      const verdict = sentence.verdict ?? verdicts.get(place);
      return verdict === undefined ? sentence : { ...sentence, verdict };
    });
    return { draft: { ...draft, sentences }, toMend: 0, usage: NO_USAGE, warnings: [] };
  }
  const open = draft.sentences.flatMap(({ verdict }, place) => (verdict === undefined ? [place] : []));
  const isFirst = draft.sentences.every(({ verdict }) => verdict === undefined);
  const text = draftAsText(draft, run.question);
  const { asked, shown, sourceIds } = statementsToAudit(
    text,
    open.map((place) => `T${place + 1}`),
  );
  const windows = passages.map(passageWindow);
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
      works: passagesByWork(passages),
      asksNotes: isFirst,
      removesWrong: false,
    },
    at,
  );
  const statements = audited.text.statements.map((statement) => checkStatementAddresses(statement, cited));
  const { wrong: toMend, usage, warnings } = audited;
  return { draft: auditedDraft(draft, { ...audited.text, statements }), toMend, usage, warnings };
}

/** Supported sentences without citations: alone they are no answer. */
function uncitedSentences({ sentences }: AnswerDraft): string[] {
  return sentences.flatMap(({ plain, passageIds, verdict }) =>
    verdict !== undefined && isSupported(verdict) && passageIds.length === 0 ? [plain] : [],
  );
}

function checkStatementAddresses(statement: TextStatement, cited: readonly SourceWindow[]): TextStatement {
  if (statement.verdict === null) return statement;
  const own = cited.filter(({ sourceId }) => statement.sourceIds.includes(sourceId));
  const texts = own.flatMap(({ title, author = '', site = '', passages }) => [
    title,
    author,
    site,
    ...passages.map(({ text }) => text),
  ]);
  return { ...statement, verdict: checkAddresses(statement.plain, statement.verdict, texts) };
}

/** Evidence offsets are into passages. */
function lexicalVerdicts(
  { sentences }: Pick<AnswerDraft, 'sentences'>,
  passages: readonly AnswerPassage[],
): Map<number, ClaimVerdict> {
  const prepared = preparePassages(passages.map(({ id, text }) => ({ sourceId: id, text, start: 0 })));
  return new Map(
    sentences.map((sentence, at): [number, ClaimVerdict] => [
      at,
      lexicalVerdict(sentence, passages, prepared),
    ]),
  );
}

function lexicalVerdict(
  { plain, text }: AnswerSentence,
  passages: readonly AnswerPassage[],
  prepared: PreparedPassages,
): ClaimVerdict {
  const ids = [...new Set(citedIds(text))];
  const cited = passages.filter(({ id }) => ids.includes(id));
  const verdict =
    verbatimVerdict(quotedEvidence(plain, cited)) ??
    verifyPrepared(plain, prepared, {
      cited: [...passages.keys()].filter((at) => ids.includes(passages[at]?.id ?? '')),
      attribution: cited.flatMap(passageAttribution),
    });
  return checkAddresses(plain, verdict, [
    ...(verdict.evidence === null ? [] : [verdict.evidence.quote]),
    ...cited.filter((passage) => supportsClause(plain, passage)).map((passage) => passage.text),
    ...cited.flatMap(({ title, author = '', site = '' }) => [title, author, site]),
  ]);
}

/** Empty if the sentence says more than its quotations, or if one of them is not found. */
function quotedEvidence(plain: string, cited: readonly AnswerPassage[]): Evidence[] {
  const places = attributedQuotations(
    plain,
    cited.map(({ id, text, author = '', publishedAt = '', title, site = '' }) => ({
      id,
      content: text,
      attribution: [author, publishedAt, title, site].filter((words) => words !== ''),
      comparable: comparableText(text),
    })),
  );
  return (places ?? []).flatMap((place): Evidence[] => {
    const passage = cited.find(({ id, text }) => id === place.sourceId && text.includes(place.quote));
    return passage === undefined ? [] : [wholeOf(passage)];
  });
}

function wholeOf({ id, text }: AnswerPassage): Evidence {
  return { sourceId: id, quote: text, start: 0, end: text.length };
}

function verbatimVerdict([evidence]: readonly Evidence[]): ClaimVerdict | null {
  if (evidence === undefined) return null;
  const reason = 'It quotes what it cites word for word.';
  return { verdict: 'supported', code: 'same-words', reason, evidence, probability: null };
}

function passageAttribution({ author = '', publishedAt = '' }: AnswerPassage): string[] {
  return [author, publishedAt.slice(0, 10)].filter((text) => text !== '');
}

/** True if the passage has a clause of the sentence in nearly the same words. */
function supportsClause(plain: string, { text, author = '', publishedAt = '' }: AnswerPassage): boolean {
  const cited = { passages: [text], attribution: [author, publishedAt.slice(0, 10)], numbersFrom: [] };
  return splitClauses(plain).some((clause) => judgeSentence(clause, cited).verdict === 'close');
}

/** Rejects a sentence with an address that none of the texts has. */
function checkAddresses(plain: string, verdict: ClaimVerdict, texts: readonly string[]): ClaimVerdict {
  if (verdict.verdict !== 'supported' && verdict.verdict !== 'inference') return verdict;
  const [address] = foreignAddresses(plain, texts);
  if (address === undefined) return verdict;
  const reason = `“${address}” stands in none of its quotes.`;
  return { ...verdict, verdict: 'unsupported', code: 'name-absent', reason };
}
