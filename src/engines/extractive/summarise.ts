import type { Passage } from '../../core/contracts/passage';
import { MAX_SUMMARY_CHARS } from '../../core/contracts/source';
import { topicOf, type Topic } from '../../core/topic/topic';
import { stemSet } from '../../core/topic/question-concepts';
import { acronymsIn } from '../../core/worth/acronyms';
import { assessSentence } from '../../core/worth/assess-sentence';
import { contentStems, sentenceLikeness } from '../../core/worth/content-stems';
import type { Genre } from '../../core/worth/kinds';
import type { Zone } from '../../core/worth/zones';
import { type SourceSentence, genreOf, sentencesOf } from '../../core/worth/source-sentences';
import type { SummariseInput, SummariseOutput } from '../../steps/summarise';

const MAX_BODY_SENTENCES = 80;
const BODY_ZONES: ReadonlySet<Zone> = new Set([
  'results',
  'conclusions',
  'discussion',
  'unknown',
  'abstract',
  'background',
  'methods',
  'instructions',
]);
const NEARLY_SAME = 0.5;
/** From this fit on a sentence names the outcome that is asked about, in whatever words. */
const NAMES_OUTCOME = 0.3;
const MOST_ON_OUTCOME = 2;

interface Weighed {
  sentence: SourceSentence;
  weight: number;
  order: number;
}

/** Summarises each source by its own sentences, results and conclusions with their figures first, in at most 1,000 characters. */
export function summariseExtractively({ question, sources }: SummariseInput): SummariseOutput {
  const topic = topicOf(question, null, []);
  return {
    summaries: sources.map(({ sourceId, title, passages }) => ({
      sourceId,
      summary: summaryOf(title, passages, topic),
    })),
  };
}

function summaryOf(title: string, passages: readonly Passage[], topic: Topic): string {
  const genre = genreOf(passages);
  const knownAcronyms = new Set(
    acronymsIn(
      passages
        .slice(0, 12)
        .map(({ text }) => text)
        .join(' '),
    ),
  );
  const sentences = passages.flatMap(sentencesOf);
  const ordered = sentences.map((sentence, order) => ({ sentence, order }));
  const inAbstract = ordered.filter(({ sentence }) => sentence.inAbstract);
  const weighed = weigh(inAbstract, genre, topic, knownAcronyms);
  if (lengthOf(weighed) < MAX_SUMMARY_CHARS) {
    const rest = ordered.filter(({ sentence }) => !sentence.inAbstract && BODY_ZONES.has(sentence.zone));
    weighed.push(
      ...weigh(
        [...rest.filter(concludes), ...rest.filter((one) => !concludes(one))].slice(0, MAX_BODY_SENTENCES),
        genre,
        topic,
        knownAcronyms,
      ),
    );
  }
  const asked = onOutcome(ordered, genre, topic, knownAcronyms);
  const chosen = fill([
    ...asked,
    ...weighed.filter(({ order }) => !asked.some((one) => one.order === order)),
  ]);
  if (lengthOf(chosen) < MAX_SUMMARY_CHARS / 3) chosen.push(...fill(leading(sentences, chosen), chosen));
  const text = chosen
    .sort((one, other) => Number(other.weight > 0) - Number(one.weight > 0) || one.order - other.order)
    .map(({ sentence }) => sentence.text.replace(/\s+/g, ' '))
    .join(' ');
  return text === '' ? fallback(title, passages) : text;
}

/**
 * The best results on what the question asks to be changed, wherever they stand: an abstract need not mention all that
 * was measured, and a source is found by its summary.
 */
function onOutcome(
  sentences: readonly { sentence: SourceSentence; order: number }[],
  genre: Genre,
  topic: Topic,
  knownAcronyms: ReadonlySet<string>,
): Weighed[] {
  if (topic.outcomeStems.size === 0) return [];
  const starts = [...topic.outcomeStems].map((stem) => stem.slice(0, 6));
  const speaking = sentences.filter(({ sentence }) => {
    if (!BODY_ZONES.has(sentence.zone)) return false;
    const lower = sentence.text.toLowerCase();
    return (
      starts.some((start) => lower.includes(start)) &&
      topic.outcomeFit(stemSet(sentence.text)) >= NAMES_OUTCOME
    );
  });
  return weigh(speaking, genre, topic, knownAcronyms).slice(0, MOST_ON_OUTCOME);
}

function concludes({ sentence }: { sentence: SourceSentence }): boolean {
  return sentence.zone === 'conclusions';
}

/** The sentences that are worth reporting, best first. */
function weigh(
  sentences: readonly { sentence: SourceSentence; order: number }[],
  genre: Genre,
  topic: Topic,
  knownAcronyms: ReadonlySet<string>,
): Weighed[] {
  return sentences
    .map(({ sentence, order }): Weighed => {
      const { worth } = assessSentence(sentence.text, {
        zone: sentence.zone,
        genre,
        inAbstract: sentence.inAbstract,
        knownAcronyms,
      });
      const fit = worth > 0 ? 0.6 + 0.4 * topic.questionFit(stemSet(sentence.text)) : 0;
      return { sentence, weight: worth * fit * (sentence.inAbstract ? 1.5 : 1), order };
    })
    .filter(({ weight }) => weight > 0)
    .sort((one, other) => other.weight - one.weight || one.order - other.order);
}

/** Sentences by weight until the summary is full; one that says the same as another is left out. */
function fill(weighed: readonly Weighed[], already: readonly Weighed[] = []): Weighed[] {
  const taken: Weighed[] = [];
  const stems = already.map(({ sentence }) => new Set(contentStems(sentence.text)));
  let length = lengthOf(already);
  for (const candidate of weighed) {
    const own = new Set(contentStems(candidate.sentence.text));
    if (length + candidate.sentence.text.length + 1 > MAX_SUMMARY_CHARS) continue;
    if (stems.some((other) => sentenceLikeness(own, other) >= NEARLY_SAME)) continue;
    taken.push(candidate);
    stems.push(own);
    length += candidate.sentence.text.length + 1;
  }
  return taken;
}

/** Where a source has no results to tell (a protocol, a note), its own first sentences say what it is about. */
function leading(sentences: readonly SourceSentence[], chosen: readonly Weighed[]): Weighed[] {
  const taken = new Set(chosen.map(({ sentence }) => sentence));
  return sentences
    .map((sentence, order) => ({ sentence, weight: 0, order }))
    .filter(({ sentence }) => !taken.has(sentence) && isPlain(sentence))
    .sort(
      (one, other) =>
        Number(other.sentence.inAbstract) - Number(one.sentence.inAbstract) || one.order - other.order,
    )
    .slice(0, 12);
}

function isPlain({ text, zone }: SourceSentence): boolean {
  if (/^(?:[A-Z]{4,}|Title|Keywords?)\b ?:/.test(text)) return false;
  if (zone === 'references' || zone === 'back-matter' || zone === 'title') return false;
  return (
    /^["'“(]?[\p{Lu}\d`]/u.test(text) &&
    /[.!?]["'”)]*$/.test(text) &&
    text.length >= 30 &&
    !/https?:|[|{}<>\\]|\]\(|!\[/.test(text)
  );
}

/** Whatever text there is, cut at a word. */
function fallback(title: string, passages: readonly Passage[]): string {
  const text = (passages.map((passage) => passage.text).join(' ') || title).replace(/\s+/g, ' ').trim();
  if (text.length <= MAX_SUMMARY_CHARS) return text === '' ? title : text;
  const cut = text.slice(0, MAX_SUMMARY_CHARS - 1);
  const space = cut.lastIndexOf(' ');
  return `${(space > MAX_SUMMARY_CHARS / 2 ? cut.slice(0, space) : cut).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

function lengthOf(chosen: readonly Weighed[]): number {
  return chosen.reduce((sum, { sentence }) => sum + sentence.text.length + 1, 0);
}
