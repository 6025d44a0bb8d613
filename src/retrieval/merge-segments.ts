import { ByteReader } from './bytes/byte-reader';
import { ByteWriter } from './bytes/byte-writer';
import { PostingsWriter, readPostings } from './postings';

/**
 * What `indexSource` left of several sources, in their order, as one: the numbers of sources, sentences and passages; for
 * each source how many it has of both; sentences and passages as they were, counted on; the stems in order, with the number
 * of sentences that hold each and where its list ends; the lists.
 */
export function mergeSegments(segments: readonly Uint8Array[]): Uint8Array {
  const sources = new ByteWriter();
  const sentences = new ByteWriter();
  const passages = new ByteWriter();
  const postings = new Map<string, PostingsWriter>();
  let allSentences = 0;
  let allPassages = 0;
  for (const segment of segments) {
    const bytes = new ByteReader(segment);
    const count = bytes.number();
    for (let at = 0; at < count * 3; at += 1) sentences.number(bytes.number());
    const cut = bytes.number();
    for (let at = 0; at < cut * 2; at += 1) passages.number(bytes.number());
    sources.number(count);
    sources.number(cut);
    addPostings(postings, bytes, allSentences);
    allSentences += count;
    allPassages += cut;
  }
  const merged = new ByteWriter(sentences.length + passages.length);
  for (const total of [segments.length, allSentences, allPassages]) merged.number(total);
  for (const part of [sources, sentences, passages]) merged.block(part.written());
  writeStems(merged, postings);
  return merged.copy();
}

function addPostings(postings: Map<string, PostingsWriter>, bytes: ByteReader, before: number): void {
  const stems = bytes.text();
  for (const stem of stems === '' ? [] : stems.split('\n')) {
    let all = postings.get(stem);
    if (all === undefined) postings.set(stem, (all = new PostingsWriter()));
    const into = all;
    readPostings(bytes, bytes.number(), (sentence, times) => into.add(before + sentence, times));
  }
}

function writeStems(merged: ByteWriter, postings: ReadonlyMap<string, PostingsWriter>): void {
  const inOrder = [...postings].sort(([one], [other]) => (one < other ? -1 : 1));
  const sizes = new ByteWriter();
  const lists = new ByteWriter();
  for (const [, list] of inOrder) {
    sizes.number(list.count);
    sizes.number(list.written().length);
    lists.append(list.written());
  }
  merged.text(inOrder.map(([stem]) => stem).join('\n'));
  merged.block(sizes.written());
  merged.block(lists.written());
}
