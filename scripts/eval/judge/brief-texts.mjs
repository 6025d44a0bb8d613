import { built } from '../built.mjs';
import { UsageError } from '../usage-error.mjs';
import { drawnSubtopics } from './drawn-subtopics.mjs';
import { writtenText } from './written-text.mjs';

/** Briefs without a model on subtopics drawn from sources. */
export async function* briefTexts(file, many, seed) {
  const sources = await readAll(file);
  for (let at = 0; at < many; at += 1) {
    const id = seed * 1000 + at;
    yield { id, ...(await writtenText(await drawnSubtopics(sources, id), id)) };
  }
}

async function readAll(file) {
  const { readSources } = built('sources/read-sources.js');
  const sources = [];
  for await (const reading of readSources([file])) {
    if (!reading.ok) throw new UsageError(`${reading.problem.file}: ${reading.problem.message}.`);
    sources.push(reading.record);
  }
  return sources;
}
