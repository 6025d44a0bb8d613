import {
  EXPORT_FORMATS,
  EXPORT_FORMAT_NAMES,
  type ExportFormatName,
} from '../../document/formats/export-formats';
import type { Language } from '../../contracts/run/language';
import { TextsShown } from '../../contracts/source/texts-shown';
import { toldValue } from '../../core/values/told-value';
import { describeRun, type StartRecords } from '../described-run';
import { readKind } from '../judged-version';
import { InvalidRequestError, RunContentGoneError, RunWithoutReportError } from '../run-errors';
import { completionOf } from '../stored-result';
import { sourceTexts } from './source-texts';
import { unfinishedRun } from './unfinished-run';

export interface ExportOptions {
  /** Around which quotes the source's text is shown; as the client has it where it is absent. */
  texts?: TextsShown;
  /** In which the page of a run without a result tells where it is; that of the run where it is absent. */
  language?: Language;
}

/** What a run left, in the form of a file. */
export interface ExportedRun {
  /** A name for the file, such as `report.csv`. */
  name: string;
  mediaType: string;
  content: string | Uint8Array;
  /** What there is to be said of it, such as what made it and what it lacks. */
  remarks: string[];
}

/** What an ended run left in a format, whatever its kind; as a page also where a run is that has left nothing (yet). */
export async function exportRun(
  records: StartRecords & { browsers?: readonly string[]; texts?: TextsShown },
  runId: string,
  name: ExportFormatName,
  { texts: shown = records.texts ?? 'open', language }: ExportOptions = {},
): Promise<ExportedRun> {
  if (!EXPORT_FORMAT_NAMES.includes(name))
    throw new InvalidRequestError([
      `format is ${toldValue(name)}; it has to be one of ${EXPORT_FORMAT_NAMES.join(', ')}`,
    ]);
  if (!TextsShown.options.includes(shown))
    throw new InvalidRequestError([
      `texts is ${toldValue(shown)}; it has to be one of ${TextsShown.options.join(', ')}`,
    ]);
  const run = await describeRun(records, runId);
  const { kind, memo } = run;
  const completion = await completionOf(records.events, runId);
  if (completion === null && name === 'html') {
    const { ending, mediaType } = EXPORT_FORMATS.html;
    const { unfinishedPage } = await import('../../document/page/unfinished-page.js');
    const content = unfinishedPage(await unfinishedRun(records, run, language));
    const remark = run.isRunning
      ? `Run ${runId} goes on: the page tells where it is now, and what is written so far.`
      : `Run ${runId} left no ${kind}: the page tells how far it came.`;
    return { name: `${kind}.${ending}`, mediaType, content, remarks: [remark] };
  }
  if (completion === null) {
    const help = run.isRunning
      ? ' Wait until it has ended, or cancel it: it leaves what it has until then.'
      : '';
    throw new RunWithoutReportError(runId, memo.status, help, kind);
  }
  const result = await readKind(records.content, kind, completion.reportRef);
  const markdown = await records.content.retrieve(completion.markdownRef);
  if (result === null || markdown === null) throw new RunContentGoneError(runId);
  const cited = result.citations.map(({ sourceId }) => sourceId);
  const texts = await sourceTexts(records, run, cited);
  // What reads a quote's result takes a while to load, and most commands export nothing.
  const { documentOf } = await import('../../document/document-of.js');
  const { withShownTexts } = await import('../../document/shown-texts.js');
  const whole = documentOf(result, (sourceId) => texts.get(sourceId)?.text ?? null);
  const tree = withShownTexts(whole, shown, (sourceId) => texts.get(sourceId)?.licence ?? null);
  const { ending, mediaType, render } = EXPORT_FORMATS[name];
  const remarks: string[] = [];
  const means = { browsers: records.browsers ?? [], remark: (text: string) => void remarks.push(text) };
  const content = await render(tree, { result, markdown }, means);
  return { name: `${kind}.${ending}`, mediaType, content, remarks };
}
