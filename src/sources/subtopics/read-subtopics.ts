import type { GivenSubtopic } from '../../contracts/brief/subtopic';
import type { Warning } from '../../contracts/run/run';
import { readGivenText } from '../../platform/given-text';
import { RECORD_BOUNDS } from '../formats/record-bounds';
import { problemLine } from '../invalid-sources-error';
import { foundFiles, type FoundFile, type WantedFiles } from '../source-files';
import type { SourceProblem } from '../source-reading';
import { InvalidSubtopicsError } from './invalid-subtopics-error';
import { readNote } from './read-note';
import { readSubtopicJson, readSubtopicLines } from './read-subtopic-json';
import type { SubtopicReading } from './subtopic-reading';

export interface ReadSubtopics {
  subtopics: GivenSubtopic[];
  warnings: Warning[];
}

type Extension = '.md' | '.markdown' | '.txt' | '.json' | '.jsonl';

const WANTED: WantedFiles<Extension> = {
  extensions: ['.md', '.markdown', '.txt', '.json', '.jsonl'],
  noun: 'note',
};

type FileReading = SubtopicReading | { ok: 'index' | 'skipped'; message: string };

/**
 * The subtopics of files and folders, in the order of the paths and by name within a folder. Throws `InvalidSubtopicsError` with
 * everything that is wrong, file by file; what is odd, or left out of a folder, is a warning.
 */
export async function readSubtopics(paths: readonly string[]): Promise<ReadSubtopics> {
  const subtopics: GivenSubtopic[] = [];
  const problems: SourceProblem[] = [];
  const warnings: Warning[] = [];
  const warn = (problem: SourceProblem): unknown =>
    warnings.push({ code: 'subtopic-remark', message: problemLine(problem) });
  for await (const found of foundFiles(paths, WANTED)) {
    if (found.kind === 'problem') problems.push(found.problem);
    else if (found.kind === 'skipped') warn({ file: found.file, message: `left out: ${NOT_READ}` });
    else
      for (const reading of await readingsOf(found)) {
        const { file } = found;
        const line = 'line' in reading && reading.line !== undefined ? { line: reading.line } : {};
        if (reading.ok === true) {
          subtopics.push(reading.subtopic);
          for (const message of reading.remarks) warn({ file, ...line, message });
        } else if (reading.ok === false) problems.push({ file, ...line, message: reading.message });
        else warn({ file, message: `left out: ${reading.message}` });
      }
  }
  if (problems.length > 0) throw new InvalidSubtopicsError(problems);
  if (subtopics.length === 0)
    throw new InvalidSubtopicsError(
      paths.map((file) => ({ file, message: 'it has no subtopic: every file in it was left out' })),
    );
  return { subtopics, warnings };
}

const NOT_READ = `subtopics are read from ${WANTED.extensions.join(', ')}`;

async function readingsOf({
  file,
  extension,
  explicit,
}: FoundFile<Extension> & { kind: 'file' }): Promise<FileReading[]> {
  const given = await readGivenText(file, RECORD_BOUNDS);
  if (!given.ok) return [given];
  const { text } = given;
  if (extension === '.jsonl') return readSubtopicLines(text);
  if (extension !== '.json') return [readNote(text, file)];
  const readings = readSubtopicJson(text);
  if (readings !== null) return readings;
  const message = 'it holds no subtopics: no `subtopic`, no `summary`, and no list of them under `subtopics`';
  return [{ ok: explicit ? false : 'skipped', message }];
}
