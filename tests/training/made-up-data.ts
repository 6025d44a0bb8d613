import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const PLACES = ['Aldern', 'Brimwick', 'Corrie', 'Dunmore', 'Elsing', 'Farrow'];
const CROPS = ['barley', 'beans', 'clover', 'oats', 'peas', 'rye'];

/** Articles, questions and claims in the formats of the real ones, of which no sentence is anybody's. */
export function writeMadeUpData(folder: string): void {
  const articles = PLACES.map(article);
  // Words that stand in few sentences are left out.
  const others = PLACES.flatMap((place, at) =>
    ['North', 'South'].map((side) => ({ ...article(`${side} ${place}`, at), id: `${side}-farm-${at}` })),
  );
  write(folder, 'studies', 'sources.jsonl', [...articles, ...others].map(toLine));
  write(folder, 'studies', 'questions.jsonl', articles.slice(0, 4).map(question).map(toLine));
  write(
    folder,
    'studies',
    'without-questions.txt',
    [...articles.slice(2), ...others].map(({ id }) => id),
  );
  write(folder, 'attribution', 'wice-dev.jsonl', PLACES.map(claim).map(toLine));
  write(folder, 'relevance', 'open-dev.jsonl', PLACES.map(gradedQuestion).map(toLine));
}

/** Marks of sentences of these articles, in the places of the project's own in a copy of it. */
export function writeMadeUpMarks(folder: string): void {
  const marks = PLACES.flatMap((place, at) => {
    const { id, content } = article(place, at);
    return [...content.matchAll(/[^.\n]+(?:\(p = 0\.0\d\))?[^.\n]*\./g)].map(({ 0: text, index }) => {
      const side = text.startsWith('The yield') ? 'effect' : text.includes(' no diff') ? 'none' : 'neither';
      return { source_id: id, start: index, end: index + text.length, side };
    });
  });
  const asked = marks.map((mark, at) => ({
    ...mark,
    question: `Does ${at % 2 === 0 ? 'compost' : 'lime'} raise the yield?`,
    cause: at % 2 === 0,
    outcome: mark.side === 'effect',
  }));
  write(join(folder, 'training'), 'data', 'sides.jsonl', marks.map(toLine));
  write(join(folder, 'training'), 'data', 'asked-results.jsonl', asked.map(toLine));
  write(join(folder, 'scripts', 'eval'), 'data', 'asked-results.jsonl', asked.slice(0, 1).map(toLine));
}

interface Article {
  id: string;
  title: string;
  content: string;
}

function article(place: string, at: number): Article {
  const crop = CROPS[at] ?? '';
  const content = [
    'ABSTRACT.BACKGROUND:',
    `Soils near ${place} are poor. It is not known what the farms there could do about it.`,
    'ABSTRACT.METHODS:',
    `Farms near ${place} were assigned to compost or to no compost. We measured the yield of ${crop} at harvest.`,
    'ABSTRACT.RESULTS:',
    `The yield of ${crop} was significantly higher with compost than without (p = 0.0${at + 1}). There were no differences in weeds.`,
    'BODY.DISCUSSION:',
    `Compost is cheap near ${place}. More farms could try it with ${crop} next year.`,
  ];
  return { id: `farm-${at}`, title: `Compost and ${crop}`, content: content.join('\n') };
}

function question({ id, content }: Article, at: number): object {
  const text = content.split('\n').find((line) => line.startsWith('The yield')) ?? '';
  const start = content.indexOf(text);
  return {
    source_id: id,
    intervention: 'compost',
    comparator: 'no compost',
    outcome: `the yield of ${CROPS[at] ?? ''}`,
    evidence: [{ start, end: start + text.indexOf('.'), text }],
  };
}

function gradedQuestion(place: string, at: number): object {
  const crop = CROPS[at] ?? '';
  const answerable = at % 2 === 0;
  return {
    id: `open-${at}`,
    question:
      at % 3 === 0 ? `Does compost raise the yield of ${crop}?` : `How much ${crop} grows near ${place}?`,
    answerable,
    sentences: [
      `Compost raised the yield of ${crop} near ${place} by ${at + 2} %, significantly so.`,
      `This study aims to examine compost and ${crop}.`,
      'The ferry leaves at nine.',
    ],
    titles: [`Compost and ${crop}`, `Compost and ${crop}`, 'Ferries'],
    grades: answerable ? [3, 1, 0] : [2, 1, 0],
  };
}

function claim(place: string, at: number): object {
  const year = 1901 + at;
  const isSupported = at % 3 < 2;
  return {
    id: `page-${at}`,
    claim: isSupported
      ? `The market of ${place} opened in ${year} with ${at + 12} stalls, and sold ${CROPS[at] ?? ''}.`
      : `The market of ${place} closed in ${year + 50}, when ${at + 12} Welsh traders left the coast.`,
    evidence: [
      `(meta data) TITLE: The market of ${place}`,
      `Visitors come to ${place} by train from the coast.`,
      `In ${year} the market of ${place} opened with ${at + 12} stalls.`,
      `Farmers sold ${CROPS[at] ?? ''} there on Saturdays.`,
      'Tickets for the museum are sold at the door.',
    ],
    label: isSupported ? 'supported' : 'not_supported',
    supporting_sentences: [[2, 3]],
  };
}

function write(folder: string, part: string, name: string, lines: readonly string[]): void {
  mkdirSync(join(folder, part), { recursive: true });
  writeFileSync(join(folder, part, name), lines.map((line) => `${line}\n`).join(''));
}

function toLine(value: object): string {
  return JSON.stringify(value);
}
