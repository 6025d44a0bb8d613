import type { Answer } from '../../contracts/answer/answer';
import type { Brief } from '../../contracts/brief/brief';
import type { Report } from '../../contracts/report/report';
import type { DocumentTree } from '../document';

export interface StoredDocument {
  result: Report | Answer | Brief;
  markdown: string;
}

export interface ExportMeans {
  /** Paths of browsers that print pages, where they are there; the first is the one to take. */
  browsers: readonly string[];
  /** Takes what is to be said of the file, a sentence or two each: what made it, what it lacks. */
  remark: (text: string) => void;
}

export interface ExportFormat {
  /** Of a file's name, without its point. */
  ending: string;
  mediaType: string;
  /** False where it cannot be shown in a terminal. */
  isText: boolean;
  render(tree: DocumentTree, stored: StoredDocument, means: ExportMeans): Promise<string | Uint8Array>;
}

export class UnprintableError extends Error {
  override readonly name = 'UnprintableError';
  constructor(why: string) {
    super(
      `a PDF is printed by a Chromium: ${why}. Name its program as COLLIGATE_CHROMIUM, or export html, open the page in a browser and print it`,
    );
  }
}
