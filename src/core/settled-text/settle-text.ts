import type { CheckedText, SectionDraft, WrittenSentence } from '../../contracts/report/draft';
import { withoutEmptyBlocks, type TextBlock } from './text-blocks';

/** What a critic confirmed of a sentence. */
export interface Confirmation {
  /** The findings whose evidence holds its quote, or says a part of the sentence in nearly its words. */
  findingIds: string[];
  /** The sources that this evidence is of. */
  sourceIds: string[];
}

/** How a text's sentences are worded once it is known whether they stand. */
export interface Wording {
  /** A confirmed sentence with the citations that bear it and with its own confidence. */
  confirmed(sentence: WrittenSentence, confirmation: Confirmation): string;
  /** A finding in its own words, with its citations; null where there is no such finding. */
  ownWords(findingId: string): string | null;
}

/** A text with its sentences. */
export interface WrittenText {
  markdown: string;
  checked: CheckedText;
}

/**
 * The text in which nothing is left undecided: what was confirmed stands, what was not is replaced by its finding's own
 * words, once for each finding, and left out where a finding is told already. `confirmations` has what was confirmed, by the
 * sentence's place. Pure; a text that is settled comes back as it is.
 */
export function settleText(
  { markdown, checked }: WrittenText,
  confirmations: ReadonlyMap<number, Confirmation>,
  wording: Wording,
): WrittenText {
  if (checked.sentences.every(({ standing }) => standing !== 'undecided')) return { markdown, checked };
  const told = new Set(
    checked.sentences.flatMap(({ standing, isClaim, findingIds }, at) => {
      if (!isClaim) return [];
      return standing === 'undecided' ? (confirmations.get(at)?.findingIds ?? []) : findingIds;
    }),
  );
  let leftOut = checked.leftOut;
  const settled = checked.sentences.map((sentence, at): WrittenSentence | null => {
    if (sentence.standing !== 'undecided') return sentence;
    const confirmation = confirmations.get(at);
    if (confirmation !== undefined) {
      const findingIds = sentence.isClaim ? confirmation.findingIds : sentence.findingIds;
      const text = sentence.isClaim ? wording.confirmed(sentence, confirmation) : sentence.text;
      return { ...sentence, text, findingIds, standing: 'confirmed' };
    }
    const [findingId] = sentence.isClaim ? sentence.findingIds : [];
    const words = findingId === undefined || told.has(findingId) ? null : wording.ownWords(findingId);
    if (findingId === undefined || words === null) {
      leftOut += 1;
      return null;
    }
    told.add(findingId);
    return { text: words, plain: words, findingIds: [findingId], isClaim: true, standing: 'own-words' };
  });
  const blocks = withoutEmptyBlocks(blocksOf(markdown, checked.sentences, settled));
  leftOut += blocks.dropped;
  return {
    markdown: blocks.markdown,
    checked: { sentences: blocks.sentences, leftOut },
  };
}

/** A section's draft from its settled text. */
export function draftOf({ markdown, checked }: WrittenText): SectionDraft {
  return {
    markdown,
    claims: checked.sentences
      .filter(({ isClaim }) => isClaim)
      .map(({ text, findingIds, standing }) => ({ text, findingIds, standing })),
    checked,
  };
}

/** The text's blocks with the sentences of each as they are now. */
function blocksOf(
  markdown: string,
  written: readonly WrittenSentence[],
  settled: readonly (WrittenSentence | null)[],
): TextBlock[] {
  let at = 0;
  return markdown.split('\n\n').map((block): TextBlock => {
    let rest = block;
    let text = '';
    let hadSentences = false;
    const sentences: WrittenSentence[] = [];
    for (let sentence = written[at]; sentence !== undefined; sentence = written[at]) {
      const place = rest.indexOf(sentence.text);
      if (place < 0) break;
      const now = settled[at] ?? null;
      hadSentences = true;
      text += rest.slice(0, place) + (now?.text ?? '');
      if (now !== null) sentences.push(now);
      rest = rest.slice(place + sentence.text.length);
      at += 1;
    }
    return { markdown: text + rest, sentences, hadSentences };
  });
}
