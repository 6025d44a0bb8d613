import { z } from 'zod';
import { corroboratedConfidence } from '../../../core/evidence/corroborated-confidence';
import { evidenceRoot } from '../../../core/evidence/distinct-evidence';
import { MAX_OUTPUT_TOKENS } from '../../../core/budget/call-estimates';
import {
  type Conflict,
  ConflictKind,
  type Evidence,
  type Finding,
  type Gap,
} from '../../../contracts/report/finding';
import { needsChecking } from '../../../core/evidence/needs-checking';
import type { CrossCheckInput, CrossCheckOutput, FindingCheck } from '../../../steps/cross-check/contract';
import { findingShortIds, sourceShortIds } from '../../../steps/material/short-ids';
import { echoProblem, type Echoes } from '../grounding/echoes';
import { createGrounding, type Grounding, isAskable, isBorne, isHeld } from '../grounding/grounding';
import { shortLine } from '../grounding/plain-line';
import { createQuoteFinder } from '../quotes/locate-quote';
import { mergeCrossChecks } from './merge-cross-checks';
import { locateEvidence, QuotedSource } from './quoted-evidence';
import { type AnswerProblem, fieldOf, readItems, type Reading } from './reading';
import { smallerWindows } from './smaller-windows';
import { halves, leftOf, type StepAnswer } from './step-answer';

const MAX_LINE_CHARS = 300;
const NOT_ANSWERED = 'No source that was read answers it.';

const Answer = z.object({
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

export const crossCheckAnswer: StepAnswer<CrossCheckInput, CrossCheckOutput> = {
  schema: Answer,
  temperature: 0,
  maxOutputTokens: () => MAX_OUTPUT_TOKENS.crossCheck,
  toOutput: checksOf,
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
  merge: (input, parts) => mergeCrossChecks(input, parts),
};

function checksOf(input: CrossCheckInput, answer: unknown, echoes: Echoes): Reading<CrossCheckOutput> {
  const problems: AnswerProblem[] = [];
  const warnings: Reading<CrossCheckOutput>['warnings'] = [];
  const ids = findingShortIds(input.findings);
  const context = {
    finder: createQuoteFinder(input.sources),
    ids: sourceShortIds(input.sources),
    problems,
    warnings,
  };
  const grounding = groundingOf(input);
  const found = new Map<string, { supporting: Evidence[]; contradicting: Evidence[] }>();
  const sources = new Map(input.sources.map((window) => [window.sourceId, window]));
  const byId = new Map(input.findings.map((finding) => [finding.id, finding]));
  const findingOf = (written: string, path: string): Finding | undefined => {
    const finding = byId.get(ids.idOf(written) ?? '');
    if (finding === undefined) {
      problems.push({
        path,
        message: `"${written}" is not one of the findings`,
        code: 'unknown-finding',
        warning: 'A check of a finding that does not exist was dropped.',
      });
    }
    return finding;
  };

  for (const { item, path } of readItems(answer, 'checks', CheckItem, problems)) {
    const finding = findingOf(item.finding, path);
    if (finding === undefined || !needsChecking(finding, input)) continue;
    const own = new Set(finding.citations.map((id) => evidenceRoot(id, sources)));
    const further = (evidence: Evidence[]): Evidence[] =>
      evidence.filter(({ sourceId }) => !own.has(evidenceRoot(sourceId, sources)));
    const supporting = further(locateEvidence(item.supporting, { ...context, path: `${path}.supporting` }));
    const contradicting = locateEvidence(item.contradicting, { ...context, path: `${path}.contradicting` });
    found.set(finding.id, {
      supporting,
      contradicting: input.detectConflicts ? further(contradicting) : [],
    });
  }

  const conflicts: Conflict[] = [];
  const claimed = input.detectConflicts ? optionalItems(answer, 'conflicts', ConflictItem, problems) : [];
  for (const { item, path } of claimed) {
    const findings = item.findings.flatMap((written) => findingOf(written, path) ?? []);
    const viewpoints = item.viewpoints.map(({ evidence }, at) =>
      locateEvidence(evidence, { ...context, path: `${path}.viewpoints.${at}.evidence` }),
    );
    if (echoes.isEcho(shortLine(item.topic, MAX_LINE_CHARS))) {
      problems.push(echoProblem(path, 'its topic'));
      continue;
    }
    const reason = echoes.isEcho(shortLine(item.reason, MAX_LINE_CHARS)) ? '' : item.reason;
    if (reason !== item.reason) problems.push(echoProblem(path, 'its reason'));
    const given = { ...item, reason, findings, viewpoints };
    const conflict = conflictOf(input, grounding, conflicts.length, given);
    if (conflict === null) {
      problems.push({
        path,
        message: 'it needs a topic, and two viewpoints of different sources, each with a quote',
        code: 'conflict-invalid',
        warning: 'A conflict without two sides that sources hold was dropped.',
      });
    } else conflicts.push(conflict);
  }
  // A contradiction that is told of a finding, and not among the conflicts, is a conflict all the same.
  for (const finding of input.findings) {
    const [against] = found.get(finding.id)?.contradicting ?? [];
    const [own] = finding.evidence;
    if (against === undefined || own === undefined) continue;
    if (conflicts.some((conflict) => conflict.findingIds.includes(finding.id))) continue;
    const conflict = conflictOf(input, grounding, conflicts.length, {
      topic: statedTopic(own.quote),
      kind: /\d/.test(own.quote) && /\d/.test(against.quote) ? 'number' : 'direction',
      findings: [finding],
      viewpoints: [[own], [against]],
      resolution: 'present_both',
      reason: '',
    });
    if (conflict !== null) conflicts.push(conflict);
  }

  const gaps = optionalItems(answer, 'gaps', GapItem, problems).flatMap(({ item, path }): Gap[] => {
    if ([item.question, item.reason].some((text) => echoes.isEcho(shortLine(text, MAX_LINE_CHARS)))) {
      problems.push(echoProblem(path, 'it'));
      return [];
    }
    const question = shortLine(item.question, MAX_LINE_CHARS);
    const reason = shortLine(item.reason, MAX_LINE_CHARS) || NOT_ANSWERED;
    if (question === '' || !isAskable(question, grounding)) return [];
    return [
      { question, reason: isHeld(reason, grounding) ? reason : NOT_ANSWERED, sectionId: input.section.id },
    ];
  });

  const checks = input.findings.map((finding): FindingCheck => {
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
  const nothingValid = found.size === 0 && conflicts.length === 0 && problems.length > 0;
  return {
    output: nothingValid && input.findings.length > 0 ? null : { checks, conflicts, gaps },
    problems,
    warnings,
    parts: found.size + conflicts.length,
  };
}

/** As `readItems`, for a list that may be left out. */
function optionalItems<Item>(
  answer: unknown,
  key: string,
  schema: z.ZodType<Item>,
  problems: AnswerProblem[],
): { item: Item; path: string }[] {
  const value = fieldOf(answer, key);
  return value === undefined || value === null ? [] : readItems({ [key]: value }, key, schema, problems);
}

/** A conflict between sources that hold different views; null where there are no two of them. */
function conflictOf(
  { section }: CrossCheckInput,
  grounding: Grounding,
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
  const reason = shortLine(given.reason, MAX_LINE_CHARS);
  const favoured = /^favou?r_viewpoint_?([1-9])$/.exec(given.resolution)?.[1];
  const stands =
    favoured !== undefined && held.length === viewpoints.length && Number(favoured) <= viewpoints.length;
  return {
    id: `conflict-${section.id}-${index + 1}`,
    topic: isHeld(topic, grounding) ? topic : statedTopic(viewpoints[0]?.statement ?? topic),
    kind: given.kind,
    viewpoints,
    resolution: stands ? `favor_viewpoint_${favoured}` : 'present_both',
    reason:
      reason !== '' && isHeld(reason, grounding) ? reason : 'The sources give no reason for the difference.',
    findingIds: [...new Set(given.findings.map(({ id }) => id))],
  };
}

/** What one side says stands for a topic that says more than the sources. */
function statedTopic(statement: string): string {
  return shortLine(statement, MAX_LINE_CHARS / 2).replace(/\.$/, '');
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
