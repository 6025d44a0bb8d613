import type { Finding } from '../../contracts/report/finding';
import { namesOutcome, touchesCause } from '../../reading/question/names-cause';
import type { Question } from '../../reading/question/question';

/** One source that has the words for it may have them by chance. */
const LEAST_SOURCES = 2;

/** Titles by the id of their source: what a quote calls `the intervention` is named there. */
export type Titles = ReadonlyMap<string, { title: string }>;

/** The words of a source, and whose they are. */
interface Quoted {
  quote: string;
  sourceId: string;
}

/** What results count for a question that asks for an effect. */
interface Outcome {
  /** Whether sources have words for what the effect is asked on; for `health` they hardly do, and every result may be one. */
  isNamed: boolean;
  /** Whether a result is on it, and of what is asked to have it: what a source found of something else is no answer. */
  isOn: (quoted: Quoted) => boolean;
}

/** Whether a source tells of what is asked to have the effect; what is asked for with `which` has names of its own. */
export function isOfWhatIsAsked({ quote, sourceId }: Quoted, asked: Question, sources: Titles): boolean {
  return !asked.asksWhether || touchesCause(`${sources.get(sourceId)?.title ?? ''} ${quote}`, asked);
}

export function outcomeIn(findings: readonly Finding[], asked: Question, sources: Titles): Outcome {
  const isOnOutcome = ({ quote }: Quoted): boolean => namesOutcome(quote, asked);
  const isOfCause = (quoted: Quoted): boolean => isOfWhatIsAsked(quoted, asked, sources);
  const telling = findings.flatMap(({ evidence }) =>
    evidence.filter(isOnOutcome).map(({ sourceId }) => sourceId),
  );
  const isNamed = new Set(telling).size >= LEAST_SOURCES;
  return { isNamed, isOn: (quoted) => (!isNamed || isOnOutcome(quoted)) && isOfCause(quoted) };
}
