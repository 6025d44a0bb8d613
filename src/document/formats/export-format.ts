import type { Answer } from '../../contracts/answer/answer';
import type { Brief } from '../../contracts/brief/brief';
import type { Report } from '../../contracts/report/report';
import type { DocumentTree } from '../document';

/** What a run stored. */
export interface StoredDocument {
  result: Report | Answer | Brief;
  markdown: string;
}

/** A form in which what a run left can be had. */
export interface ExportFormat {
  /** Of a file's name, without its point. */
  ending: string;
  mediaType: string;
  render(tree: DocumentTree, stored: StoredDocument): Promise<string | Uint8Array>;
}
