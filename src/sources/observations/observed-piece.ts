import type { PageRange, PassageOrigin } from '../../contracts/answer/answer-passage';

export interface ObservedPiece {
  /** A file's name, or an address; null where there is none. */
  source: string | null;
  title: string | null;
  url: string | null;
  pages: PageRange | null;
  /** 0–1; null where none is given, or none that can be read. */
  similarity: number | null;
  origin: PassageOrigin;
  text: string;
}

export interface ReadObservation {
  pieces: ObservedPiece[];
  /** What is wrong with it, a sentence each; the rest of it is used all the same. */
  problems: string[];
}

export const NO_PIECE: Omit<ObservedPiece, 'text'> = {
  source: null,
  title: null,
  url: null,
  pages: null,
  similarity: null,
  origin: 'text',
};
