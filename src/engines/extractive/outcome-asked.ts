import type { Finding } from '../../contracts/report/finding';
import type { Encoder } from '../../encoder/encoder';
import { distinctBy } from '../../core/values/distinct-by';
import {
  type Bearing,
  bearingByMeaning,
  bearingByWords,
  bears,
  type TitledText,
} from '../../reading/question/bearing';
import { saysOnWhat } from '../../reading/question/names-cause';
import { type Question, readQuestion } from '../../reading/question/question';

/** One source that has the words for it may have them by chance. */
const LEAST_SOURCES = 2;

/** Titles by the id of their source: what a quote calls `the intervention` is named there. */
export type Titles = ReadonlyMap<string, { title: string }>;

/** The words of a source, and whose they are. */
interface Quoted {
  quote: string;
  sourceId: string;
}

/** How what a source says bears on the question that it is held against. */
export type BearingOf = (quoted: Quoted) => Bearing;

/** What results count for a question that asks for an effect. */
interface Outcome {
  /** Whether sources tell of what the effect is asked on; where they hardly do, every result may be one. */
  isNamed: boolean;
  /** Whether a result is on it, and of what is asked to have it: what a source found of something else is no answer. */
  isOn: (quoted: Quoted) => boolean;
}

/** A question, and what it is held against. */
interface Asking {
  question: string;
  sources: readonly { sourceId: string; title: string }[];
}

/** By what is meant where an effect is asked for and there is an encoder, else by shared words. */
export async function bearingOn(
  { question, sources: given }: Asking,
  findings: readonly Finding[],
  encoder: Encoder | null,
): Promise<BearingOf> {
  const asked = readQuestion(question);
  const sources: Titles = new Map(given.map((source) => [source.sourceId, source]));
  const byWords = bearingByWordsOn(question, sources);
  if (encoder === null || !asked.asksForEffect) return byWords;
  const quotes = distinctBy(
    findings.flatMap(({ evidence }) => evidence),
    keyOf,
  );
  const titled = quotes.map((quoted) => titledText(quoted, sources));
  const meant = await bearingByMeaning(encoder, titled, asked);
  const known = new Map(quotes.map((quoted, at) => [keyOf(quoted), meant[at]]));
  return (quoted) => known.get(keyOf(quoted)) ?? byWords(quoted);
}

export function bearingByWordsOn(question: string, sources: Titles): BearingOf {
  const asked = readQuestion(question);
  return (quoted) => bearingByWords(titledText(quoted, sources), asked);
}

function keyOf({ quote, sourceId }: Quoted): string {
  return `${sourceId} ${quote}`;
}

function titledText({ quote, sourceId }: Quoted, sources: Titles): TitledText {
  return { text: quote, title: sources.get(sourceId)?.title ?? '' };
}

/** Whether a source tells of what is asked to have the effect; what is asked for with `which` has names of its own. */
export function isOfWhatIsAsked(quoted: Quoted, asked: Question, bearingOf: BearingOf): boolean {
  return !asked.asksWhether || bears(bearingOf(quoted).ofCause);
}

export function outcomeIn(findings: readonly Finding[], asked: Question, bearingOf: BearingOf): Outcome {
  const isOnOutcome = (quoted: Quoted): boolean => bears(bearingOf(quoted).onOutcome);
  const telling = findings.flatMap(({ evidence }) =>
    evidence.filter(isOnOutcome).map(({ sourceId }) => sourceId),
  );
  const isNamed = saysOnWhat(asked) && new Set(telling).size >= LEAST_SOURCES;
  return {
    isNamed,
    isOn: (quoted) => (!isNamed || isOnOutcome(quoted)) && isOfWhatIsAsked(quoted, asked, bearingOf),
  };
}
