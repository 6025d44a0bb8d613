import { namedByAddress, namedByRecord, type NamedSource } from './named-source';
import type { SubtopicToRead } from './subtopic-to-read';

/** The sources of a subtopic by the numbers that its summary cites them by, and all that is said of any of them. */
export interface NumberedSources {
  /** `[2]` is the second; one source may stand under two numbers. */
  numbered: NamedSource[];
  records: NamedSource[];
}

export function numberedSources({ citations = [], sources = [] }: SubtopicToRead): NumberedSources {
  const records = sources.map(namedByRecord);
  return { numbered: citations.length > 0 ? citations.map(namedByAddress) : records, records };
}
