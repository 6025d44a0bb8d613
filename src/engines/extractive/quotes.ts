import type { Passage } from '../../contracts/source';
import { findNumbers } from '../../evidence/claim-tokens';
import { clip } from '../../report/attribution';
import type { CompressInput, CompressOutput } from '../../steps/summarise';
import { indexSources, sentencesOfSource, type SourceSentence } from '../../text/collection';
import { readIndexed } from '../../text/features';
import { type Question, readQuestion } from '../../text/question';
import { rankSentences } from '../../text/ranking';
import { dependsOnPrevious } from '../../text/sentences';

const MAX_QUOTE_SENTENCES = 3;
const MAX_QUOTE_CHARS = 700;

export interface Quote {
  start: number;
  end: number;
  text: string;
}

/** Returns the sentence with up to 2 preceding ones that it refers to. Null if there is no such sentence or passage. */
export function quoteOf(
  sentences: readonly SourceSentence[],
  at: number,
  passages: readonly Pick<Passage, 'start' | 'text'>[],
): Quote | null {
  const sentence = sentences[at];
  const passage = passages[sentence?.passage ?? -1];
  if (sentence === undefined || passage === undefined) return null;
  let first = sentence;
  for (let before = at - 1; at - before < MAX_QUOTE_SENTENCES && dependsOnPrevious(first.text); before -= 1) {
    const previous = sentences[before];
    if (previous?.passage !== sentence.passage || sentence.end - previous.start > MAX_QUOTE_CHARS) break;
    first = previous;
  }
  const text = passage.text.slice(first.start - passage.start, sentence.end - passage.start);
  return { start: first.start, end: sentence.end, text };
}

/** Keeps the sentences that say most about the question and hold most of the passage's numbers. */
export function compressExtractively({ question, passages, maxChars }: CompressInput): CompressOutput {
  const asked = readQuestion(question);
  return {
    summaries: passages.map(({ id, text }) => ({ id, text: shortenPassage(text, asked, maxChars - 1) })),
  };
}

function shortenPassage(text: string, question: Question, most: number): string {
  const folded = text.replace(/\s+/g, ' ').trim();
  if (folded.length <= most) return folded === '' ? text.slice(0, most) : folded;
  const sentences = sentencesOfSource(text);
  const collection = indexSources([{ id: '', title: '', sentences: sentences.map((one) => one.text) }]);
  const ranked = rankSentences(readIndexed(question, collection), { within: 'source' });
  const chosen = selectSentences(
    ranked.flatMap(({ sentence }) => sentences[sentence] ?? []),
    most,
  );
  if (chosen.length > 0) return joinSentences(chosen, sentences);
  const best = sentences[ranked[0]?.sentence ?? 0]?.text.replace(/\s+/g, ' ') ?? folded;
  return clip(best, most - 1);
}

/** The best sentence, then repeatedly the one with the most new numbers; on a tie the better one. */
function selectSentences(ranked: readonly SourceSentence[], most: number): SourceSentence[] {
  const chosen: SourceSentence[] = [];
  const held = new Set<string>();
  let left = most;
  for (;;) {
    const fitting = ranked.filter(
      (one) =>
        !chosen.includes(one) &&
        one.text.length + GAP.length <= left + (chosen.length === 0 ? GAP.length : 0),
    );
    const isFirst = chosen.length === 0;
    const fresh = (one: SourceSentence): number =>
      isFirst ? 0 : numbersOf(one.text).filter((number) => !held.has(number)).length;
    const next = fitting.reduce<SourceSentence | undefined>(
      (best, one) => (best === undefined || fresh(one) > fresh(best) ? one : best),
      undefined,
    );
    if (next === undefined) return chosen;
    chosen.push(next);
    left -= next.text.length + (isFirst ? 0 : GAP.length);
    for (const number of numbersOf(next.text)) held.add(number);
  }
}

const GAP = ' … ';

function joinSentences(chosen: readonly SourceSentence[], all: readonly SourceSentence[]): string {
  return [...chosen]
    .sort((a, b) => a.start - b.start)
    .reduce((text, one, at, sorted) => {
      const before = sorted[at - 1];
      const isNext = before !== undefined && all.indexOf(one) === all.indexOf(before) + 1;
      const folded = one.text.replace(/\s+/g, ' ');
      return at === 0 ? folded : `${text}${isNext ? ' ' : GAP}${folded}`;
    }, '');
}

function numbersOf(text: string): string[] {
  return [...new Set(findNumbers(text).map(({ number: { value, unit } }) => `${value} ${unit}`))];
}
