import { z } from 'zod';
import { type Evidence, SectionFindings } from '../contracts/finding';
import { SourceWindow, WordCounts } from '../contracts/source';
import {
  numberedSections,
  promptLine,
  READER_SYSTEM,
  SectionScope,
  sectionText,
  sourceShortIds,
  sourcesPrefix,
} from './material';
import type { Step, StepProblem, StepTemplate } from './step';

export const ExtractFindingsInput = z.object({
  question: z.string(),
  section: SectionScope,
  /** Further sections that read the same sources in the same call. */
  alsoFor: z.array(SectionScope).optional(),
  /** Most relevant first, or in catalogue order. */
  sources: z.array(SourceWindow),
  findings: z.object({ min: z.int().positive(), max: z.int().positive() }),
  /** Rarity of the question's words in all sources. */
  counts: WordCounts.optional(),
});
export type ExtractFindingsInput = z.infer<typeof ExtractFindingsInput>;

export const ExtractFindingsOutput = SectionFindings.pick({ sectionId: true, findings: true, leftOut: true });
export type ExtractFindingsOutput = z.infer<typeof ExtractFindingsOutput>;

export function requestedSections({
  section,
  alsoFor = [],
}: Pick<ExtractFindingsInput, 'section' | 'alsoFor'>): SectionScope[] {
  return [section, ...alsoFor];
}

const extractFindingsTemplate: StepTemplate = {
  system: READER_SYSTEM,
  user: `{{sources}}

You read sources for one section of a research report, or for several, and write down what they found. Each finding will be checked, word for word, against the passage that you quote.

The report is to answer: {{question}}

{{sections}}

Extract {{min}} to {{max}} findings that belong to {{belonging}} and help to answer the question; fewer where the sources have no more, and none that only fills space.
- A finding is a result or a statement: not an aim, a method, a hypothesis, or advice to readers unless the question asks for it. It may be what the source says that others found: "attributedTo" then names the study or author as the source does; it is empty where the result is the source's own.
- "about" names in a few words the component, group, place or case that the result was found for, as the source does: a result for one is none for another.
- "claim" says it in one sentence that can be understood alone: who or what, under which conditions, how much, with the exact numbers, units, dates and names of the source. For what changes with time, say when it held ("as of 2024").
- "evidence" has a quote for each source that says so, or two where what the claim says stands in two places: copied character by character from that source, one or two whole sentences, nothing left out and nothing added. A source without a quote does not count.
- Put sources that say the same under one claim; findings that several sources support come first. Sources that say the opposite get a finding of their own, whose claim says that they disagree.
- "confidence": 0.9 to 1 where several authoritative sources agree; 0.7 to 0.9 for one authoritative source, or several general ones; 0.5 to 0.7 for one general source or indirect evidence; below 0.5 for weak or speculative evidence.

Answer with one JSON object:
{{form}}`,
};

const FINDING_FORM =
  '"claim": "…", "about": "…", "attributedTo": "…", "evidence": [{"source": "S…", "quote": "…"}], "confidence": <0 to 1>';

export const extractFindings: Step<ExtractFindingsInput, ExtractFindingsOutput, 'extract-findings'> = {
  name: 'extract-findings',
  version: '7',
  role: 'strong',
  input: ExtractFindingsInput,
  output: ExtractFindingsOutput,
  template: extractFindingsTemplate,
  variables: extractFindingsVariables,
  check(input, output): StepProblem[] {
    const problems: StepProblem[] = [];
    const ids = new Set<string>();
    const sections = new Set(requestedSections(input).map(({ id }) => id));
    for (const finding of output.findings) {
      const path = `findings.${finding.id}`;
      if (ids.has(finding.id)) problems.push({ path, message: 'the id is used twice' });
      ids.add(finding.id);
      if (!sections.has(finding.sectionId))
        problems.push({ path, message: `it belongs to section ${finding.sectionId}` });
      const quoted = new Set(finding.evidence.map((evidence) => evidence.sourceId));
      for (const id of finding.citations.filter((citation) => !quoted.has(citation))) {
        problems.push({ path, message: `source ${id} is cited without a quote` });
      }
      problems.push(...evidenceProblems(path, finding.evidence, input.sources));
    }
    return problems;
  },
};

function extractFindingsVariables(input: ExtractFindingsInput, mark: string): Record<string, string> {
  const ids = sourceShortIds(input.sources);
  const sections = requestedSections(input);
  const isOne = sections.length === 1;
  return {
    mark,
    question: promptLine(input.question),
    sections: isOne ? sectionText(input.section) : numberedSections(sections),
    belonging: isOne
      ? 'this section'
      : 'one of these sections each, and to the one that it says most about ("section" is its number)',
    sources: sourcesPrefix(mark, input.sources, ids),
    form: `{"findings": [{${isOne ? '' : '"section": <its number>, '}${FINDING_FORM}}]}`,
    min: `${input.findings.min}`,
    max: `${input.findings.max}`,
  };
}

/** Problems of quotes that do not match the given passages. */
export function evidenceProblems(
  path: string,
  evidence: readonly Evidence[],
  windows: readonly SourceWindow[],
): StepProblem[] {
  const bySource = new Map(windows.map((window) => [window.sourceId, window]));
  return evidence.flatMap((item, index): StepProblem[] => {
    const itemPath = `${path}.evidence.${index}`;
    const window = bySource.get(item.sourceId);
    if (window === undefined) return [{ path: itemPath, message: `source ${item.sourceId} was not given` }];
    const passage = window.passages.find(
      (candidate) => candidate.start <= item.start && item.end <= candidate.end,
    );
    const found = passage?.text.slice(item.start - passage.start, item.end - passage.start);
    return found === item.quote
      ? []
      : [
          {
            path: itemPath,
            message: `the quote is not at ${item.start}–${item.end} of source ${item.sourceId}`,
          },
        ];
  });
}
