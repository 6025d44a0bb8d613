import { z } from 'zod';
import { MAX_OUTPUT_TOKENS } from '../../contracts/budget';
import type { Evidence, Finding, LeftOutFinding } from '../../contracts/finding';
import type { Warning } from '../../contracts/run';
import type { SourceWindow } from '../../contracts/source';
import { boundConfidence } from '../../evidence/corroboration';
import { createQuoteFinder } from '../../evidence/locate-quote';
import {
  type ExtractFindingsInput,
  type ExtractFindingsOutput,
  requestedSections,
} from '../../steps/extract-findings';
import { sourceShortIds } from '../../steps/material';
import { sentenceKey } from '../../text/duplicates';
import { isEnglish } from '../../text/words';
import {
  createGrounding,
  createInjectedWords,
  type Grounding,
  type InjectedWords,
  isGrounded,
  lacksAssertion,
  shortLine,
} from './grounding';
import {
  type AnswerFormat,
  type AnswerProblem,
  parseItems,
  type ParseResult,
  Share,
  splitWindows,
} from './model-step';
import { locateEvidence, QuotedSource } from './quoted-evidence';

const AnsweredFinding = z.object({
  claim: z.string(),
  about: z.string(),
  attributedTo: z.string(),
  evidence: z.array(QuotedSource),
  confidence: z.number(),
});

const FindingsAnswer = z.object({ findings: z.array(AnsweredFinding) });

const SectionsFindingsAnswer = z.object({
  findings: z.array(z.object({ section: z.int(), ...AnsweredFinding.shape })),
});

const AnsweredItem = z.object({
  section: z.coerce.number().optional().catch(undefined),
  claim: z.string(),
  about: z.string().catch(''),
  attributedTo: z.string().catch(''),
  evidence: z.union([z.array(QuotedSource), QuotedSource.transform((one) => [one])]),
  // Without a value, the evidence alone limits the confidence.
  confidence: Share.catch(1),
});
type AnsweredItem = z.infer<typeof AnsweredItem>;

const MAX_QUOTES_PER_SOURCE = 2;

const MAX_CLAIM_CHARS = 600;
const MAX_NAME_CHARS = 160;

/** Least share of a claim's content words in its quotes and its sources' titles. Paraphrases keep most words. */
const MIN_SHARED_WORDS = 0.3;

export function extractFindingsAnswer(
  input: ExtractFindingsInput,
): AnswerFormat<ExtractFindingsInput, ExtractFindingsOutput> {
  return requestedSections(input).length > 1 ? severalSectionsAnswer : oneSectionAnswer;
}

const oneSectionAnswer: AnswerFormat<ExtractFindingsInput, ExtractFindingsOutput> = {
  schema: FindingsAnswer,
  lists: ['findings'],
  dropsFaulty: true,
  temperature: 0,
  maxOutputTokens: () => MAX_OUTPUT_TOKENS.extractFindings,
  toOutput: readFindings,
  smaller(input, reason) {
    const parts = splitWindows(input.sources, reason);
    const { min, max } = input.findings;
    const findings = { min: Math.ceil(min / 2), max: Math.ceil(max / 2) };
    return parts.map((sources) => ({ ...input, sources, findings }));
  },
  isEmpty: ({ findings }) => findings.length === 0,
  merge: (input, parts) =>
    finalizeFindings(
      input,
      parts.flatMap(({ output }) => output.findings),
      parts.flatMap(({ output }) => output.leftOut ?? []),
    ),
};

const severalSectionsAnswer: AnswerFormat<ExtractFindingsInput, ExtractFindingsOutput> = {
  ...oneSectionAnswer,
  schema: SectionsFindingsAnswer,
};

function readFindings(input: ExtractFindingsInput, answer: unknown): ParseResult<ExtractFindingsOutput> {
  const problems: AnswerProblem[] = [];
  const warnings: ParseResult<ExtractFindingsOutput>['warnings'] = [];
  const items = parseItems(answer, 'findings', AnsweredItem, problems);
  const read = createFindingReader(input, { problems, warnings });
  const findings: Finding[] = [];
  const leftOut: LeftOutFinding[] = [];
  for (const { item, path } of items) {
    const one = read(item, path, findings.length);
    if ('finding' in one) findings.push(one.finding);
    else leftOut.push(one.leftOut);
  }
  if (items.length === 0 && problems.length === 0 && input.sources.length > 0) {
    problems.push({
      path: 'findings',
      message: 'there is no finding; look again whether a source has a result that belongs to the section',
      code: 'no-findings',
      warning: 'No finding came of a section’s sources.',
    });
  }
  const output = finalizeFindings(input, findings, leftOut);
  const nothingValid = findings.length === 0 && problems.some(({ code }) => code !== 'no-findings');
  return {
    output: nothingValid ? null : output,
    problems,
    warnings,
    parts: output.findings.length,
  };
}

function finalizeFindings(
  { section, findings: { max } }: Pick<ExtractFindingsInput, 'section' | 'findings'>,
  findings: readonly Finding[],
  leftOut: readonly LeftOutFinding[],
): ExtractFindingsOutput {
  const kept = new Map<string, Finding>();
  const without: LeftOutFinding[] = [...leftOut];
  for (const finding of findings) {
    const { sectionId, claim, citations } = finding;
    const key = findingKey(finding);
    if (kept.has(key))
      without.push({ sectionId, claim, citations, reason: 'the same finding stands there already' });
    else if (kept.size === max)
      without.push({ sectionId, claim, citations, reason: `more than ${max} findings were given` });
    else kept.set(key, { ...finding, id: findingId(sectionId, kept.size) });
  }
  return {
    sectionId: section.id,
    findings: [...kept.values()],
    ...(without.length === 0 ? {} : { leftOut: without }),
  };
}

type FindingOutcome = { finding: Finding } | { leftOut: LeftOutFinding };

function createFindingReader(
  input: ExtractFindingsInput,
  told: { problems: AnswerProblem[]; warnings: Warning[] },
): (item: AnsweredItem, path: string, index: number) => FindingOutcome {
  const { problems, warnings } = told;
  const ids = sourceShortIds(input.sources);
  const finder = createQuoteFinder(input.sources);
  const windows = new Map(input.sources.map((window) => [window.sourceId, window]));
  const asked = promptWords(input);
  const ordered = createInjectedWords([
    ...asked,
    ...input.sources.flatMap(({ title, passages }) => [title, ...passages.map(({ text }) => text)]),
  ]);
  const sections = requestedSections(input);

  return (item, path, index) => {
    const located = locateEvidence(item.evidence, {
      finder,
      ids,
      path: `${path}.evidence`,
      problems,
      warnings,
    });
    // A claim may have 2 quotes in one source.
    const evidence = located.filter(
      (one, at) =>
        located.filter((other, before) => before < at && other.sourceId === one.sourceId).length <
        MAX_QUOTES_PER_SOURCE,
    );
    const claim = shortLine(item.claim, MAX_CLAIM_CHARS);
    const citations = [...new Set(evidence.map(({ sourceId }) => sourceId))];
    const section = sections.length === 1 ? sections[0] : sections[(item.section ?? 0) - 1];
    const refused = (problem: AnswerProblem): FindingOutcome => {
      problems.push(problem);
      const sectionId = (section ?? input.section).id;
      // An unsupported claim may follow a source's instruction, so its text is not shown.
      return { leftOut: { sectionId, citations, reason: problem.warning } };
    };
    const grounding = groundingOf(evidence, windows, { asked, ordered });
    const problem = claimProblem(claim, evidence, windows, grounding);
    if (problem !== null) return refused({ path, ...problem });
    if (section === undefined) {
      return refused({
        path,
        message: `its "section" is not a number from 1 to ${sections.length}`,
        code: 'no-section',
        warning: 'A finding that names none of the sections was dropped.',
      });
    }
    const confidence = boundConfidence(item.confidence, evidence, windows);
    return {
      finding: {
        id: findingId(section.id, index),
        sectionId: section.id,
        claim,
        citations,
        evidence,
        confidence,
        ...groundedName('about', item.about, grounding),
        ...groundedName('attributedTo', item.attributedTo, grounding),
      },
    };
  };
}

function groundedName<Key extends 'about' | 'attributedTo'>(
  key: Key,
  written: string,
  grounding: Grounding,
): Partial<Record<Key, string>> {
  const name = shortLine(written, MAX_NAME_CHARS);
  if (!/[\p{L}\p{N}]/u.test(name) || !isGrounded(name, grounding)) return {};
  return { [key]: name } as Record<Key, string>;
}

function groundingOf(
  evidence: readonly Evidence[],
  windows: ReadonlyMap<string, SourceWindow>,
  { asked, ordered }: { asked: readonly string[]; ordered: InjectedWords },
): Grounding {
  const cited = evidence.flatMap(({ sourceId }) => windows.get(sourceId) ?? []);
  const described = cited.map(({ title, author, site, publishedAt }) =>
    [title, author, site, publishedAt].join('\n'),
  );
  const read = cited.flatMap((window) => window.passages.map((passage) => passage.text));
  return createGrounding([...read, ...described, ...asked], ordered);
}

/** The prompt's own words count as grounded in a claim. */
function promptWords(input: ExtractFindingsInput): string[] {
  const told = requestedSections(input).flatMap(({ title, description, subsections }) => [
    title,
    description,
    ...subsections,
  ]);
  return [input.question, ...told];
}

function claimProblem(
  claim: string,
  evidence: readonly Evidence[],
  windows: ReadonlyMap<string, SourceWindow>,
  grounding: Grounding,
): Omit<AnswerProblem, 'path'> | null {
  if (evidence.length === 0) {
    return {
      message: 'no quote of it was found in the sources',
      code: 'finding-without-evidence',
      warning: 'A finding without evidence in the sources was dropped.',
    };
  }
  if (claim === '' || lacksAssertion(claim)) {
    return {
      message: 'its claim states nothing',
      code: 'item-invalid',
      warning: 'An item of a model’s answer did not keep its schema and was dropped.',
    };
  }
  const strangers = grounding.strangers(claim);
  if (strangers.length > 0) {
    return {
      message: `its claim has ${strangers.join(', ')}, which is not in the sources that it quotes`,
      code: 'claim-beyond-evidence',
      warning: 'A claim that says more than its sources was dropped.',
    };
  }
  const quotes = evidence.map(({ quote }) => quote);
  const titles = evidence.flatMap(({ sourceId }) => windows.get(sourceId)?.title ?? []);
  const shared = createGrounding([...quotes, ...titles]).share(claim);
  if (isEnglish(claim) && isEnglish(quotes.join(' ')) && shared < MIN_SHARED_WORDS) {
    return {
      message: 'its claim is not what its quotes say',
      code: 'claim-beyond-evidence',
      warning: 'A claim that says more than its sources was dropped.',
    };
  }
  return null;
}

function findingId(sectionId: string, index: number): string {
  return `${sectionId}-finding-${index + 1}`;
}

/** Equal claims on equal quotes are one finding. One sentence may support several claims. */
function findingKey({ claim, evidence }: Finding): string {
  const places = evidence.map(({ sourceId, start, end }) => `${sourceId}@${start}-${end}`);
  return [sentenceKey(claim), ...places].join(' ');
}
