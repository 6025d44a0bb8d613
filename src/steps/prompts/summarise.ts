import type { Passage } from '../../core/contracts/passage';
import { MAX_SUMMARY_CHARS } from '../../core/contracts/source';
import { sourceShortIds } from '../short-ids';
import type { SummariseInput } from '../summarise';
import type { StepTemplate } from '../template';
import { MATERIAL_RULES, materialBlock, passagesText, promptLine, quotedData } from './material';

/** A summary needs how a text begins and how it ends: what it is about, and what came of it. */
const OPENING_CHARS = 9_000;
const CLOSING_CHARS = 3_000;

export const summariseTemplate: StepTemplate = {
  system: `You prepare sources for a research report. You say what each source itself says, precisely and briefly.
${MATERIAL_RULES}`,
  user: `The report is to answer: {{question}}

{{sources}}

Summarise each of these {{count}} sources in at most {{maxChars}} characters of plain text, in complete sentences.
- What the source found or asserts comes first, with its exact numbers, units, dates and names; then what that rests on: who or what it is about, and how it was found out.
- Give the time at which something held wherever it may change ("as of 2024").
- Keep doubts, limits and results against expectation. Add no opinion, no introduction, no padding.

Answer with one JSON object: {"summaries": [{"source": "S…", "summary": "…"}]}, one entry for each source.`,
};

export function summariseVariables(input: SummariseInput, mark: string): Record<string, string> {
  const ids = sourceShortIds(input.sources);
  return {
    mark,
    question: promptLine(input.question),
    sources: input.sources
      .map(({ sourceId, title, passages }) =>
        materialBlock(
          mark,
          ids.shortOf(sourceId),
          `${quotedData(title)}\n\n${passagesText(openingAndClosing(passages))}`,
        ),
      )
      .join('\n\n'),
    count: `${input.sources.length}`,
    maxChars: `${MAX_SUMMARY_CHARS - 100}`,
  };
}

function openingAndClosing(passages: readonly Passage[]): Pick<Passage, 'text' | 'headings'>[] {
  const opening = within(passages, OPENING_CHARS);
  const closing = within(passages.slice(opening.length).reverse(), CLOSING_CHARS).reverse();
  if (opening.length > 0) return [...opening, ...closing];
  return passages.slice(0, 1).map(({ text, headings }) => ({ text: text.slice(0, OPENING_CHARS), headings }));
}

function within(passages: readonly Passage[], chars: number): Passage[] {
  let left = chars;
  const end = passages.findIndex(({ text }) => (left -= text.length) < 0);
  return passages.slice(0, end < 0 ? passages.length : end);
}
