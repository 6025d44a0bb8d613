interface BlockSentence {
  text: string;
  isClaim: boolean;
}

export interface Settled<Sentence extends BlockSentence> {
  sentences: Sentence[];
  mark: string | null;
}

export interface TextBlock<Sentence extends BlockSentence> {
  markdown: string;
  sentences: Sentence[];
  /** False for a heading. */
  hadSentences: boolean;
  marks: string[];
}

export function blocksOf<Sentence extends BlockSentence>(
  markdown: string,
  written: readonly Sentence[],
  settled: readonly Settled<Sentence>[],
): TextBlock<Sentence>[] {
  let at = 0;
  return markdown.split('\n\n').map((block): TextBlock<Sentence> => {
    let rest = block;
    let text = '';
    let hadSentences = false;
    const sentences: Sentence[] = [];
    const marks: string[] = [];
    for (let sentence = written[at]; sentence !== undefined; sentence = written[at]) {
      const place = rest.indexOf(sentence.text);
      if (place < 0) break;
      const { sentences: now, mark } = settled[at] ?? { sentences: [], mark: null };
      hadSentences = true;
      text +=
        rest.slice(0, place) + [...now.map((one) => one.text), ...(mark === null ? [] : [mark])].join(' ');
      sentences.push(...now);
      if (mark !== null) marks.push(mark);
      rest = rest.slice(place + sentence.text.length);
      at += 1;
    }
    return { markdown: text + rest, sentences, hadSentences, marks };
  });
}

/** The text without what says nothing any more: empty items and paragraphs, sentences that connect nothing, headings with nothing under them. */
export function withoutEmptyBlocks<Sentence extends BlockSentence>(
  blocks: readonly TextBlock<Sentence>[],
): {
  markdown: string;
  sentences: Sentence[];
} {
  const standing = blocks
    .map((block) =>
      saysNothing(block) ? { ...block, markdown: block.marks.join(' '), sentences: [] } : block,
    )
    .map((block) => ({ ...block, markdown: tidied(block.markdown) }))
    .filter(({ markdown }) => markdown !== '');
  const kept = standing.filter(
    ({ hadSentences }, at) => hadSentences || standing[at + 1]?.hadSentences === true,
  );
  const sentences = kept.flatMap((block) => block.sentences);
  return {
    markdown: kept.map(({ markdown }) => markdown).join('\n\n'),
    sentences,
  };
}

function saysNothing({ hadSentences, sentences }: TextBlock<BlockSentence>): boolean {
  return hadSentences && !sentences.some(({ isClaim }) => isClaim);
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
