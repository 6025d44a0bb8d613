import type { JudgedDocument } from '../../contracts/judge/judged-document';
import { type ReadPart, readParts, type ToldSentence } from '../../reading/whole-text/read-parts';
import {
  createStatementFinder,
  type StatementFinder,
  weightsIn,
} from '../../reading/whole-text/told-statements';

/** A sentence with the part that it stands in. */
export interface PlacedSentence extends ToldSentence {
  partId: string;
}

/** A document as each dimension measures it, read once. */
export interface PreparedDocument {
  document: JudgedDocument;
  parts: readonly ReadPart[];
  /** The parts that tell the matter; all where none is told apart. */
  body: readonly ReadPart[];
  /** Of the body. */
  sentences: readonly PlacedSentence[];
  finder: StatementFinder;
  weightOf: (stem: string) => number;
  /** The sources that a number of the text means. */
  sourceOf: ReadonlyMap<number, string>;
  /** 0–1: how much of the material there is room for. */
  room: number;
}

export function preparedDocument(document: JudgedDocument): PreparedDocument {
  const parts = readParts(document.parts);
  const told = parts.filter(({ role }) => role === 'body');
  const body = told.length === 0 ? parts : told;
  const sentences = body.flatMap(({ id, paragraphs }) =>
    paragraphs.flatMap((paragraph) => paragraph.sentences.map((sentence) => ({ ...sentence, partId: id }))),
  );
  const statements = document.topics.flatMap((topic) => topic.statements.map(({ text }) => text));
  const weightOf = weightsIn(statements);
  const words = sum(sentences.map(({ plain }) => wordsOf(plain)));
  const material = sum(statements.map(wordsOf));
  return {
    document,
    parts,
    body,
    sentences,
    finder: createStatementFinder(sentences, weightOf),
    weightOf,
    sourceOf: new Map(document.sources.flatMap(({ n, sourceId }) => (n === null ? [] : [[n, sourceId]]))),
    room: roomFor(material, words, document.targetWords),
  };
}

/**
 * Where a length was wanted it decides. Where none was, a text takes its own room, and the root of its share of the material is
 * wanted of it: to tell a quarter of everything is less than enough, and to tell all of it is more than can be asked of a long one.
 */
function roomFor(material: number, words: number, wanted: number | null): number {
  if (material === 0) return 1;
  if (wanted !== null) return Math.min(1, wanted / material);
  return Math.sqrt(Math.min(1, words / material));
}

function wordsOf(text: string): number {
  return text.split(/\s+/).length;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
