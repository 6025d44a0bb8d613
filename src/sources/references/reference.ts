import type { SourceRecord } from '../../contracts/source/source';

export type SaidOfSource = Pick<
  SourceRecord,
  'title' | 'author' | 'site' | 'publishedAt' | 'license' | 'language'
>;

export interface Reference {
  address: string | null;
  /** Paths of its text, from the folder of the list, as they are written there. */
  files: string[];
  abstract: string | null;
  said: SaidOfSource;
  /** In the list, from 1. */
  line: number;
}

export type ReferenceReading = ({ ok: true } & Reference) | { ok: false; line: number; message: string };

export function referenceTo(address: string, line: number): ReferenceReading {
  return { ok: true, address, files: [], abstract: null, said: {}, line };
}
