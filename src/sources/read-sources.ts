import { unreadText } from '../platform/given-file';
import { createIdentifier } from './identify';
import { readJson } from './formats/read-json';
import { readJsonLines } from './formats/read-json-lines';
import { createPdfReader, type PdfReader } from './formats/pdf/pdf-reader';
import { readPdf } from './formats/read-pdf';
import { readText } from './formats/read-text';
import { sourceFiles, type FoundFile } from './source-files';
import type { RecordReading, SourceReading } from './source-reading';

interface ReadOptions {
  /** Told of each file in a folder that is no source by its type. */
  onSkipped?: (file: string) => void;
}

/**
 * The sources of files and folders, one at a time, in the order of the paths, with a title and an id each; what
 * cannot be used comes as a problem in its place. A record that repeats another's id and content is given again;
 * one that repeats an id with other content is a problem.
 */
export async function* readSources(
  paths: readonly string[],
  options: ReadOptions = {},
): AsyncGenerator<SourceReading> {
  const identify = createIdentifier();
  const pdfs = createPdfReader();
  try {
    for await (const found of sourceFiles(paths)) {
      if (found.kind === 'skipped') options.onSkipped?.(found.file);
      else if (found.kind === 'problem') yield { ok: false, problem: found.problem };
      else {
        const { file } = found;
        for await (const reading of recordsOf(found, pdfs)) {
          if (reading === 'not-sources') options.onSkipped?.(file);
          else yield identify({ name: file, file }, reading);
        }
      }
    }
  } finally {
    await pdfs.close();
  }
}

async function* recordsOf(
  found: FoundFile & { kind: 'file' },
  pdfs: PdfReader,
): AsyncGenerator<RecordReading | 'not-sources'> {
  try {
    if (found.extension === '.jsonl') yield* readJsonLines(found.file);
    else if (found.extension === '.json') yield* readJson(found.file, found.explicit);
    else if (found.extension === '.pdf') yield await readPdf(found.file, pdfs);
    else yield await readText(found.file);
  } catch (error) {
    yield { ok: false, message: unreadText(error) };
  }
}
