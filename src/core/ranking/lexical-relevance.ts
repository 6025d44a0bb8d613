import { termFinder } from '../../language/term-finder';
import { terms } from '../../language/words';

export interface WantedTopic {
  title: string;
  description: string;
  subsections: readonly { title: string }[];
}

export interface RankedText {
  title: string;
  summary: string;
}

/**
 * How much of each topic each text has in its words, 0–1: the share of the topic's words that it holds, rarer ones weighing
 * more, set against the text that holds most. One list for each topic, in the order of the texts.
 */
export function lexicalRelevance(topics: readonly WantedTopic[], texts: readonly RankedText[]): number[][] {
  return relevanceOfHeld(topics, heldWords(topics, texts));
}

/** Which of the topics' words each text holds: all that has to be known of it, so that a large collection is read in parts. */
export function heldWords(topics: readonly WantedTopic[], texts: readonly RankedText[]): string[][] {
  const find = termFinder(new Set(topics.flatMap((topic) => [...wordsOf(topic).keys()])));
  return texts.map(({ title, summary }) => [...find(`${title} ${summary}`)]);
}

/** As `lexicalRelevance`, by what all texts hold. */
export function relevanceOfHeld(topics: readonly WantedTopic[], held: readonly string[][]): number[][] {
  const holders = new Map<string, number>();
  for (const words of held) for (const word of words) holders.set(word, (holders.get(word) ?? 0) + 1);
  return topics.map((topic) => {
    const weights = [...wordsOf(topic)].map(
      ([word, weight]) =>
        [word, weight * Math.log(1 + held.length / (1 + (holders.get(word) ?? 0)))] as const,
    );
    const shares = held.map((words) =>
      weights.reduce((sum, [word, weight]) => sum + (words.includes(word) ? weight : 0), 0),
    );
    const most = shares.reduce((best, share) => Math.max(best, share), 0);
    return shares.map((share) => (most === 0 ? 0 : share / most));
  });
}

function wordsOf({ title, description, subsections }: WantedTopic): Map<string, number> {
  return topicWords(title, [description, ...subsections.map((subsection) => subsection.title)]);
}

/** The words of what is to be covered; those of the title count twice. */
export function topicWords(title: string, further: readonly string[]): Map<string, number> {
  const [ofTitle, others] = [terms(title), terms(further.join(' '))];
  return new Map([...others.map((word) => [word, 1] as const), ...ofTitle.map((word) => [word, 2] as const)]);
}
