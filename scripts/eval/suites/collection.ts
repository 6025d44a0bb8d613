import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { z } from 'zod';
import { type AskedQuestion, askedQuestions } from '../answering';
import { countOf, meanOf, rounded, shareOf, stopwatch, sumOf } from '../figures';
import { type JudgedReport, judgeReport } from '../judged-report';
import { type FoundSentence, sentencesByBm25 } from '../ranking';
import { readRecords } from '../records';
import { measured, type Suite } from '../suite';

const Source = z.object({ id: z.string(), content: z.string(), title: z.string().optional() });

const MOST_THREADS = 2;
const BASELINE_SENTENCES = 10;
const SAID_EVERY = 25;
/** A thread begins in plain JavaScript, and tsx with it; what the product starts from there is not to inherit it. */
const THREAD = `require(${JSON.stringify(require.resolve('tsx/cjs/api'))}).register();
  require(${JSON.stringify(join(__dirname, '../report-thread.ts'))});`;

/** What a thread tells: of each question what was judged, and at its end how long each activity took. */
export type FromThread =
  { id: string; judged: JudgedReport; failure?: string } | { times: [name: string, ms: number][] };

/** Whole reports on the questions of a collection, or of the file `asked`: what they cite, what they hold, and when they say nothing. */
export const collection: Suite = {
  usage: 'collection FOLDER [--asked FILE] [--questions N --seed S]',
  options: ['questions', 'seed', 'asked'],
  async measure(call) {
    const sourcesFile = join(call.file, 'sources.jsonl');
    const sources = readRecords(sourcesFile, Source);
    return measured(call, {
      items: askedQuestions(call.file, call.asked),
      find: (record) => record,
      async figures(records) {
        const seconds = stopwatch();
        const { judged, times, failed } = await judgedInThreads(records, sourcesFile, call.say);
        const byBm25 = sentencesByBm25(sources);
        return {
          n: records.length,
          ...figuresOf(judged),
          failed,
          seconds: seconds(),
          // Milliseconds a question.
          msByActivity: Object.fromEntries(
            [...times].map(([name, ms]) => [name, rounded(ms / Math.max(1, records.length), 1)]),
          ),
          // The best sentences of the whole collection, without a threshold: it answers everything.
          baseline: figuresOf(
            records.map((record) =>
              judgeSentences(record, byBm25(record.question).slice(0, BASELINE_SENTENCES)),
            ),
          ),
        };
      },
    });
  },
};

/** What was judged of each record's report, in their order, and how many could not be made. */
async function judgedInThreads(
  records: readonly AskedQuestion[],
  sourcesFile: string,
  say: (line: string) => void,
): Promise<{ judged: JudgedReport[]; times: Map<string, number>; failed: number }> {
  const judged = new Map<string, JudgedReport>();
  const times = new Map<string, number>();
  let failed = 0;
  const take = (told: FromThread): void => {
    if ('times' in told) {
      for (const [name, ms] of told.times) times.set(name, (times.get(name) ?? 0) + ms);
      return;
    }
    judged.set(told.id, told.judged);
    if (told.failure !== undefined) {
      failed += 1;
      say(`${told.id}: ${told.failure}`);
    }
    if (judged.size % SAID_EVERY === 0 || judged.size === records.length)
      say(`${judged.size} of ${records.length} questions`);
  };
  // One thread takes every second question, the other the rest, so that both have their share of the long ones.
  const threads = Math.min(MOST_THREADS, availableParallelism());
  const shares = Array.from({ length: Math.min(threads, records.length) }, (_, thread) =>
    records.filter((_record, at) => at % threads === thread),
  );
  await Promise.all(shares.map((own) => inThread({ sourcesFile, records: own }, take)));
  return { judged: records.flatMap(({ id }) => judged.get(id) ?? []), times, failed };
}

function inThread(workerData: object, take: (told: FromThread) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(THREAD, { eval: true, workerData });
    worker.on('message', take);
    worker.on('error', reject);
    worker.on('exit', (code) =>
      code === 0 ? resolve() : reject(new Error(`A thread that makes reports ended with ${code}.`)),
    );
  });
}

/** The same of plain ranking: each sentence is a claim of its own. */
function judgeSentences(record: AskedQuestion, sentences: readonly FoundSentence[]): JudgedReport {
  const ids = [...new Set(sentences.map(({ source }) => source))];
  return judgeReport(record, {
    citations: ids.map((sourceId, at) => ({ n: at + 1, sourceId })),
    claims: sentences.map(({ source, text }) => ({
      citations: [ids.indexOf(source) + 1],
      evidence: [{ quote: text }],
    })),
  });
}

/** The figures of a collection from what was judged of each question; shares are means over questions, with the pooled counts. */
function figuresOf(judged: readonly JudgedReport[]): object {
  const answerable = judged.filter(({ isAnswerable }) => isAnswerable);
  const unanswerable = judged.filter(({ isAnswerable }) => !isAnswerable);
  const known = answerable.filter(({ isKnown }) => isKnown);
  const answered = answerable.filter(({ isAnswered }) => isAnswered);
  const withAnswers = answerable.flatMap(({ answers }) => answers ?? []);
  const withEvidence = answerable.flatMap(({ isEvidenceFirst }) => isEvidenceFirst ?? []);
  const evidenceFirst = countOf(withEvidence, (isFirst) => isFirst);
  return {
    answerable: answerable.length,
    answered: answered.length,
    empty: answerable.length - answered.length,
    citedPrecision: meanOf(
      known
        .filter(({ isAnswered }) => isAnswered)
        .map((entry) => entry.relevantCitations / Math.max(1, entry.citations)),
    ),
    citedRecall: meanOf(known.map((entry) => entry.relevantFound / entry.relevantWanted)),
    ...(withAnswers.length > 0
      ? { answersFound: meanOf(withAnswers.map(({ found, of }) => found / of)) }
      : {}),
    ...(withEvidence.length > 0 ? { evidenceAt1: shareOf(withEvidence, (isFirst) => isFirst) } : {}),
    unanswerable: unanswerable.length,
    answeredAnyway: countOf(unanswerable, ({ isAnswered }) => isAnswered),
    counts: {
      citations: sumOf(answered, ({ citations }) => citations),
      relevantCitations: sumOf(answered, ({ relevantCitations }) => relevantCitations),
      relevantFound: sumOf(answerable, ({ relevantFound }) => relevantFound),
      relevantWanted: sumOf(answerable, ({ relevantWanted }) => relevantWanted),
      ...(withAnswers.length > 0
        ? {
            answersFound: sumOf(withAnswers, ({ found }) => found),
            answers: sumOf(withAnswers, ({ of }) => of),
          }
        : {}),
      ...(withEvidence.length > 0 ? { evidenceFirst, withEvidence: withEvidence.length } : {}),
    },
  };
}
