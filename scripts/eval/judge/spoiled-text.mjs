// A text made worse on purpose in one dimension; null where it has nothing of the kind to spoil.
import { built } from '../built.mjs';
import { withOtherNumber } from '../corrupting/other-number.mjs';
import { shuffled } from '../draw.mjs';

/** How much is spoiled: as the issue has it, and so little that a reader might overlook it. */
export const DEGREES = {
  plain: { numbers: 1 / 3, sections: 1, sourcesKept: 1 / 4, within: 'text', sides: 'all' },
  slight: { numbers: 1 / 15, sections: 1 / 2, sourcesKept: 2 / 3, within: 'part', sides: 'one' },
};
const FEWEST_OF_A_SIDE = 3;
const FEWEST_PARAGRAPHS = 4;

export const SPOILS = {
  factualAccuracy: numbersChanged,
  completeness: sectionDropped,
  coverage: sourcesNarrowed,
  coherence: paragraphsShuffled,
  bias: sideRemoved,
};

/** So many of the numbers, one at least. */
function numbersChanged(text, { topics }, { numbers }, random) {
  const all = topics.flatMap(({ statements }) => statements.map((statement) => statement.text)).join('\n');
  const figured = text.flatMap(({ paragraphs }) => paragraphs.flat()).filter((one) => /\d/.test(one.text));
  const chosen = new Set(shuffled(figured, random).slice(0, Math.ceil(numbers * figured.length)));
  let changed = 0;
  const spoiled = eachSentence(text, (sentence) => {
    const other = chosen.has(sentence) ? withOtherNumber(sentence.text, all, random) : null;
    if (other === null) return [sentence];
    changed += 1;
    return [{ ...sentence, text: other }];
  });
  return changed === 0 ? null : spoiled;
}

/** A section is gone, or the latter part of its paragraphs. */
function sectionDropped(text, _material, { sections }, random) {
  const body = text.filter(({ role }) => role === 'body');
  const dropped = body[Math.floor(random() * body.length)];
  if (body.length < 2) return null;
  if (sections === 1) return text.filter((part) => part !== dropped);
  const kept = Math.floor(dropped.paragraphs.length * (1 - sections));
  return text.map((part) =>
    part === dropped ? { ...part, paragraphs: part.paragraphs.slice(0, kept) } : part,
  );
}

/** Few sources are left: what others said is replaced by what those say besides, as far as they do. */
function sourcesNarrowed(text, { topics, sources }, { sourcesKept }, random) {
  const kept = new Set(
    shuffled(sources, random)
      .slice(0, Math.ceil(sources.length * sourcesKept))
      .map(({ sourceId }) => sourceId),
  );
  const told = new Set(text.flatMap(({ paragraphs }) => paragraphs.flat().map((sentence) => sentence.text)));
  const isKept = ({ sourceIds }) => sourceIds.every((id) => kept.has(id));
  const unused = new Map(
    topics.map(({ id, statements }) => [
      id,
      statements.filter((statement) => isKept(statement) && !told.has(statement.text)),
    ]),
  );
  return eachSentence(text, (sentence, { id }) =>
    isKept(sentence) ? [sentence] : (unused.get(id) ?? []).splice(0, 1),
  );
}

/** All paragraphs of the body change places, whatever part they stand in, or within their parts. */
function paragraphsShuffled(text, _material, { within }, random) {
  const body = text.filter(({ role }) => role === 'body');
  const all = body.flatMap(({ paragraphs }) => paragraphs);
  if (all.length < FEWEST_PARAGRAPHS) return null;
  const others = shuffled(all, random);
  return text.map((part) => {
    if (part.role !== 'body') return part;
    const paragraphs =
      within === 'part' ? shuffled(part.paragraphs, random) : part.paragraphs.map(() => others.shift());
    return { ...part, paragraphs };
  });
}

/** One side of each disagreement is gone; where there is none, all results that go one of the three ways, not the commonest. */
function sideRemoved(text, { conflicts }, { sides }, random) {
  const told = conflicts.filter(({ viewpoints }) => viewpoints.every((side) => isToldIn(text, side)));
  if (told.length > 0) {
    const spoiled = sides === 'all' ? told : told.slice(0, 1);
    const gone = spoiled.map(({ viewpoints }) => viewpoints[Math.floor(random() * viewpoints.length)]);
    const left = spoiled.flatMap(({ viewpoints }) => viewpoints.filter((side) => !gone.includes(side)));
    return eachSentence(text, (sentence) =>
      // Of a sentence that tells both sides the other one stays.
      gone.some((side) => tells(sentence, side)) ? left.filter((side) => tells(sentence, side)) : [sentence],
    );
  }
  const { effectsTold } = built('language/direction.js');
  const wayOf = { more: 'up', better: 'up', less: 'down', worse: 'down', none: 'none' };
  const waysOf = (sentence) => effectsTold(sentence.text).map((effect) => wayOf[effect]);
  const all = text.flatMap(({ paragraphs }) => paragraphs.flat().flatMap(waysOf));
  const timesOf = (way) => all.filter((other) => other === way).length;
  const [, gone] = [...new Set(all)].sort((a, b) => timesOf(b) - timesOf(a));
  if (gone === undefined || timesOf(gone) < FEWEST_OF_A_SIDE) return null;
  return eachSentence(text, (sentence) => (waysOf(sentence).includes(gone) ? [] : [sentence]));
}

function isToldIn(text, side) {
  return text.some(({ paragraphs }) => paragraphs.flat().some((sentence) => tells(sentence, side)));
}

/** A sentence may have words of its writer around the quote. */
function tells({ text }, { quotes }) {
  return quotes.some((quote) => text.includes(quote.slice(0, -1)));
}

function eachSentence(text, change) {
  return text.map((part) => ({
    ...part,
    paragraphs: part.paragraphs.map((paragraph) => paragraph.flatMap((sentence) => change(sentence, part))),
  }));
}
