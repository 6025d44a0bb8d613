import { z } from 'zod';
import { MAX_OUTPUT_TOKENS } from '../../contracts/budget';
import { type Conflict, ConflictKind, type Evidence, type Finding, type Gap } from '../../contracts/finding';
import { needsChecking, originalOf } from '../../evidence/corroboration';
import { distinctBy } from '../../lib/iterables';
import { type CrossCheckInput, type CrossCheckOutput, mergeCrossChecks } from '../../steps/cross-check';
import { findingShortIds } from '../../steps/material';
import { sentenceKey } from '../../text/duplicates';
import { isGrounded, isSafeQuestion, shortLine } from './grounding';
import {
  type AnswerFormat,
  fieldOf,
  halves,
  parseItems,
  parseOptionalItems,
  type ParseResult,
  splitWindows,
  unansweredItems,
  warningsOf,
} from './model-step';
import {
  buildConflict,
  ConflictItem,
  createCrossCheckContext,
  type CrossCheckContext,
  findingChecks,
  locateEvidence,
  MAX_LINE_CHARS,
  ONE_SIDED_CONFLICT,
  QuotedSource,
  type QuotesByFinding,
  topicFromStatement,
} from './quoted-evidence';

const ChecksAnswer = z.object({
  checks: z.array(
    z.object({
      finding: z.string(),
      supporting: z.array(QuotedSource),
      contradicting: z.array(QuotedSource),
    }),
  ),
  conflicts: z.array(
    z.object({
      topic: z.string(),
      kind: ConflictKind,
      findings: z.array(z.string()),
      viewpoints: z.array(z.object({ evidence: z.array(QuotedSource) })),
      resolution: z.string(),
      reason: z.string(),
    }),
  ),
});

const Quotes = z
  .array(QuotedSource)
  .nullish()
  .transform((list) => list ?? []);

const CheckItem = z.object({ finding: z.string(), supporting: Quotes, contradicting: Quotes });

const QuotedConflict = ConflictItem.extend({
  findings: z.array(z.string()).catch([]),
  viewpoints: z.array(z.object({ evidence: z.array(QuotedSource) })),
});

export function crossCheckAnswer({
  areAll,
}: CrossCheckInput): AnswerFormat<CrossCheckInput, CrossCheckOutput> {
  return areAll === true ? allFindingsAnswer : sourceCheckAnswer;
}

const sourceCheckAnswer: AnswerFormat<CrossCheckInput, CrossCheckOutput> = {
  schema: ChecksAnswer,
  lists: ['checks', 'conflicts'],
  dropsFaulty: true,
  temperature: 0,
  maxOutputTokens: () => MAX_OUTPUT_TOKENS.crossCheck,
  toOutput: readChecks,
  smaller(input, reason) {
    // The findings determine the answer's length, the sources the question's.
    const findings = reason === 'cut-off' ? halves(input.findings) : null;
    if (findings !== null) return findings.map((half) => ({ ...input, findings: half }));
    return splitWindows(input.sources, reason).map((sources) => ({ ...input, sources }));
  },
  whatIsLeft(input, answer) {
    const ids = findingShortIds(input.findings);
    // The last check may be incomplete.
    const done = parseItems(answer, 'checks', CheckItem, []).slice(0, -1);
    const findings = unansweredItems(
      input.findings,
      done.map(({ item }) => ids.idOf(item.finding)),
      ({ id }) => id,
    );
    return findings === null ? null : { ...input, findings };
  },
  merge: (input, parts) => ({
    ...mergeCrossChecks(
      input,
      parts.map(({ output }) => output),
      new Map(input.sources.map((window) => [window.sourceId, window])),
    ),
    gaps: [],
  }),
};

function readChecks(input: CrossCheckInput, answer: unknown): ParseResult<CrossCheckOutput> {
  const reading = createCrossCheckContext(input);
  const { problems, warnings } = reading;
  const found = readCheckQuotes(reading, answer);
  const conflicts = readConflicts(reading, answer, found);
  const checks = findingChecks(reading, found, conflicts);
  const nothingValid = found.size === 0 && conflicts.length === 0 && problems.length > 0;
  return {
    output: nothingValid && input.findings.length > 0 ? null : { checks, conflicts, gaps: [] },
    problems,
    warnings,
    parts: found.size + conflicts.length,
  };
}

function readConflicts(reading: CrossCheckContext, answer: unknown, found: QuotesByFinding): Conflict[] {
  const conflicts = reportedConflicts(reading, answer);
  // Adds a conflict for each contradicted finding that is in none.
  for (const finding of reading.input.findings) {
    const [against] = found.get(finding.id)?.contradicting ?? [];
    const [own] = finding.evidence;
    if (against === undefined || own === undefined) continue;
    if (conflicts.some((conflict) => conflict.findingIds.includes(finding.id))) continue;
    const conflict = buildConflict(reading, conflicts.length, {
      topic: topicFromStatement(own.quote),
      kind: /\d/.test(own.quote) && /\d/.test(against.quote) ? 'number' : 'direction',
      findings: [finding],
      viewpoints: [[own], [against]],
      resolution: 'present_both',
      reason: '',
    });
    if (conflict !== null) conflicts.push(conflict);
  }
  return conflicts;
}

function reportedConflicts(reading: CrossCheckContext, answer: unknown): Conflict[] {
  const { input, problems } = reading;
  const conflicts: Conflict[] = [];
  const told = input.detectConflicts ? parseOptionalItems(answer, 'conflicts', QuotedConflict, problems) : [];
  for (const { item, path } of told) {
    const findings = item.findings.flatMap((written) => reading.findingOf(written, path) ?? []);
    const viewpoints = item.viewpoints.map(({ evidence }, at) =>
      locateEvidence(evidence, { ...reading, path: `${path}.viewpoints.${at}.evidence` }),
    );
    const conflict = buildConflict(reading, conflicts.length, { ...item, findings, viewpoints });
    if (conflict === null) {
      reading.warnings.push(ONE_SIDED_CONFLICT);
    } else conflicts.push(conflict);
  }
  return conflicts;
}

function readCheckQuotes(reading: CrossCheckContext, answer: unknown): QuotesByFinding {
  const { input, sources } = reading;
  const found = new Map<string, { supporting: Evidence[]; contradicting: Evidence[] }>();
  for (const { item, path } of parseItems(answer, 'checks', CheckItem, reading.problems)) {
    const finding = reading.findingOf(item.finding, path);
    if (finding === undefined || !needsChecking(finding, input)) continue;
    const own = new Set(finding.citations.map((id) => originalOf(id, sources)));
    const further = (evidence: Evidence[]): Evidence[] =>
      evidence.filter(({ sourceId }) => !own.has(originalOf(sourceId, sources)));
    const supporting = further(locateEvidence(item.supporting, { ...reading, path: `${path}.supporting` }));
    const contradicting = locateEvidence(item.contradicting, { ...reading, path: `${path}.contradicting` });
    found.set(finding.id, {
      supporting,
      contradicting: input.detectConflicts ? further(contradicting) : [],
    });
  }
  return found;
}

const MAX_GAPS = 6;
const MAX_FOLLOW_UPS = 5;
const NOT_ANSWERED = 'No source that was read answers it.';

const AnsweredViewpoint = z.object({ findings: z.array(z.string()), sources: z.array(z.string()) });

const FindingsAnswer = z.object({
  agreements: z.array(z.object({ findings: z.array(z.string()) })),
  conflicts: z.array(
    z.object({
      topic: z.string(),
      kind: ConflictKind,
      viewpoints: z.array(AnsweredViewpoint),
      resolution: z.string(),
      reason: z.string(),
    }),
  ),
  gaps: z.array(z.object({ question: z.string(), reason: z.string() })),
  followUps: z.array(z.string()),
});

const Agreement = z.object({ findings: z.array(z.string()) });
const NamedConflict = ConflictItem.extend({
  viewpoints: z.array(AnsweredViewpoint.extend({ sources: z.array(z.string()).catch([]) })),
});
const GapItem = z.object({ question: z.string(), reason: z.string().catch('') });

/** By number, without sources in the prompt. Invalid parts of an answer are dropped. */
const allFindingsAnswer: AnswerFormat<CrossCheckInput, CrossCheckOutput> = {
  schema: FindingsAnswer,
  temperature: 0,
  maxOutputTokens: () => MAX_OUTPUT_TOKENS.crossCheck,
  toOutput: readAllFindings,
  smaller: (input) => (halves(input.findings) ?? []).map((findings) => ({ ...input, findings })),
  merge: (input, parts) => {
    const outputs = parts.map(({ output }) => output);
    const sources = new Map(input.sources.map((window) => [window.sourceId, window]));
    const gaps = outputs.flatMap((output) => output.gaps);
    const followUps = outputs.flatMap((output) => output.followUps ?? []);
    return {
      ...mergeCrossChecks(input, outputs, sources),
      gaps: distinctBy(gaps, ({ question }) => sentenceKey(question)).slice(0, MAX_GAPS),
      followUps: distinctBy(followUps, sentenceKey).slice(0, MAX_FOLLOW_UPS),
    };
  },
};

const ANSWER_LISTS = ['agreements', 'conflicts', 'gaps', 'followUps'] as const;

function readAllFindings(input: CrossCheckInput, answer: unknown): ParseResult<CrossCheckOutput> {
  const reading = createCrossCheckContext(input);
  const { problems, warnings } = reading;
  if (ANSWER_LISTS.every((name) => !Array.isArray(fieldOf(answer, name)))) {
    const message = `the answer has none of the lists ${ANSWER_LISTS.map((name) => `"${name}"`).join(', ')}`;
    const warning = 'A part of a model’s answer was missing.';
    const lacking = { path: 'answer', message, code: 'answer-incomplete', warning };
    return { output: null, problems: [lacking], warnings: [], parts: 0 };
  }
  const found = readAgreements(reading, answer);
  const conflicts = readNamedConflicts(reading, answer);
  const output = {
    checks: findingChecks(reading, found, conflicts),
    conflicts,
    gaps: readGaps(reading, answer),
    followUps: readFollowUps(reading, answer),
  };
  return { output, problems: [], warnings: [...warnings, ...warningsOf(problems)], parts: 1 };
}

function readAgreements(reading: CrossCheckContext, answer: unknown): QuotesByFinding {
  const { input, sources, problems } = reading;
  const found = new Map<string, { supporting: Evidence[]; contradicting: Evidence[] }>();
  const checkOf = (id: string): { supporting: Evidence[]; contradicting: Evidence[] } => {
    const check = found.get(id) ?? { supporting: [], contradicting: [] };
    found.set(id, check);
    return check;
  };
  for (const finding of input.findings) if (needsChecking(finding, input)) checkOf(finding.id);
  for (const { item, path } of parseOptionalItems(answer, 'agreements', Agreement, problems)) {
    const together = item.findings.flatMap((written) => reading.findingOf(written, path) ?? []);
    for (const finding of together) {
      const own = new Set(finding.citations.map((id) => originalOf(id, sources)));
      for (const { evidence } of together)
        for (const one of evidence) {
          const original = originalOf(one.sourceId, sources);
          if (own.has(original)) continue;
          own.add(original);
          checkOf(finding.id).supporting.push(one);
        }
    }
  }
  return found;
}

function readNamedConflicts(reading: CrossCheckContext, answer: unknown): Conflict[] {
  const { input, problems, ids } = reading;
  const conflicts: Conflict[] = [];
  if (!input.detectConflicts) return conflicts;
  for (const { item, path } of parseOptionalItems(answer, 'conflicts', NamedConflict, problems)) {
    const sides = item.viewpoints.map((viewpoint) => {
      const named = new Set(viewpoint.sources.flatMap((written) => ids.idOf(written) ?? []));
      const findings = viewpoint.findings.flatMap((written) => reading.findingOf(written, path) ?? []);
      return { findings, evidence: quotesOf(findings, named) };
    });
    const conflict = buildConflict(reading, conflicts.length, {
      ...item,
      findings: sides.flatMap(({ findings }) => findings),
      viewpoints: sides.map(({ evidence }) => evidence),
    });
    if (conflict === null) reading.warnings.push(ONE_SIDED_CONFLICT);
    else conflicts.push(conflict);
  }
  return conflicts;
}

function quotesOf(findings: readonly Finding[], named: ReadonlySet<string>): Evidence[] {
  const quotes = findings.flatMap(({ evidence }) => evidence);
  const own = quotes.filter(({ sourceId }) => named.has(sourceId));
  return distinctBy(own.length === 0 ? quotes : own, ({ sourceId, start }) => `${sourceId}@${start}`);
}

function readGaps({ grounding, problems }: CrossCheckContext, answer: unknown): Gap[] {
  return parseOptionalItems(answer, 'gaps', GapItem, problems)
    .flatMap(({ item }): Gap[] => {
      const question = shortLine(item.question, MAX_LINE_CHARS);
      const reason = shortLine(item.reason, MAX_LINE_CHARS);
      if (question === '' || !isSafeQuestion(question, grounding)) return [];
      return [{ question, reason: reason !== '' && isGrounded(reason, grounding) ? reason : NOT_ANSWERED }];
    })
    .slice(0, MAX_GAPS);
}

function readFollowUps({ grounding, problems }: CrossCheckContext, answer: unknown): string[] {
  const questions = parseOptionalItems(answer, 'followUps', z.string(), problems)
    .map(({ item }) => shortLine(item, MAX_LINE_CHARS))
    .filter((question) => question.endsWith('?') && isSafeQuestion(question, grounding));
  return distinctBy(questions, sentenceKey).slice(0, MAX_FOLLOW_UPS);
}
