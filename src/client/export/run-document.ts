import { TextsShown } from '../../contracts/source/texts-shown';
import { toldValue } from '../../core/values/told-value';
import type { DocumentTree } from '../../document/document';
import type { DescribedRun, StartRecords } from '../described-run';
import { readKind, type StoredVersion } from '../judged-version';
import { InvalidRequestError, RunContentGoneError, RunWithoutReportError } from '../run-errors';
import { completionOf } from '../stored-result';
import { AnswerStart } from '../../contracts/answer/answer-start';
import { BriefMaterial } from '../../contracts/brief/brief-material';
import type { ArtifactRef } from '../../contracts/run/artifact';
import { storedSources } from '../given-sources';
import { readArtifact, readPassResult } from '../pass-results/read-pass-result';
import { readInputOf } from '../read-run-input';

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

/** The text of a source, null where the store has it no more or never had it, and the licence that was given with it. */
interface SourceText {
  text: string | null;
  licence: string | null;
}

async function sourceTexts(
  { client, content }: Pick<StartRecords, 'client' | 'content'>,
  run: DescribedRun,
  ids: readonly string[],
): Promise<Map<string, SourceText>> {
  const wanted = new Set(ids);
  const kept = (await keptSources(client, content, run)).filter(({ id }) => wanted.has(id));
  const texts = new Map<string, SourceText>();
  for (const { id, contentRef, license } of kept) {
    const text = contentRef === null ? null : await content.retrieve(contentRef);
    texts.set(id, { text, licence: license ?? null });
  }
  return texts;
}

interface KeptSource {
  id: string;
  contentRef: ArtifactRef | null;
  license?: string | undefined;
}

async function keptSources(
  client: StartRecords['client'],
  content: StartRecords['content'],
  run: DescribedRun,
): Promise<readonly KeptSource[]> {
  const { passRefs } = run.memo;
  switch (run.kind) {
    case 'report':
      return (await readPassResult(content, passRefs, 'gather'))?.sources ?? [];
    case 'brief':
      return (await readArtifact(content, passRefs.material, BriefMaterial))?.sources ?? [];
    case 'answer': {
      const input = await readInputOf(client, run, AnswerStart);
      return input?.manifestRef === undefined
        ? []
        : ((await storedSources(content, input.manifestRef)) ?? []);
    }
  }
}
