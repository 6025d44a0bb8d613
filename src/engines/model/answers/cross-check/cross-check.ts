import { z } from 'zod';
import { MAX_OUTPUT_TOKENS } from '../../../../core/budget/call-estimates';
import { ConflictKind, type Conflict, type Evidence } from '../../../../contracts/report/finding';
import { originalOf } from '../../../../core/evidence/distinct-evidence';
import { needsChecking } from '../../../../core/evidence/needs-checking';
import type { CrossCheckInput, CrossCheckOutput } from '../../../../steps/cross-check/contract';
import { mergeCrossChecks } from '../../../../steps/cross-check/merge-cross-checks';
import { findingShortIds } from '../../../../steps/material/short-ids';
import { locateEvidence, QuotedSource } from '../quoted-evidence';
import { optionalItems, readItems, type Reading } from '../reading';
import { smallerWindows } from '../smaller-windows';
import { halves, leftOf, type StepAnswer } from '../step-answer';
import { onAllFindings } from './all-findings';
import {
  ConflictItem,
  conflictOf,
  ONE_SIDED,
  findingChecks,
  openCheckReading,
  statedTopic,
  type CheckReading,
  type QuotesOnFindings,
} from './check-reading';

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

export function crossCheckAnswer({ areAll }: CrossCheckInput): StepAnswer<CrossCheckInput, CrossCheckOutput> {
  return areAll === true ? onAllFindings : onSources;
}

/** Findings held against sources that are shown. */
const onSources: StepAnswer<CrossCheckInput, CrossCheckOutput> = {
  schema: ChecksAnswer,
  lists: ['checks', 'conflicts'],
  dropsFaulty: true,
  temperature: 0,
  maxOutputTokens: () => MAX_OUTPUT_TOKENS.crossCheck,
  toOutput: checksInAnswer,
  smaller(input, reason) {
    // How long the answer is depends on the findings; how long the question is, on the sources.
    const findings = reason === 'cut-off' ? halves(input.findings) : null;
    if (findings !== null) return findings.map((half) => ({ ...input, findings: half }));
    return smallerWindows(input.sources, reason).map((sources) => ({ ...input, sources }));
  },
  whatIsLeft(input, answer) {
    const ids = findingShortIds(input.findings);
    // The last check may lack some of its quotes.
    const done = readItems(answer, 'checks', CheckItem, []).slice(0, -1);
    const findings = leftOf(
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

function checksInAnswer(input: CrossCheckInput, answer: unknown): Reading<CrossCheckOutput> {
  const reading = openCheckReading(input);
  const { problems, warnings } = reading;
  const found = quotesOnFindings(reading, answer);
  const conflicts = conflictsInAnswer(reading, answer, found);
  const checks = findingChecks(reading, found, conflicts);
  const nothingValid = found.size === 0 && conflicts.length === 0 && problems.length > 0;
  return {
    output: nothingValid && input.findings.length > 0 ? null : { checks, conflicts, gaps: [] },
    problems,
    warnings,
    parts: found.size + conflicts.length,
  };
}

function conflictsInAnswer(reading: CheckReading, answer: unknown, found: QuotesOnFindings): Conflict[] {
  const conflicts = toldConflicts(reading, answer);
  // A contradiction that is told of a finding, and not among the conflicts, is a conflict all the same.
  for (const finding of reading.input.findings) {
    const [against] = found.get(finding.id)?.contradicting ?? [];
    const [own] = finding.evidence;
    if (against === undefined || own === undefined) continue;
    if (conflicts.some((conflict) => conflict.findingIds.includes(finding.id))) continue;
    const conflict = conflictOf(reading, conflicts.length, {
      topic: statedTopic(own.quote),
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

function toldConflicts(reading: CheckReading, answer: unknown): Conflict[] {
  const { input, problems } = reading;
  const conflicts: Conflict[] = [];
  const told = input.detectConflicts ? optionalItems(answer, 'conflicts', QuotedConflict, problems) : [];
  for (const { item, path } of told) {
    const findings = item.findings.flatMap((written) => reading.findingOf(written, path) ?? []);
    const viewpoints = item.viewpoints.map(({ evidence }, at) =>
      locateEvidence(evidence, { ...reading, path: `${path}.viewpoints.${at}.evidence` }),
    );
    const conflict = conflictOf(reading, conflicts.length, { ...item, findings, viewpoints });
    if (conflict === null) {
      reading.warnings.push(ONE_SIDED);
    } else conflicts.push(conflict);
  }
  return conflicts;
}

function quotesOnFindings(reading: CheckReading, answer: unknown): QuotesOnFindings {
  const { input, sources } = reading;
  const found = new Map<string, { supporting: Evidence[]; contradicting: Evidence[] }>();
  for (const { item, path } of readItems(answer, 'checks', CheckItem, reading.problems)) {
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
