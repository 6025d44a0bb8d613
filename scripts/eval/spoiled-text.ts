// A text made worse on purpose in one dimension; null where it has nothing of the kind to spoil.
import { withOtherNumber } from './corruptions';
import { oneOf, present, shuffled } from './seeded-draw';
import { countOf } from './figures';
import type { JudgedMaterial, Sentence, Side, TextPart } from './judged-text';
import * as product from './product';

export const DEGREES = ['plain', 'slight'] as const;
export type Degree = (typeof DEGREES)[number];

/** How much is spoiled: as the issue has it, and so little that a reader might overlook it. */
const AMOUNTS = {
  plain: { numbers: 1 / 3, sections: 1, sourcesKept: 1 / 4, within: 'text', sides: 'all' },
  slight: { numbers: 1 / 15, sections: 1 / 2, sourcesKept: 2 / 3, within: 'part', sides: 'one' },
};
const FEWEST_OF_A_SIDE = 3;
const FEWEST_PARAGRAPHS = 4;

type Spoil = (
  text: readonly TextPart[],
  material: JudgedMaterial,
  degree: Degree,
  random: () => number,
) => TextPart[] | null;

function sentencesOf(text: readonly TextPart[]): Sentence[] {
  return text.flatMap(({ paragraphs }) => paragraphs.flat());
}

function eachSentence(
  text: readonly TextPart[],
  change: (sentence: Sentence, part: TextPart) => Sentence[],
): TextPart[] {
  return text.map((part) => ({
    ...part,
    paragraphs: part.paragraphs.map((paragraph) => paragraph.flatMap((sentence) => change(sentence, part))),
  }));
}

/** So many of the numbers, one at least. */
const numbersChanged: Spoil = (text, { topics }, degree, random) => {
  const all = topics.flatMap(({ statements }) => statements.map((statement) => statement.text)).join('\n');
  const figured = sentencesOf(text).filter((one) => /\d/.test(one.text));
  const many = Math.ceil(AMOUNTS[degree].numbers * figured.length);
  const chosen = new Set(shuffled(figured, random).slice(0, many));
  let changed = 0;
  const spoiled = eachSentence(text, (sentence) => {
    const other = chosen.has(sentence) ? withOtherNumber(sentence.text, all, random) : null;
    if (other === null) return [sentence];
    changed += 1;
    return [{ ...sentence, text: other }];
  });
  return changed === 0 ? null : spoiled;
};

/** A section is gone, or the latter part of its paragraphs. */
const sectionDropped: Spoil = (text, _material, degree, random) => {
  const { sections } = AMOUNTS[degree];
  const body = text.filter(({ role }) => role === 'body');
  if (body.length < 2) return null;
  const dropped = oneOf(body, random);
  if (sections === 1) return text.filter((part) => part !== dropped);
  const kept = Math.floor(dropped.paragraphs.length * (1 - sections));
  return text.map((part) =>
    part === dropped ? { ...part, paragraphs: part.paragraphs.slice(0, kept) } : part,
  );
};

/** Few sources are left: what others said is replaced by what those say besides, as far as they do. */
const sourcesNarrowed: Spoil = (text, { topics, sources }, degree, random) => {
  const many = Math.ceil(sources.length * AMOUNTS[degree].sourcesKept);
  const kept = new Set(
    shuffled(sources, random)
      .slice(0, many)
      .map(({ sourceId }) => sourceId),
  );
  const told = new Set(sentencesOf(text).map((sentence) => sentence.text));
  const isKept = ({ sourceIds }: Sentence): boolean => sourceIds.every((id) => kept.has(id));
  const unused = new Map(
    topics.map(({ id, statements }) => [
      id,
      statements.filter((statement) => isKept(statement) && !told.has(statement.text)),
    ]),
  );
  return eachSentence(text, (sentence, { id }) =>
    isKept(sentence) ? [sentence] : (unused.get(id) ?? []).splice(0, 1),
  );
};

/** All paragraphs of the body change places, whatever part they stand in, or within their parts. */
const paragraphsShuffled: Spoil = (text, _material, degree, random) => {
  const all = text.filter(({ role }) => role === 'body').flatMap(({ paragraphs }) => paragraphs);
  if (all.length < FEWEST_PARAGRAPHS) return null;
  const others = shuffled(all, random);
  return text.map((part) => {
    if (part.role !== 'body') return part;
    const paragraphs =
      AMOUNTS[degree].within === 'part'
        ? shuffled(part.paragraphs, random)
        : part.paragraphs.map(() => present(others.shift()));
    return { ...part, paragraphs };
  });
};

/** One side of each disagreement is gone; where there is none, all results that go one of the three ways, not the commonest. */
const sideRemoved: Spoil = (text, { conflicts }, degree, random) => {
  const isToldIn = (side: Side): boolean => sentencesOf(text).some((sentence) => tells(sentence, side));
  const told = conflicts.filter(({ viewpoints }) => viewpoints.every(isToldIn));
  if (told.length > 0) {
    const spoiled = AMOUNTS[degree].sides === 'all' ? told : told.slice(0, 1);
    const gone = spoiled.map(({ viewpoints }) => oneOf(viewpoints, random));
    const left = spoiled.flatMap(({ viewpoints }) => viewpoints.filter((side) => !gone.includes(side)));
    return eachSentence(text, (sentence) =>
      // Of a sentence that tells both sides the other one stays.
      gone.some((side) => tells(sentence, side)) ? left.filter((side) => tells(sentence, side)) : [sentence],
    );
  }
  const wayOf = { more: 'up', better: 'up', less: 'down', worse: 'down', none: 'none' };
  const waysOf = (sentence: Sentence): string[] =>
    product.effectsTold(sentence.text).map((effect) => wayOf[effect]);
  const all = sentencesOf(text).flatMap(waysOf);
  const timesOf = (way: string): number => countOf(all, (other) => other === way);
  const [, gone] = [...new Set(all)].sort((a, b) => timesOf(b) - timesOf(a));
  if (gone === undefined || timesOf(gone) < FEWEST_OF_A_SIDE) return null;
  return eachSentence(text, (sentence) => (waysOf(sentence).includes(gone) ? [] : [sentence]));
};

/** A sentence may have words of its writer around the quote. */
function tells({ text }: Sentence, { quotes }: Side): boolean {
  return quotes.some((quote) => text.includes(quote.slice(0, -1)));
}

export const SPOILS = {
  factualAccuracy: numbersChanged,
  completeness: sectionDropped,
  coverage: sourcesNarrowed,
  coherence: paragraphsShuffled,
  bias: sideRemoved,
};
