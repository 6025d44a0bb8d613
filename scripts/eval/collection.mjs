import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { askedQuestions } from './asked-questions.mjs';
import { bm25Over } from './bm25.mjs';
import { built } from './built.mjs';
import { figuresOf, timesOf } from './collection/figures.mjs';
import { judgedInThreads } from './collection/in-threads.mjs';
import { judgeSentences } from './collection/judge-report.mjs';
import { draw } from './draw.mjs';
import { bestFirst } from './rank-within.mjs';
import { readRecords } from './read-records.mjs';
import { rounded } from './shares.mjs';
import { UsageError } from './usage-error.mjs';

const SOURCE = { id: 'text', content: 'text' };
const MOST_THREADS = 2;
const BASELINE_SENTENCES = 10;

/** Whole reports on the questions of a collection, or of the file `asked`: what they cite, what they hold, and when they say nothing. */
export async function collectionSuite({ folder, asked, questions: most, seed, say }) {
  const sourcesFile = join(folder, 'sources.jsonl');
  if (!existsSync(sourcesFile)) throw new UsageError(`${sourcesFile} cannot be read: there is no such file.`);
  const records = draw(askedQuestions(folder, asked), most, seed);
  const sources = readRecords(sourcesFile, SOURCE);

  const startedAt = performance.now();
  const threads = Math.min(MOST_THREADS, availableParallelism());
  const { judged, times, failed } = await judgedInThreads(records, { sourcesFile, threads, say });
  const seconds = rounded((performance.now() - startedAt) / 1000, 1);
  return {
    n: records.length,
    ...figuresOf(judged),
    failed: failed.length,
    seconds,
    msByActivity: timesOf(times, records.length),
    baseline: figuresOf(bestByBm25(records, sources)),
  };
}

/** The best sentences of the whole collection, without a threshold: it answers everything. */
function bestByBm25(records, sources) {
  const { sentencesOfSource } = built('reading/collection/read-source.js');
  const sentences = sources.flatMap(({ id, content }) =>
    sentencesOfSource(content).map(({ text }) => ({ source: id, text })),
  );
  const index = bm25Over(sentences.map(({ text }) => text));
  return records.map((record) => {
    const scores = index.of(record.question);
    const best = bestFirst(scores).slice(0, BASELINE_SENTENCES);
    return judgeSentences(
      record,
      best.filter((at) => scores[at] > 0).map((at) => sentences[at]),
    );
  });
}
