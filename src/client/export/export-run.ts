import {
  EXPORT_FORMATS,
  EXPORT_FORMAT_NAMES,
  type ExportFormatName,
} from '../../document/formats/export-formats';
import { UnprintableError } from '../../document/formats/export-format';
import type { TextsShown } from '../../contracts/source/texts-shown';
import { toldValue } from '../../core/values/told-value';
import { describeRun, type StartRecords } from '../described-run';
import { InvalidRequestError } from '../run-errors';
import { refuseUnlessShown, runDocument, withoutDocument } from './run-document';

export interface ExportOptions {
  /** Around which quotes the source's text is shown; as the client has it where it is absent. */
  texts?: TextsShown;
}

export interface ExportedRun {
  /** A name for the file, such as `report.csv`. */
  name: string;
  mediaType: string;
  content: string | Uint8Array;
  /** What there is to be said of it, such as what made it and what it lacks. */
  remarks: string[];
}

export async function exportRun(
  records: StartRecords & { browsers?: readonly string[]; texts?: TextsShown },
  runId: string,
  name: ExportFormatName,
  { texts: shown = records.texts ?? 'open' }: ExportOptions = {},
): Promise<ExportedRun> {
  if (!EXPORT_FORMAT_NAMES.includes(name))
    throw new InvalidRequestError([
      `format is ${toldValue(name)}; it has to be one of ${EXPORT_FORMAT_NAMES.join(', ')}`,
    ]);
  refuseUnlessShown(shown);
  const run = await describeRun(records, runId);
  const { kind } = run;
  const left = await runDocument(records, run, shown);
  if (left === null) throw withoutDocument(run);
  const { tree, result, markdown } = left;
  const { ending, mediaType, render } = EXPORT_FORMATS[name];
  const remarks: string[] = [];
  const means = { browsers: records.browsers ?? [], remark: (text: string) => void remarks.push(text) };
  const content = await render(tree, { result, markdown }, means).catch((error: unknown) => {
    throw error instanceof UnprintableError ? new InvalidRequestError([error.message]) : error;
  });
  return { name: `${kind}.${ending}`, mediaType, content, remarks };
}
