import type { Warning } from '../../../../contracts/run/run';
import type { Finding } from '../../../../contracts/report/finding';
import type { SourceWindow } from '../../../../contracts/source/passage';
import type { CrossCheckInput } from '../../../../steps/cross-check/contract';
import { findingShortIds, sourceShortIds, type ShortIds } from '../../../../steps/material/short-ids';
import { createGrounding, type Grounding } from '../../grounding/grounding';
import { createQuoteFinder, type QuoteFinder } from '../../quotes/locate-quote';
import type { AnswerProblem } from '../reading';

export const MAX_LINE_CHARS = 300;

export interface CheckReading {
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

export function openCheckReading(input: CrossCheckInput): CheckReading {
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
