import { built } from '../built.mjs';
import { UsageError } from '../usage-error.mjs';
import { retrieve } from './retrieve.mjs';

/** As the settings of an answer have it. */
const PASSAGES = 12;

/** The sources of a file as they are imported, titles and ids among them. */
export async function readCorpus(sourcesFile) {
  const { readSources } = built('sources/read-sources.js');
  const sources = [];
  for await (const reading of readSources([sourcesFile])) {
    if (!reading.ok) throw new UsageError(`${sourcesFile} holds no sources: ${reading.problem.message}.`);
    const { content, url = null, ...record } = reading.record;
    sources.push({ entry: { ...picked(record), url }, content });
  }
  return sources;
}

function picked({ id, title, author, site, publishedAt, pages }) {
  const facts = { author, site, publishedAt, pages };
  return {
    id,
    title,
    ...Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined)),
  };
}

/** Sources that questions are put to, as the product's own index has them. */
export function openCorpus(sources) {
  const { buildCorpusIndex } = built('retrieval/corpus-index.js');
  const index = buildCorpusIndex(sources);
  const texts = new Map(sources.map(({ entry, content }) => [entry.id, content]));
  const textOf = (id) => texts.get(id);
  return {
    retrieve: (question, most = PASSAGES) => retrieve({ question, index, textOf, given: [], most }),
  };
}
