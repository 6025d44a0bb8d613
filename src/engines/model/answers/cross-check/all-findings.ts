import { z } from 'zod';
import { MAX_OUTPUT_TOKENS } from '../../../../core/budget/call-estimates';
import {
  ConflictKind,
  type Conflict,
  type Evidence,
  type Finding,
  type Gap,
} from '../../../../contracts/report/finding';
import { originalOf } from '../../../../core/evidence/distinct-evidence';
import { needsChecking } from '../../../../core/evidence/needs-checking';
import { sentenceKey } from '../../../../core/duplicates/near-duplicate-sentences';
import { distinctBy } from '../../../../core/values/distinct-by';
import type { CrossCheckInput, CrossCheckOutput } from '../../../../steps/cross-check/contract';
import { mergeCrossChecks } from '../../../../steps/cross-check/merge-cross-checks';
import { isBorne, isOpenQuestion } from '../../grounding/grounding';
import { shortLine } from '../../grounding/plain-line';
import { fieldOf, optionalItems, warningsOf, type Reading } from '../reading';
import { halves, type StepAnswer } from '../step-answer';
import {
  ConflictItem,
  conflictOf,
  findingChecks,
  MAX_LINE_CHARS,
  ONE_SIDED,
  openCheckReading,
  type CheckReading,
  type QuotesOnFindings,
} from './check-reading';

const MOST_GAPS = 6;
const MOST_FOLLOW_UPS = 5;
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

/** All findings of a report held against each other, by their numbers. What is wrong in an answer is dropped by itself. */
export const onAllFindings: StepAnswer<CrossCheckInput, CrossCheckOutput> = {
  schema: FindingsAnswer,
  temperature: 0,
  maxOutputTokens: () => MAX_OUTPUT_TOKENS.crossCheck,
  toOutput: findingsTogether,
  smaller: (input) => (halves(input.findings) ?? []).map((findings) => ({ ...input, findings })),
  merge: (input, parts) => {
    const outputs = parts.map(({ output }) => output);
    const sources = new Map(input.sources.map((window) => [window.sourceId, window]));
    const gaps = outputs.flatMap((output) => output.gaps);
    const followUps = outputs.flatMap((output) => output.followUps ?? []);
    return {
      ...mergeCrossChecks(input, outputs, sources),
      gaps: distinctBy(gaps, ({ question }) => sentenceKey(question)).slice(0, MOST_GAPS),
      followUps: distinctBy(followUps, sentenceKey).slice(0, MOST_FOLLOW_UPS),
    };
  },
};

const LISTS = ['agreements', 'conflicts', 'gaps', 'followUps'] as const;

function findingsTogether(input: CrossCheckInput, answer: unknown): Reading<CrossCheckOutput> {
  const reading = openCheckReading(input);
  const { problems, warnings } = reading;
  if (LISTS.every((name) => !Array.isArray(fieldOf(answer, name)))) {
    const message = `the answer has none of the lists ${LISTS.map((name) => `"${name}"`).join(', ')}`;
    const warning = 'A part of a model’s answer was missing.';
    const lacking = { path: 'answer', message, code: 'answer-incomplete', warning };
    return { output: null, problems: [lacking], warnings: [], parts: 0 };
  }
  const found = agreementsInAnswer(reading, answer);
  const conflicts = conflictsInAnswer(reading, answer);
  const output = {
    checks: findingChecks(reading, found, conflicts),
    conflicts,
    gaps: gapsInAnswer(reading, answer),
    followUps: followUpsInAnswer(reading, answer),
  };
  return { output, problems: [], warnings: [...warnings, ...warningsOf(problems)], parts: 1 };
}

/** For each finding what those that agree with it quote of other sources. */
function agreementsInAnswer(reading: CheckReading, answer: unknown): QuotesOnFindings {
  const { input, sources, problems } = reading;
  const found = new Map<string, { supporting: Evidence[]; contradicting: Evidence[] }>();
  const checkOf = (id: string): { supporting: Evidence[]; contradicting: Evidence[] } => {
    const check = found.get(id) ?? { supporting: [], contradicting: [] };
    found.set(id, check);
    return check;
  };
  for (const finding of input.findings) if (needsChecking(finding, input)) checkOf(finding.id);
  for (const { item, path } of optionalItems(answer, 'agreements', Agreement, problems)) {
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

function conflictsInAnswer(reading: CheckReading, answer: unknown): Conflict[] {
  const { input, problems, ids } = reading;
  const conflicts: Conflict[] = [];
  if (!input.detectConflicts) return conflicts;
  for (const { item, path } of optionalItems(answer, 'conflicts', NamedConflict, problems)) {
    const sides = item.viewpoints.map((viewpoint) => {
      const named = new Set(viewpoint.sources.flatMap((written) => ids.idOf(written) ?? []));
      const findings = viewpoint.findings.flatMap((written) => reading.findingOf(written, path) ?? []);
      return { findings, evidence: quotesOf(findings, named) };
    });
    const conflict = conflictOf(reading, conflicts.length, {
      ...item,
      findings: sides.flatMap(({ findings }) => findings),
      viewpoints: sides.map(({ evidence }) => evidence),
    });
    if (conflict === null) reading.warnings.push(ONE_SIDED);
    else conflicts.push(conflict);
  }
  return conflicts;
}

/** What the findings quote of the named sources; of all where none is named. */
function quotesOf(findings: readonly Finding[], named: ReadonlySet<string>): Evidence[] {
  const quotes = findings.flatMap(({ evidence }) => evidence);
  const own = quotes.filter(({ sourceId }) => named.has(sourceId));
  return distinctBy(own.length === 0 ? quotes : own, ({ sourceId, start }) => `${sourceId}@${start}`);
}

function gapsInAnswer({ grounding, problems }: CheckReading, answer: unknown): Gap[] {
  return optionalItems(answer, 'gaps', GapItem, problems)
    .flatMap(({ item }): Gap[] => {
      const question = shortLine(item.question, MAX_LINE_CHARS);
      const reason = shortLine(item.reason, MAX_LINE_CHARS);
      if (question === '' || !isOpenQuestion(question, grounding)) return [];
      return [{ question, reason: reason !== '' && isBorne(reason, grounding) ? reason : NOT_ANSWERED }];
    })
    .slice(0, MOST_GAPS);
}

function followUpsInAnswer({ grounding, problems }: CheckReading, answer: unknown): string[] {
  const questions = optionalItems(answer, 'followUps', z.string(), problems)
    .map(({ item }) => shortLine(item, MAX_LINE_CHARS))
    .filter((question) => question.endsWith('?') && isOpenQuestion(question, grounding));
  return distinctBy(questions, sentenceKey).slice(0, MOST_FOLLOW_UPS);
}
