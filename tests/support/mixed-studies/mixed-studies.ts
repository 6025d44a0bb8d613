import type { SourceRecord } from '../../../src/contracts/source/source';
import { splitSentences } from '../../../src/language/sentences';
import { randomFrom } from '../random';

/** A study as it is drawn from. */
export interface GivenStudy {
  title: string;
  content: string;
}

/** A document is drawn from so many studies at least, and so many at most. */
const STUDIES = { least: 3, most: 8 };
/** So many sentences that follow each other in their study stand together. */
const RUN = { least: 3, most: 12 };
const FIRST_YEAR = 1995;
const YEARS = 25;

/**
 * Documents of sentences that are drawn from several studies each, as long as the studies are, one at a time and always the same
 * for a seed. With many documents a sentence stands in many of them.
 */
export function* mixedStudies(
  studies: readonly GivenStudy[],
  count: number,
  seed = 1,
): Generator<SourceRecord> {
  const random = randomFrom(seed);
  const below = (limit: number): number => Math.floor(random() * limit);
  const between = ({ least, most }: typeof RUN): number => least + below(most - least + 1);
  const drawn = studies.map(({ title, content }) => ({
    title,
    sentences: splitSentences(content).map(({ text }) => text),
    chars: content.length,
  }));
  const one = (): (typeof drawn)[number] => {
    const study = drawn[below(drawn.length)];
    if (study === undefined) throw new Error('There are no studies to draw from.');
    return study;
  };
  for (let at = 1; at <= count; at += 1) {
    const among = Array.from({ length: between(STUDIES) }, one);
    const length = one().chars;
    const paragraphs: string[] = [];
    for (let chars = 0; chars < length;) {
      const { sentences } = among[below(among.length)] ?? one();
      const from = below(sentences.length);
      const paragraph = sentences.slice(from, from + between(RUN)).join(' ');
      paragraphs.push(paragraph);
      chars += paragraph.length + 2;
    }
    yield {
      id: `mixed-${at}`,
      url: `https://example.org/mixed/${at}`,
      title: `${among[0]?.title ?? ''} (${at})`,
      site: 'Mixed studies',
      publishedAt: String(FIRST_YEAR + below(YEARS)),
      content: paragraphs.join('\n\n'),
    };
  }
}
