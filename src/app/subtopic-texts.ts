import { readingsOf, readsPaths } from '../client/given-sources';
import type { ReadableSources } from '../client/requested-sources';
import type { Config } from '../config/config';
import type { GivenSubtopic } from '../contracts/brief/subtopic';
import type { Warning } from '../contracts/run/run';
import { normaliseUrl } from '../core/sources/source-url';
import { InvalidRequestError } from '../client/run-errors';
import { chainedReadings } from '../sources/chained-readings';
import { sharedParser, type TaskOptions } from '../sources/formats/parsing/document-parser';
import { readWholeSources } from '../sources/read-whole-sources';
import type { GivenSource } from '../verification/report/given-source';
import { configuredPages } from './configured-pages';

export interface ReadSubtopics {
  subtopics: GivenSubtopic[];
  warnings: Warning[];
}

/**
 * Gives each subtopic the texts of those sources that it cites (decision 0039). Rejects with `InvalidSourcesError` for what cannot be
 * used; what no subtopic cites is told, and not read.
 */
export async function withTexts(
  { subtopics, warnings }: ReadSubtopics,
  sources: ReadableSources,
  config: Pick<Config, 'fetch' | 'cwd'>,
): Promise<ReadSubtopics> {
  const pages = configuredPages(config, null).open({ runId: 'subtopics', signal: sources.asker?.signal });
  try {
    const read = await readWholeSources(chainedReadings(readingsOf(sources, { pages, cwd: config.cwd })), {
      skipInvalid: sources.skipInvalid ?? false,
      asker: sources.asker,
    });
    const cited = new Set<string>();
    const matched = await citedInTexts(subtopics, read.sources, {
      asker: sources.asker ?? null,
      isBegun: readsPaths(sources),
    });
    const filled = subtopics.map((subtopic, at): GivenSubtopic => {
      const ids = citedBy(subtopic, read.sources, new Set(matched[at]));
      for (const id of ids) cited.add(id);
      const own = read.sources.filter(({ id }) => ids.has(id)).map(({ id: _id, ...source }) => source);
      // Behind its own: numbers in a summary may count those.
      return own.length === 0 ? subtopic : { ...subtopic, sources: [...(subtopic.sources ?? []), ...own] };
    });
    const others = read.sources.filter(({ id }) => !cited.has(id));
    return { subtopics: filled, warnings: [...warnings, ...read.warnings, ...others.map(notCited)] };
  } finally {
    await pages.close();
  }
}

async function citedInTexts(
  subtopics: readonly GivenSubtopic[],
  given: readonly GivenSource[],
  options: TaskOptions,
): Promise<string[][]> {
  const texts = subtopics.map(({ summary }) => summary);
  const sources = given.map(({ id, url, title }) => ({ id, url, title, content: '' }));
  const outcome = await sharedParser().run({ what: 'cited', texts, sources }, options);
  if ('failed' in outcome) throw new InvalidRequestError([`subtopics: ${outcome.failed}`]);
  return outcome.result;
}

/** The ids of the sources that a subtopic names: in its lists, or in its text and the list that stands there. */
function citedBy(
  { citations = [], sources = [] }: GivenSubtopic,
  given: readonly GivenSource[],
  matched: ReadonlySet<string>,
): Set<string> {
  const listed = [...citations, ...sources.flatMap(({ url }) => url ?? [])].map(normaliseUrl);
  const addresses = new Set(listed);
  const titles = new Set(sources.flatMap(({ url, title }) => (url === undefined ? (title ?? []) : [])));
  return new Set(
    given
      .filter(
        ({ id, url, title }) =>
          matched.has(id) || (url !== undefined && addresses.has(normaliseUrl(url))) || titles.has(title),
      )
      .map(({ id }) => id),
  );
}

function notCited({ title }: GivenSource): Warning {
  return {
    code: 'source-not-cited',
    message: `No subtopic cites “${title}”: it is not read. A brief is made of what its subtopics say; for one of sources, run a report of them and give it by --from.`,
  };
}
