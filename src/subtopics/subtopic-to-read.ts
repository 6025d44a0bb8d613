import type { GivenSource } from '../contracts/brief/subtopic';
import type { ArtifactRef } from '../contracts/run/artifact';

/** A source as a subtopic gives it; its text lies in the content store. */
export interface ListedSource extends Omit<GivenSource, 'content'> {
  /** Null where no text was given. */
  contentRef: ArtifactRef | null;
  contentChars: number;
}

export interface SubtopicToRead {
  /** `subtopic-1` and so on. */
  id: string;
  title: string;
  summary: string;
  summaryRef: ArtifactRef;
  citations?: string[] | undefined;
  sources?: ListedSource[] | undefined;
}
