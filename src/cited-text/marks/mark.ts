import type { CitationForm } from '../cited-report';

/** A citation's place in a block's visible text, before it is known what it cites. */
export interface Mark {
  from: number;
  to: number;
  form: CitationForm;
  /** What it names; several where one mark cites several sources. */
  labels: string[];
  /** The parts of it that are no words of the sentence, in order. */
  cuts: { from: number; to: number }[];
}
