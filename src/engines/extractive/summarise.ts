import type { Passage } from '../../contracts/source/passage';
import { MAX_SUMMARY_CHARS } from '../../contracts/source/source';
import { indexSources } from '../../reading/collection/collection';
import { readQuestion, type Question } from '../../reading/question/question';
import { rankSentences } from '../../reading/rank-sentences';
import { readIndexed } from '../../reading/features/features';
import { sentencesOfPassages } from '../../reading/collection/read-source';
import type { SummariseInput, SummariseOutput } from '../../steps/summarise/contract';

/** So many sentences of a source are looked at closely; a summary holds six or so. */
const LOOKED_AT = 20;

export function summariseExtractively({ question, sources }: SummariseInput): SummariseOutput {
  const asked = readQuestion(question);
  return {
    summaries: sources.map(({ sourceId, title, passages }) => ({
      sourceId,
      summary: summaryOf(title, passages, asked),
    })),
  };
}

function summaryOf(title: string, passages: readonly Passage[], question: Question): string {
  const sentences = sentencesOfPassages(passages).map(({ text }) => text);
  const collection = indexSources([{ id: '', title, sentences }]);
  const ranked = rankSentences(readIndexed(question, collection), { most: LOOKED_AT, within: 'source' });
  // What is not looked at closely follows in its order: a source that says little to the question is told by its opening.
  const order = [...new Set([...ranked.map(({ sentence }) => sentence), ...sentences.keys()])];
  const chosen: number[] = [];
  let left = MAX_SUMMARY_CHARS;
  for (const at of order) {
    const length = (sentences[at]?.length ?? 0) + 1;
    if (length > left + 1) continue;
    chosen.push(at);
    left -= length;
  }
  const text = chosen
    .sort((a, b) => a - b)
    .map((at) => sentences[at]?.replace(/\s+/g, ' '))
    .join(' ');
  return text === '' ? opening(passages, title) : text;
}

/** Whatever text there is, cut at a word. */
function opening(passages: readonly Passage[], title: string): string {
  const text = passages.map((passage) => passage.text).join(' ') || title;
  const folded = text.replace(/\s+/g, ' ').trim();
  if (folded === '') return title;
  if (folded.length <= MAX_SUMMARY_CHARS) return folded;
  const cut = folded.slice(0, MAX_SUMMARY_CHARS - 1);
  const space = cut.lastIndexOf(' ');
  return `${(space > MAX_SUMMARY_CHARS / 2 ? cut.slice(0, space) : cut).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
