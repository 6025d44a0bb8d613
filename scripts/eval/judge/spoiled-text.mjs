// A text made worse on purpose in one dimension; null where it has nothing of the kind to spoil.
import { built } from '../built.mjs';
import { withOtherNumber } from '../corrupting/other-number.mjs';

/** Of what could be changed so much is. */
const NUMBERS_CHANGED = 1 / 3;
const SOURCES_KEPT = 1 / 4;
const FEWEST_OF_A_SIDE = 3;
const FEWEST_PARAGRAPHS = 4;

export const SPOILS = {
  factualAccuracy: numbersChanged,
  completeness: sectionDropped,
  coverage: sourcesNarrowed,
  coherence: paragraphsShuffled,
  bias: sideRemoved,
};

function numbersChanged(text, { topics }, random) {
  const all = topics.flatMap(({ statements }) => statements.map((statement) => statement.text)).join('\n');
  let changed = 0;
  const spoiled = eachSentence(text, (sentence) => {
    if (!/\d/.test(sentence.text) || random() >= NUMBERS_CHANGED) return [sentence];
    const other = withOtherNumber(sentence.text, all, random);
    if (other === null) return [sentence];
    changed += 1;
    return [{ ...sentence, text: other }];
  });
  return changed === 0 ? null : spoiled;
}

function sectionDropped(text, _material, random) {
  const body = text.filter(({ role }) => role === 'body');
  const dropped = body[Math.floor(random() * body.length)];
  return body.length < 2 ? null : text.filter((part) => part !== dropped);
}

/** Few sources are left: what others said is replaced by what those say besides, as far as they do. */
function sourcesNarrowed(text, { topics, sources }, random) {
  const kept = new Set(
    shuffled(sources, random)
      .slice(0, Math.ceil(sources.length * SOURCES_KEPT))
      .map(({ sourceId }) => sourceId),
  );
  const told = new Set(text.flatMap(({ paragraphs }) => paragraphs.flat().map((sentence) => sentence.text)));
  const isKept = ({ sourceIds }) => sourceIds.every((id) => kept.has(id));
  const unused = topics.map(({ id, statements }) => ({
    id,
    statements: statements.filter((statement) => isKept(statement) && !told.has(statement.text)),
  }));
  return text.map((part) => {
    const more = unused.find(({ id }) => id === part.id)?.statements ?? [];
    return {
      ...part,
      paragraphs: part.paragraphs.map((paragraph) =>
        paragraph.flatMap((sentence) => (isKept(sentence) ? [sentence] : more.splice(0, 1))),
      ),
    };
  });
}

/** All paragraphs of the body change places, whatever part they stand in. */
function paragraphsShuffled(text, _material, random) {
  const all = text.filter(({ role }) => role === 'body').flatMap(({ paragraphs }) => paragraphs);
  if (all.length < FEWEST_PARAGRAPHS) return null;
  const others = shuffled(all, random);
  return text.map((part) =>
    part.role === 'body' ? { ...part, paragraphs: part.paragraphs.map(() => others.shift()) } : part,
  );
}

/** One side of each disagreement is gone; where there is none, all results that go one of the three ways, not the commonest. */
function sideRemoved(text, { conflicts }, random) {
  if (conflicts.length > 0) {
    const sides = conflicts.map(({ viewpoints }) => viewpoints[Math.floor(random() * viewpoints.length)]);
    const gone = new Set(sides.flatMap(({ quotes }) => quotes));
    return eachSentence(text, (sentence) => (gone.has(sentence.text) ? [] : [sentence]));
  }
  const { effectsTold } = built('language/direction.js');
  const wayOf = (effect) => ({ more: 'up', better: 'up', less: 'down', worse: 'down', none: 'none' })[effect];
  const waysOf = (sentence) => effectsTold(sentence.text).map(wayOf);
  const told = text.flatMap(({ paragraphs }) => paragraphs.flat().flatMap(waysOf));
  const ways = ['up', 'down', 'none']
    .map((way) => ({ way, times: told.filter((other) => other === way).length }))
    .sort((a, b) => b.times - a.times);
  const [, gone] = ways;
  if (gone.times < FEWEST_OF_A_SIDE) return null;
  return eachSentence(text, (sentence) => (waysOf(sentence).includes(gone.way) ? [] : [sentence]));
}

function eachSentence(text, change) {
  return text.map((part) => ({
    ...part,
    paragraphs: part.paragraphs.map((paragraph) => paragraph.flatMap(change)),
  }));
}

function shuffled(items, random) {
  return items
    .map((item) => ({ item, key: random() }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item);
}
