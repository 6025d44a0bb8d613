import { draw } from '../eval/seeded-draw';
import { plainQuestion, type StudyQuestion } from '../../training/plain-question';
import { busyMs, historyFigures } from './history';
import { readLines } from './measure-models';
import { timed } from './processes';
import { withWorker } from './worker';

const SEED = 14;
/** Asked before what is measured, so that what a worker compiles is compiled. */
const WARMING = 10;
const ALONE = 40;
const AT_ONCE = 20;

/** In milliseconds; `inActivitiesMs` is how long of each an activity was under way. */
export interface AnswersOverStudies {
  sources: number;
  coldMs: number;
  alone: number[];
  together: number[];
  inActivitiesMs: number[];
}

/**
 * Answers from the call to the reply, as a program asks for them: over an opened corpus, through a server, by a worker that is
 * a process of its own. The index is made by the first question; every question is another one.
 */
export function measureAnswers({
  sources,
  questions: file,
}: {
  sources: string;
  questions: string;
}): Promise<AnswersOverStudies> {
  return withWorker(async ({ client, runs }) => {
    const corpus = await runs.openCorpus({ paths: [sources] });
    const ask = (question: string) => timed(() => runs.answer({ question, corpus }));
    const texts = new Set(readLines<StudyQuestion>(file).map((record) => plainQuestion(record)));
    const [first = '', ...questions] = draw([...texts], 1 + WARMING + ALONE + AT_ONCE, SEED);
    const cold = await ask(first);
    for (const question of questions.splice(0, WARMING)) await ask(question);
    const alone = [];
    for (const question of questions.splice(0, ALONE)) alone.push(await ask(question));
    const together = await Promise.all(questions.splice(0, AT_ONCE).map(ask));
    const inActivitiesMs: number[] = [];
    for (const { result } of alone) {
      const history = await client.workflow.getHandle(result.requestId).fetchHistory();
      inActivitiesMs.push(busyMs(historyFigures(history).activities));
    }
    return {
      sources: corpus.count,
      coldMs: cold.ms,
      alone: alone.map(({ ms }) => ms),
      together: together.map(({ ms }) => ms),
      inActivitiesMs,
    };
  });
}
