import { z } from 'zod';
import { countDistinctEvidence } from '../../../core/evidence/distinct-evidence';
import { MAX_OUTPUT_TOKENS } from '../../../core/budget/call-estimates';
import type { Evidence, Finding } from '../../../contracts/report/finding';
import type { SourceWindow } from '../../../contracts/source/passage';
import type { ExtractFindingsInput, ExtractFindingsOutput } from '../../../steps/extract-findings/contract';
import { sectionsOf } from '../../../steps/extract-findings/extract-findings-sections';
import { sourceShortIds } from '../../../steps/material/short-ids';
import { assertsNothing } from '../grounding/asserts-nothing';
import { echoProblem, type Echoes } from '../grounding/echoes';
import { createGrounding, isEnglish } from '../grounding/grounding';
import { createOrderedWords, type OrderedWords } from '../grounding/ordered-words';
import { shortLine } from '../grounding/plain-line';
import { createQuoteFinder } from '../quotes/locate-quote';
import { locateEvidence, QuotedSource } from './quoted-evidence';
import { type AnswerProblem, readItems, type Reading, Share } from './reading';
import { smallerWindows } from './smaller-windows';
import type { StepAnswer } from './step-answer';

const MAX_CLAIM_CHARS = 600;
/** Of a claim's content words so many stand in what it quotes and in its sources' titles; a paraphrase keeps most. */
const LEAST_SHARED = 0.3;

const AnsweredFinding = z.object({
  claim: z.string(),
  evidence: z.array(QuotedSource),
  confidence: z.number(),
});
const Answer = z.object({ findings: z.array(AnsweredFinding) });
const SectionsAnswer = z.object({
  findings: z.array(z.object({ section: z.int(), ...AnsweredFinding.shape })),
});

const Item = z.object({
  section: z.coerce.number().optional().catch(undefined),
  claim: z.string(),
  evidence: z.union([z.array(QuotedSource), QuotedSource.transform((one) => [one])]),
  // A model that does not say how sure it is leaves it to what the evidence allows.
  confidence: Share.catch(1),
});

export const extractFindingsAnswer: StepAnswer<ExtractFindingsInput, ExtractFindingsOutput> = {
  schema: Answer,
  temperature: 0,
  maxOutputTokens: () => MAX_OUTPUT_TOKENS.extractFindings,
  toOutput: findingsOf,
  smaller(input, reason) {
    const parts = smallerWindows(input.sources, reason);
    const { min, max } = input.findings;
    const findings = { min: Math.ceil(min / 2), max: Math.ceil(max / 2) };
    return parts.map((sources) => ({ ...input, sources, findings }));
  },
  isEmpty: ({ findings }) => findings.length === 0,
  merge(input, parts) {
    const findings = parts.flatMap(({ output }) => output.findings);
    const distinct = new Map(findings.map((finding) => [evidenceKey(finding), finding]));
    return {
      sectionId: input.section.id,
      findings: [...distinct.values()]
        .slice(0, input.findings.max)
        .map((finding, index) => ({ ...finding, id: findingId(finding.sectionId, index) })),
    };
  },
};

/** The same where several sections are asked about: each finding names its own. */
export const extractForSectionsAnswer: StepAnswer<ExtractFindingsInput, ExtractFindingsOutput> = {
  ...extractFindingsAnswer,
  schema: SectionsAnswer,
};

function findingsOf(
  input: ExtractFindingsInput,
  answer: unknown,
  echoes: Echoes,
): Reading<ExtractFindingsOutput> {
  const problems: AnswerProblem[] = [];
  const warnings: Reading<ExtractFindingsOutput>['warnings'] = [];
  const ids = sourceShortIds(input.sources);
  const finder = createQuoteFinder(input.sources);
  const windows = new Map(input.sources.map((window) => [window.sourceId, window]));
  const items = readItems(answer, 'findings', Item, problems);
  const ordered = createOrderedWords([
    ...askedOf(input),
    ...input.sources.flatMap(({ title, passages }) => [title, ...passages.map(({ text }) => text)]),
  ]);
  const sections = sectionsOf(input);
  const findings: Finding[] = [];
  const seen = new Set<string>();
  for (const { item, path } of items) {
    const located = locateEvidence(item.evidence, {
      finder,
      ids,
      path: `${path}.evidence`,
      problems,
      warnings,
    });
    // One quote a source, the first; it is the one that the claim words.
    const evidence = located.filter(
      (one, at) => located.findIndex((other) => other.sourceId === one.sourceId) === at,
    );
    const claim = shortLine(item.claim, MAX_CLAIM_CHARS);
    const titles = [input.section.title, ...input.sources.map(({ title }) => title)];
    if (echoes.isEcho(claim, titles)) {
      problems.push(echoProblem(path, 'its claim'));
      continue;
    }
    const problem = claimProblem(claim, evidence, windows, input, ordered);
    if (problem !== null) {
      problems.push({ path, ...problem });
      continue;
    }
    const section = sections.length === 1 ? sections[0] : sections[(item.section ?? 0) - 1];
    if (section === undefined) {
      problems.push({
        path,
        message: `its "section" is not a number from 1 to ${sections.length}`,
        code: 'item-invalid',
        warning: 'An item of a model’s answer did not keep its schema and was dropped.',
      });
      continue;
    }
    const finding: Finding = {
      id: findingId(section.id, findings.length),
      sectionId: section.id,
      claim,
      citations: evidence.map(({ sourceId }) => sourceId),
      evidence,
      confidence: allowedConfidence(item.confidence, evidence, windows),
    };
    if (seen.has(evidenceKey(finding))) continue;
    seen.add(evidenceKey(finding));
    findings.push(finding);
  }
  if (items.length === 0 && problems.length === 0 && input.sources.length > 0) {
    problems.push({
      path: 'findings',
      message: 'there is no finding; look again whether a source has a result that belongs to the section',
      code: 'no-findings',
      warning: 'No finding came of a section’s sources.',
    });
  }
  const nothingValid = findings.length === 0 && problems.some(({ code }) => code !== 'no-findings');
  return {
    output: nothingValid
      ? null
      : { sectionId: input.section.id, findings: findings.slice(0, input.findings.max) },
    problems,
    warnings,
    parts: findings.length,
  };
}

function askedOf(input: ExtractFindingsInput): string[] {
  const told = sectionsOf(input).flatMap(({ title, description, subsections }) => [
    title,
    description,
    ...subsections,
  ]);
  return [input.question, ...told];
}

function findingId(sectionId: string, index: number): string {
  return `${sectionId}-finding-${index + 1}`;
}

/** Findings that rest on the same words are the same. */
function evidenceKey({ evidence }: Finding): string {
  return evidence.map(({ sourceId, start, end }) => `${sourceId}@${start}-${end}`).join(' ');
}

function claimProblem(
  claim: string,
  evidence: readonly Evidence[],
  windows: ReadonlyMap<string, SourceWindow>,
  input: ExtractFindingsInput,
  ordered: OrderedWords,
): Omit<AnswerProblem, 'path'> | null {
  if (evidence.length === 0) {
    return {
      message: 'no quote of it was found in the sources',
      code: 'finding-without-evidence',
      warning: 'A finding without evidence in the sources was dropped.',
    };
  }
  if (claim === '' || assertsNothing(claim)) {
    return {
      message: 'its claim states nothing',
      code: 'item-invalid',
      warning: 'An item of a model’s answer did not keep its schema and was dropped.',
    };
  }
  const cited = evidence.flatMap(({ sourceId }) => windows.get(sourceId) ?? []);
  const described = cited.map(({ title, author, site, publishedAt }) =>
    [title, author, site, publishedAt].join('\n'),
  );
  const asked = askedOf(input);
  const read = cited.flatMap((window) => window.passages.map((passage) => passage.text));
  const strangers = createGrounding([...read, ...described, ...asked], ordered).strangers(claim);
  if (strangers.length > 0) {
    return {
      message: `its claim has ${strangers.join(', ')}, which is not in the sources that it quotes`,
      code: 'claim-beyond-evidence',
      warning: 'A claim that says more than its sources was dropped.',
    };
  }
  const quotes = evidence.map(({ quote }) => quote);
  const shared = createGrounding([...quotes, ...cited.map(({ title }) => title)]).share(claim);
  if (isEnglish(claim) && isEnglish(quotes.join(' ')) && shared < LEAST_SHARED) {
    return {
      message: 'its claim is not what its quotes say',
      code: 'claim-beyond-evidence',
      warning: 'A claim that says more than its sources was dropped.',
    };
  }
  return null;
}

/** The model's confidence, no higher than the bands of document 002 allow for what it quotes, and no lower than the weakest. */
function allowedConfidence(
  given: number,
  evidence: readonly Evidence[],
  windows: ReadonlyMap<string, SourceWindow>,
): number {
  const authoritative = evidence.filter(
    ({ sourceId }) => windows.get(sourceId)?.quality.level === 'authoritative',
  );
  const distinct = countDistinctEvidence(evidence, windows);
  const highest =
    countDistinctEvidence(authoritative, windows) >= 2
      ? 0.98
      : authoritative.length > 0 || distinct >= 2
        ? 0.89
        : 0.69;
  return Math.round(100 * Math.min(given, highest)) / 100;
}
