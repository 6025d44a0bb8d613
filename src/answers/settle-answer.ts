import { writingTexts } from '../texts/writing';
import type { AnswerDraft, AnswerSentence } from '../contracts/answer/answer-draft';
import type { SetAsideClaim } from '../contracts/verification/critique';
import { citedIds } from '../core/text/citation-marks';
import { stands } from '../core/settled-text/stands';

/**
 * The audited draft without the claims that are neither supported nor follow: they are taken out of the text and set aside. A
 * claim that was refused for its wording alone stands. Pure; what is settled comes back as it is.
 */
export function settleAnswer(draft: AnswerDraft): AnswerDraft {
  const setAside: SetAsideClaim[] = [...draft.setAside];
  const standing = draft.sentences.map((sentence): AnswerSentence | null => {
    const { verdict, severity, plain, text, passageIds: sourceIds } = sentence;
    if (verdict === undefined || severity === 'wording') return sentence;
    if (stands(verdict)) return confirmed(sentence);
    setAside.push({ ...verdict, text: plain === '' ? text : plain, sourceIds, action: 'left-out' });
    return null;
  });
  const { markdown, sentences } = withoutEmptyBlocks(blocksOf(draft, standing));
  // An opening sentence cites nothing, and stands only above sentences that do.
  const isCited = sentences.some(({ text }) => citedIds(text).length > 0);
  if (isCited) return { ...draft, markdown, sentences, setAside };
  const uncited = [...draft.uncited, ...sentences.map(({ plain }) => plain)];
  return { ...draft, markdown: '', sentences: [], uncited, setAside };
}

/** What follows from its passages says so, once. */
function confirmed(sentence: AnswerSentence): AnswerSentence {
  const { text, verdict } = sentence;
  const isMarked = text.includes(`(${writingTexts.inference})`);
  return verdict?.verdict === 'inference' && citedIds(text).length > 0 && !isMarked
    ? { ...sentence, text: withRemark(text, writingTexts.inference) }
    : sentence;
}

/** Before the full stop: `… by 12 % [@a] (inference).` */
function withRemark(sentence: string, remark: string): string {
  const stop = /[.!?]?$/.exec(sentence)?.[0] ?? '';
  return `${sentence.slice(0, sentence.length - stop.length)} (${remark})${stop || '.'}`;
}

interface TextBlock {
  markdown: string;
  sentences: AnswerSentence[];
  /** False for a heading. */
  hadSentences: boolean;
}

/** The blocks of a draft with the sentences that stand in the place of those that were written; null for one that does not. */
function blocksOf(
  { markdown, sentences: written }: AnswerDraft,
  standing: readonly (AnswerSentence | null)[],
): TextBlock[] {
  let at = 0;
  return markdown.split('\n\n').map((block): TextBlock => {
    let rest = block;
    let text = '';
    let hadSentences = false;
    const sentences: AnswerSentence[] = [];
    for (let sentence = written[at]; sentence !== undefined; sentence = written[at]) {
      const place = rest.indexOf(sentence.text);
      if (place < 0) break;
      const stood = standing[at] ?? null;
      hadSentences = true;
      text += rest.slice(0, place) + (stood?.text ?? '');
      if (stood !== null) sentences.push(stood);
      rest = rest.slice(place + sentence.text.length);
      at += 1;
    }
    return { markdown: text + rest, sentences, hadSentences };
  });
}

/** The text without what says nothing any more: empty items and paragraphs, sentences that connect nothing, headings with nothing under them. */
function withoutEmptyBlocks(blocks: readonly TextBlock[]): Pick<AnswerDraft, 'markdown' | 'sentences'> {
  const filled = blocks
    .filter(({ hadSentences, sentences }) => !hadSentences || sentences.some(({ isClaim }) => isClaim))
    .map((block) => ({ ...block, markdown: tidied(block.markdown) }))
    .filter(({ markdown }) => markdown !== '');
  const kept = filled.filter(({ hadSentences }, at) => hadSentences || filled[at + 1]?.hadSentences === true);
  return {
    markdown: kept.map(({ markdown }) => markdown).join('\n\n'),
    sentences: kept.flatMap(({ sentences }) => sentences),
  };
}

function tidied(block: string): string {
  return block
    .split('\n')
    .map((line) =>
      line
        .replace(/(?<=\S) {2,}/g, ' ')
        .replace(/(?<=^- ) +/, '')
        .trim(),
    )
    .filter((line) => !/^-?$/.test(line))
    .join('\n');
}
