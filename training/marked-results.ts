import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readRecords } from './wice';

/** What a sentence tells of its source's own results, marked by reading it. */
export type MarkedSide = 'effect' | 'none' | 'both' | 'neither';

/** A place in a source of a collection of `DATA`, the studies where none is named. */
export interface MarkedSentence {
  collection?: string;
  source_id: string;
  start: number;
  end: number;
  side: MarkedSide;
}

/** A sentence that a report quoted for a question: whether it is of what is asked to have the effect, and on what it is asked on. */
export interface MarkedResult extends MarkedSentence {
  question: string;
  cause: boolean;
  outcome: boolean;
}

/** The records of a file beside this one, each with its text and the title of its source. */
export function markedSentences<Marked extends MarkedSentence>(
  data: string,
  file: string,
): (Marked & { text: string; title: string })[] {
  const collections = new Map<string, ReadonlyMap<string, { title: string; content: string }>>();
  const sourcesOf = (name: string): ReadonlyMap<string, { title: string; content: string }> => {
    const known = collections.get(name) ?? readSources(data, name);
    collections.set(name, known);
    return known;
  };
  return readRecords<Marked>(readFileSync(join(__dirname, 'data', file), 'utf8')).map((marked) => {
    const source = sourcesOf(marked.collection ?? 'studies').get(marked.source_id);
    if (source === undefined) throw new Error(`There is no source ${marked.source_id}`);
    return { ...marked, text: source.content.slice(marked.start, marked.end), title: source.title };
  });
}

function readSources(data: string, name: string): ReadonlyMap<string, { title: string; content: string }> {
  const folder = name === 'studies' ? name : join('collections', name);
  const sources = readRecords<{ id: string; title: string; content: string }>(
    readFileSync(join(data, folder, 'sources.jsonl'), 'utf8'),
  );
  return new Map(sources.map((source) => [source.id, source]));
}
