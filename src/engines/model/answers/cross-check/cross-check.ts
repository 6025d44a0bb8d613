import { MAX_OUTPUT_TOKENS } from '../../../../core/budget/call-estimates';
import type { CrossCheckInput, CrossCheckOutput, FindingCheck } from '../../../../steps/cross-check/contract';
import { findingShortIds, sourceShortIds, type ShortIds } from '../../../../steps/material/short-ids';
import { readItems, type Reading, optionalItems, type AnswerProblem } from '../reading';
import { smallerWindows } from '../smaller-windows';
import { halves, leftOf, type StepAnswer } from '../step-answer';
import { sentenceKey } from '../../../../core/duplicates/near-duplicate-sentences';
import { mergeCrossChecks } from '../../../../steps/cross-check/merge-cross-checks';
import type { Conflict, Gap, Evidence, Finding } from '../../../../contracts/report/finding';
import { corroboratedConfidence } from '../../../../core/evidence/corroborated-confidence';
import { needsChecking } from '../../../../core/evidence/needs-checking';
import { isAskable, type Grounding, isBorne, isHeld, createGrounding } from '../../grounding/grounding';
import { shortLine } from '../../grounding/plain-line';
import { locateEvidence, QuotedSource } from '../quoted-evidence';
import { originalOf } from '../../../../core/evidence/distinct-evidence';
import { z } from 'zod';
import { ConflictKind } from '../../../../contracts/report/finding';
import type { Warning } from '../../../../contracts/run/run';
import type { SourceWindow } from '../../../../contracts/source/passage';
import { createQuoteFinder, type QuoteFinder } from '../../quotes/locate-quote';

const MAX_LINE_CHARS = 300;

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
  gaps: z.array(z.object({ question: z.string(), reason: z.string() })),
});

const Quotes = z
  .array(QuotedSource)
  .nullish()
  .transform((list) => list ?? []);

const CheckItem = z.object({ finding: z.string(), supporting: Quotes, contradicting: Quotes });

const ConflictItem = z.object({
  topic: z.string(),
  kind: ConflictKind.catch('direction'),
  findings: z.array(z.string()).catch([]),
  viewpoints: z.array(z.object({ evidence: z.array(QuotedSource) })),
  resolution: z.string().catch('present_both'),
  reason: z.string().catch(''),
});

const GapItem = z.object({ question: z.string(), reason: z.string().catch('') });

const NO_REASON = 'The sources give no reason for the difference.';

const MAX_REASON_CHARS = 400;

export const crossCheckAnswer: StepAnswer<CrossCheckInput, CrossCheckOutput> = {
  schema: ChecksAnswer,
  lists: ['checks', 'conflicts', 'gaps'],
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
  merge: (input, parts) => mergeCheckedParts(input, parts),
};

interface Part {
  input: CrossCheckInput;
  output: CrossCheckOutput;
}

/**
 * One output from those of parts of a call. What every part misses is a gap; a part alone cannot know what the others
 * have.
 */
function mergeCheckedParts(input: CrossCheckInput, parts: readonly Part[]): CrossCheckOutput {
  const sources = new Map(input.sources.map((window) => [window.sourceId, window]));
  const outputs = parts.map(({ output }) => output);
  return { ...mergeCrossChecks(input, outputs, sources), gaps: sharedGaps(input, parts) };
}

function sharedGaps(input: CrossCheckInput, parts: readonly Part[]): CrossCheckOutput['gaps'] {
  const sameSources = parts.every((part) => part.input.sources.length === input.sources.length);
  const gaps = new Map<string, { gap: CrossCheckOutput['gaps'][number]; parts: number }>();
  for (const { output } of parts) {
    for (const gap of output.gaps) {
      const key = sentenceKey(gap.question);
      gaps.set(key, { gap, parts: (gaps.get(key)?.parts ?? 0) + 1 });
    }
  }
  return [...gaps.values()]
    .filter((found) => sameSources || found.parts === parts.length)
    .map(({ gap }) => gap);
}

function checksInAnswer(input: CrossCheckInput, answer: unknown): Reading<CrossCheckOutput> {
  const reading = openCheckReading(input);
  const { problems, warnings } = reading;
  const found = quotesOnFindings(reading, answer);
  const conflicts = conflictsInAnswer(reading, answer, found);
  const gaps = gapsInAnswer(reading, answer);
  const checks = findingChecks(reading, found, conflicts);
  const nothingValid = found.size === 0 && conflicts.length === 0 && problems.length > 0;
  return {
    output: nothingValid && input.findings.length > 0 ? null : { checks, conflicts, gaps },
    problems,
    warnings,
    parts: found.size + conflicts.length,
  };
}

function findingChecks(
  { input, sources }: CheckReading,
  found: QuotesOnFindings,
  conflicts: readonly Conflict[],
): FindingCheck[] {
  return input.findings.map((finding): FindingCheck => {
    const { supporting, contradicting } = found.get(finding.id) ?? { supporting: [], contradicting: [] };
    const conflicting =
      contradicting.length > 0 || conflicts.some((conflict) => conflict.findingIds.includes(finding.id));
    const confidence =
      found.has(finding.id) || conflicting
        ? corroboratedConfidence(finding, [...finding.evidence, ...supporting], { sources, conflicting })
        : finding.confidence;
    const unanswered = needsChecking(finding, input) && !found.has(finding.id) && !conflicting;
    const check = { findingId: finding.id, supporting, contradicting, confidence };
    return unanswered ? { ...check, unanswered } : check;
  });
}

const NOT_ANSWERED = 'No source that was read answers it.';

function gapsInAnswer(reading: CheckReading, answer: unknown): Gap[] {
  const { input, grounding, problems } = reading;
  return optionalItems(answer, 'gaps', GapItem, problems).flatMap(({ item }): Gap[] => {
    const question = shortLine(item.question, MAX_LINE_CHARS);
    const reason = shortLine(item.reason, MAX_LINE_CHARS) || NOT_ANSWERED;
    if (question === '' || !isAskable(question, grounding)) return [];
    return [
      { question, reason: isAskable(reason, grounding) ? reason : NOT_ANSWERED, sectionId: input.section.id },
    ];
  });
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
  const told = input.detectConflicts ? optionalItems(answer, 'conflicts', ConflictItem, problems) : [];
  for (const { item, path } of told) {
    const findings = item.findings.flatMap((written) => reading.findingOf(written, path) ?? []);
    const viewpoints = item.viewpoints.map(({ evidence }, at) =>
      locateEvidence(evidence, { ...reading, path: `${path}.viewpoints.${at}.evidence` }),
    );
    const conflict = conflictOf(reading, conflicts.length, { ...item, findings, viewpoints });
    if (conflict === null) {
      problems.push({
        path,
        message: 'it needs a topic, and two viewpoints of different sources, each with a quote',
        code: 'conflict-invalid',
        warning: 'A conflict without two sides that sources hold was dropped.',
      });
    } else conflicts.push(conflict);
  }
  return conflicts;
}

/** A conflict between sources that hold different views; null where there are no two of them. */
function conflictOf(
  { input: { section }, grounding }: Pick<CheckReading, 'input' | 'grounding'>,
  index: number,
  given: {
    topic: string;
    kind: Conflict['kind'];
    findings: readonly Finding[];
    viewpoints: readonly Evidence[][];
    resolution: string;
    reason: string;
  },
): Conflict | null {
  const taken = new Set<string>();
  const held = given.viewpoints.map((evidence) => {
    const own = evidence.filter(({ sourceId }) => !taken.has(sourceId));
    for (const { sourceId } of own) taken.add(sourceId);
    return own;
  });
  const viewpoints = held.flatMap((evidence) => {
    const [first] = evidence;
    if (first === undefined) return [];
    const citations = [...new Set(evidence.map(({ sourceId }) => sourceId))];
    return [{ statement: first.quote.replace(/\s+/g, ' '), citations, evidence }];
  });
  const topic = shortLine(given.topic, MAX_LINE_CHARS / 2);
  if (viewpoints.length < 2 || topic === '' || !isBorne(topic, grounding)) return null;
  const favoured = /^favou?r_viewpoint_?([1-9])$/.exec(given.resolution)?.[1];
  const stands =
    favoured !== undefined && held.length === viewpoints.length && Number(favoured) <= viewpoints.length;
  return {
    id: `conflict-${section.id}-${index + 1}`,
    topic: isHeld(topic, grounding) ? topic : statedTopic(viewpoints[0]?.statement ?? topic),
    kind: given.kind,
    viewpoints,
    resolution: stands ? `favor_viewpoint_${favoured}` : 'present_both',
    ...reasonOf(shortLine(given.reason, MAX_REASON_CHARS), grounding),
    findingIds: [...new Set(given.findings.map(({ id }) => id))],
  };
}

/**
 * The model's own reason, as an inference where it has words that no source has. One that brings in a number or a name, or that
 * obeys a source, is none.
 */
function reasonOf(reason: string, grounding: Grounding): Pick<Conflict, 'reason' | 'isInferred'> {
  if (reason === '' || !isBorne(reason, grounding)) return { reason: NO_REASON };
  return isHeld(reason, grounding) ? { reason } : { reason, isInferred: true };
}

function statedTopic(statement: string): string {
  return shortLine(statement, MAX_LINE_CHARS / 2).replace(/\.$/, '');
}

/** The quotes of further sources on each finding that was checked, by the finding's id. */
type QuotesOnFindings = ReadonlyMap<string, { supporting: Evidence[]; contradicting: Evidence[] }>;

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

interface CheckReading {
  input: CrossCheckInput;
  grounding: Grounding;
  finder: QuoteFinder;
  ids: ShortIds;
  sources: ReadonlyMap<string, SourceWindow>;
  problems: AnswerProblem[];
  warnings: Warning[];
  /** The finding that a model names; a name of none becomes a problem. */
  findingOf(written: string, path: string): Finding | undefined;
}

function openCheckReading(input: CrossCheckInput): CheckReading {
  const problems: AnswerProblem[] = [];
  const findingIds = findingShortIds(input.findings);
  const byId = new Map(input.findings.map((finding) => [finding.id, finding]));
  return {
    input,
    grounding: groundingOf(input),
    finder: createQuoteFinder(input.sources),
    ids: sourceShortIds(input.sources),
    sources: new Map(input.sources.map((window) => [window.sourceId, window])),
    problems,
    warnings: [],
    findingOf(written, path) {
      const finding = byId.get(findingIds.idOf(written) ?? '');
      if (finding === undefined) {
        problems.push({
          path,
          message: `"${written}" is not one of the findings`,
          code: 'unknown-finding',
          warning: 'A check of a finding that does not exist was dropped.',
        });
      }
      return finding;
    },
  };
}

function groundingOf({ question, section, findings, sources }: CrossCheckInput): Grounding {
  return createGrounding([
    question,
    section.title,
    section.description,
    ...section.subsections,
    ...findings.map(({ claim }) => claim),
    ...sources.flatMap(({ title, author, site, publishedAt, passages }) => [
      [title, author, site, publishedAt].join('\n'),
      ...passages.map(({ text }) => text),
    ]),
  ]);
}
