import type { ArtifactRef } from '../contracts/run/artifact';

/**
 * Raised with every change to what an index is made of: how text is cut into sentences, passages and stems, and how the
 * bytes are laid out. Indexes of another version are not found, and made anew.
 */
const INDEX_VERSION = 1;

/** What a source's index is kept under: it depends on the text alone. */
export function sourceIndexKey(contentRef: ArtifactRef): string {
  return `source-index/${INDEX_VERSION}/${contentRef}`;
}

export function corpusIndexKey(manifestRef: ArtifactRef): string {
  return `corpus-index/${INDEX_VERSION}/${manifestRef}`;
}

export function sourceVectorsKey(embedder: string, contentRef: ArtifactRef): string {
  return `source-vectors/${INDEX_VERSION}/${embedder}/${contentRef}`;
}

export function corpusVectorsKey(embedder: string, manifestRef: ArtifactRef): string {
  return `corpus-vectors/${INDEX_VERSION}/${embedder}/${manifestRef}`;
}

export function questionVectorKey(embedder: string, question: string): string {
  return `question-vector/${INDEX_VERSION}/${embedder}/${question}`;
}
