import { ByteReader } from './bytes/byte-reader';
import { readPostings } from './postings';

/** An index as it is searched. Sentences and passages are numbered over all sources, in their order. */
export interface CorpusLayout {
  sources: number;
  sentences: number;
  passages: number;
  /** By sentence: where it stands in its source's content, and of how many tokens it is. */
  sentenceStart: Uint32Array;
  sentenceEnd: Uint32Array;
  sentenceTokens: Uint32Array;
  /** By passage: its sentences, `to` exclusive; its source. */
  passageFrom: Uint32Array;
  passageTo: Uint32Array;
  sourceOf: Uint32Array;
  /** By source: its first sentence and passage; one more entry ends the last. */
  firstSentence: Uint32Array;
  firstPassage: Uint32Array;
  /** By sentence: the first passage that has it; those that follow may have it too. */
  passageOf: Uint32Array;
  /** In the order of their UTF-16 units. */
  stems: readonly string[];
  /** By stem: how many sentences hold it. */
  holders: Uint32Array;
  /** Calls `each` for the sentences that hold the stem of this place, in order. */
  eachHolder: (stem: number, each: (sentence: number, times: number) => void) => void;
}

/** Reads what `mergeSegments` wrote. Lists of holders stay as they are, and are read when they are asked for. */
export function readLayout(merged: Uint8Array): CorpusLayout {
  const bytes = new ByteReader(merged);
  const sources = bytes.number();
  const sentences = bytes.number();
  const passages = bytes.number();
  const layout = {
    sources,
    sentences,
    passages,
    sentenceStart: new Uint32Array(sentences),
    sentenceEnd: new Uint32Array(sentences),
    sentenceTokens: new Uint32Array(sentences),
    passageFrom: new Uint32Array(passages),
    passageTo: new Uint32Array(passages),
    sourceOf: new Uint32Array(passages),
    firstSentence: new Uint32Array(sources + 1),
    firstPassage: new Uint32Array(sources + 1),
    passageOf: new Uint32Array(sentences),
  };
  readPlaces(layout, bytes);
  const text = bytes.text();
  const stems = text === '' ? [] : text.split('\n');
  const holders = new Uint32Array(stems.length);
  const begins = new Uint32Array(stems.length);
  const sizes = new ByteReader(bytes.block());
  let begin = 0;
  stems.forEach((_stem, place) => {
    holders[place] = sizes.number();
    begins[place] = begin;
    begin += sizes.number();
  });
  const lists = bytes.block();
  return {
    ...layout,
    stems,
    holders,
    eachHolder: (stem, each) =>
      readPostings(new ByteReader(lists, begins[stem] ?? 0), holders[stem] ?? 0, each),
  };
}

type Places = Omit<CorpusLayout, 'stems' | 'holders' | 'eachHolder'>;

function readPlaces(layout: Places, bytes: ByteReader): void {
  const counts = new ByteReader(bytes.block());
  const sentences = new ByteReader(bytes.block());
  const passages = new ByteReader(bytes.block());
  let sentence = 0;
  let passage = 0;
  for (let source = 0; source < layout.sources; source += 1) {
    layout.firstSentence[source] = sentence;
    layout.firstPassage[source] = passage;
    const lastSentence = sentence + counts.number();
    const lastPassage = passage + counts.number();
    let from = sentence;
    for (let behind = 0; sentence < lastSentence; sentence += 1) {
      const start = behind + sentences.number();
      behind = start + sentences.number();
      layout.sentenceStart[sentence] = start;
      layout.sentenceEnd[sentence] = behind;
      layout.sentenceTokens[sentence] = sentences.number();
    }
    let covered = from;
    for (; passage < lastPassage; passage += 1) {
      from += passages.number();
      const to = from + passages.number();
      layout.passageFrom[passage] = from;
      layout.passageTo[passage] = to;
      layout.sourceOf[passage] = source;
      for (; covered < to; covered += 1) layout.passageOf[covered] = passage;
    }
  }
  layout.firstSentence[layout.sources] = sentence;
  layout.firstPassage[layout.sources] = passage;
}
