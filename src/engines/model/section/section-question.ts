import { MAX_OUTPUT_TOKENS } from '../../../core/budget/call-estimates';
import { groupBySubsection } from '../../../core/writing/subsections';
import type { WriteSectionInput } from '../../../steps/write-section/contract';

/** Tokens to a word of a text with citations. */
const TOKENS_A_WORD = 2.5;
const LEAST_OUTPUT_TOKENS = 800;

/** Under their subsections, so that a part of them is a part of the section. */
export function inReadingOrder({
  section,
  findings,
  sources,
}: WriteSectionInput): WriteSectionInput['findings'] {
  const titles = new Map(sources.map((source) => [source.sourceId, source]));
  return groupBySubsection(section.subsections, findings, titles).flatMap((group) => group.findings);
}

/** The input for some of its findings, with the conflicts that they stand in. */
export function partOf(input: WriteSectionInput, findings: WriteSectionInput['findings']): WriteSectionInput {
  const ids = new Set(findings.map(({ id }) => id));
  const share = findings.length / Math.max(1, input.findings.length);
  return {
    ...input,
    findings,
    conflicts: input.conflicts.filter(({ findingIds }) => findingIds.some((id) => ids.has(id))),
    targetWords: Math.max(1, Math.round(input.targetWords * share)),
  };
}

export function outputTokensOf({ targetWords }: WriteSectionInput): number {
  const wanted = Math.max(LEAST_OUTPUT_TOKENS, Math.ceil(targetWords * TOKENS_A_WORD));
  return Math.min(MAX_OUTPUT_TOKENS.writeSection, wanted);
}

/** What the section is to be about, in its own words. */
export function aboutOf({ section }: WriteSectionInput): string[] {
  return [section.title, section.description, ...section.subsections.map(({ title }) => title)];
}
