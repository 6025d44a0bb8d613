import { TextsShown } from '../../contracts/source/texts-shown';
import { toldValue } from '../../core/values/told-value';
import type { DocumentTree } from '../../document/document';
import type { DescribedRun, StartRecords } from '../described-run';
import { readKind, type StoredVersion } from '../judged-version';
import { InvalidRequestError, RunContentGoneError, RunWithoutReportError } from '../run-errors';
import { completionOf } from '../stored-result';
import { sourceTexts } from './source-texts';

export interface RunDocument {
  tree: DocumentTree;
  result: StoredVersion['report'];
  markdown: string;
}

/** What a run left, as a tree, with the texts of its sources as far as they are to be shown; null where it has left nothing (yet). */
export async function runDocument(
  records: StartRecords,
  run: DescribedRun,
  shown: TextsShown,
): Promise<RunDocument | null> {
  const { runId, kind } = run;
  const completion = await completionOf(records.events, runId);
  if (completion === null) return null;
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
  return { tree, result, markdown };
}

export function refuseUnlessShown(shown: TextsShown): void {
  if (!TextsShown.options.includes(shown))
    throw new InvalidRequestError([
      `texts is ${toldValue(shown)}; it has to be one of ${TextsShown.options.join(', ')}`,
    ]);
}

export function withoutDocument({ runId, kind, memo, isRunning }: DescribedRun): RunWithoutReportError {
  const help = isRunning ? ' Wait until it has ended, or cancel it: it leaves what it has until then.' : '';
  return new RunWithoutReportError(runId, memo.status, help, kind);
}
