// One file: what is counted of briefs, and the subtopics that they are made of, which nothing else is measured on.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ownQuestions } from '../answering';
import {
  findingsOf,
  materialOf,
  subtopicOf,
  writeABrief,
  type Finding,
  type GivenBrief,
  type Material,
  type WrittenBrief,
} from '../briefs';
import { draw, present } from '../seeded-draw';
import { countOf, share, shareOf, sumOf } from '../figures';
import * as product from '../product';
import { readRecords } from '../records';
import { studySubtopics } from '../study-subtopics';
import type { Call, Suite } from '../suite';
import { wordsIn } from '../texts';
import { Source } from './collection';

const TARGETS = [10_000, 3_000, 1_000];
/** Where more is wanted than the material has, nothing is padded: the length says nothing then. */
const ENOUGH = 1.15;
const WITHIN = 0.15;
const A_THIRD = 3;

/**
 * Briefs made of the studies and of other collections, at several lengths, by the steps themselves. `--explain` prints one
 * (`studies 1000`), `--write` writes the subtopics of the studies.
 */
export const briefs: Suite = {
  usage: 'briefs FOLDER [--seed S] [--explain "NAME WORDS"] [--write SUBTOPICS.json]',
  options: ['seed', 'explain', 'write'],
  measure: (call) => (call.write === undefined ? writtenBriefs(call) : writeStudySubtopics(call, call.write)),
};

/** Writes the twelve subtopics of the studies as `colligate brief --subtopics` reads them, and says what they answer. */
function writeStudySubtopics({ file: folder, seed }: Call, to: string): object {
  const { question, subtopics } = studySubtopics(join(folder, 'studies'), seed);
  const given = subtopics.map(({ title, summary, sources }) => ({ subtopic: title, summary, sources }));
  writeFileSync(to, `${JSON.stringify({ subtopics: given }, null, 1)}\n`);
  return {
    question,
    subtopics: subtopics.length,
    sources: sumOf(subtopics, ({ sources }) => sources.length),
  };
}

interface NamedBrief extends GivenBrief {
  name: string;
  kindOf?: (claim: string) => string | undefined;
}

async function writtenBriefs({ file: folder, seed, explain, say }: Call): Promise<object> {
  const given: NamedBrief[] = [
    studySubtopics(join(folder, 'studies'), seed),
    ...reportSubtopics(join(folder, 'collections/reports')),
    ...['science', 'web'].map((name) => questionSubtopics(join(folder, 'collections', name), name)),
  ];
  const figures = [];
  for (const one of given) {
    const material = materialOf(one);
    const whole = await writeABrief(one, material, null);
    const written = [];
    for (const target of TARGETS.filter((words) => words * ENOUGH <= whole.words))
      written.push({ target, brief: await writeABrief(one, material, target) });
    const third = await writeABrief(one, material, Math.round(whole.words / A_THIRD));
    for (const { target, brief } of [...written, { target: 'whole', brief: whole }])
      if (explain === `${one.name} ${target}`) say(brief.markdown);
    const lengths = written.map(({ target, brief }) => briefFigures(brief, material, target));
    figures.push({
      name: one.name,
      wholeWords: whole.words,
      conflicts: material.conflicts.length,
      lengths,
      told: [...[whole, third].map((brief) => briefFigures(brief, material)), ...lengths],
      ...(one.kindOf === undefined ? {} : { cut: bestKept(third, material, one.kindOf) }),
    });
  }
  if (explain === undefined) say(JSON.stringify(figures, null, 1));
  const bearing: [string, unknown][] = [];
  for (const name of ['web', 'encyclopedia']) {
    const told = await answerBearing(join(folder, 'collections', name), seed);
    bearing.push(...Object.entries(told).map(([key, value]): [string, unknown] => [`${name}.${key}`, value]));
  }
  const all = figures.flatMap(({ told }) => told);
  const lengths = figures.flatMap((one) => one.lengths);
  const sum = (key: keyof (typeof all)[number]): number => sumOf(all, (one) => one[key] ?? 0);
  return {
    n: all.length,
    collections: figures.length,
    lengths: lengths.length,
    withinLength: countOf(lengths, ({ offTarget }) => (offTarget ?? 0) <= WITHIN) / lengths.length,
    subtopicsMissing: sum('subtopics') - sum('subtopicsTold'),
    toldTwice: sum('toldTwice'),
    notWordForWord: sum('notWordForWord'),
    numbersElsewhere: sum('numbersElsewhere'),
    citationsUnknown: sum('citationsUnknown'),
    notInText: sum('notInText'),
    claims: sum('statements'),
    ...figures[0]?.cut,
    ...Object.fromEntries(bearing),
  };
}

interface BriefFigures {
  words: number;
  offTarget?: number | null;
  subtopicsTold: number;
  subtopics: number;
  toldTwice: number;
  notWordForWord: number;
  numbersElsewhere: number;
  citationsUnknown: number;
  notInText: number;
  statements: number;
  ofStatements: number;
  summaryParagraphs: number;
  conclusionParagraphs: number;
  titleWords: number;
}

/** What can be counted of a written brief against the summaries that it was made of. */
function briefFigures(
  { plan, drafts, words }: WrittenBrief,
  material: Material,
  target?: number,
): BriefFigures {
  const findings = findingsOf(material);
  const told = drafts.filter(({ id }) => id.startsWith('subtopic'));
  const claims = drafts.flatMap(({ draft }) => draft.claims);
  const unmarked = (text: string): string => product.replaceMarks(text, () => '');
  const toldKeys = told.flatMap(({ draft }) =>
    draft.claims.map(({ text }) => product.sentenceKey(unmarked(text))),
  );
  const numbersOf = (text: string): string[] =>
    product.numbersIn(text).map(({ value, unit }) => `${value} ${unit}`);
  const misplaced = claims.filter(({ text }) => {
    const cited = product.citedIds(text);
    const held = findings.filter(({ citations }) => citations.some((id) => cited.includes(id)));
    const known = new Set(held.flatMap(({ claim }) => numbersOf(claim)));
    return numbersOf(unmarked(text)).some((number) => !known.has(number));
  });
  const texts = new Set(findings.map(({ claim }) => product.sentenceKey(claim)));
  const paragraphsIn = (part: string): number =>
    drafts.find(({ id }) => id === part)?.draft.markdown.split('\n\n').length ?? 0;
  return {
    words,
    ...(target === undefined ? {} : { offTarget: share(Math.abs(words - target), target) }),
    subtopicsTold: countOf(told, ({ draft }) => draft.claims.length > 0),
    subtopics: material.subtopics.length,
    toldTwice: toldKeys.length - new Set(toldKeys).size,
    notWordForWord: countOf(toldKeys, (key) => !texts.has(key)),
    numbersElsewhere: misplaced.length,
    citationsUnknown: countOf(
      claims.flatMap(({ text }) => product.citedIds(text)),
      (id) => !material.sources.has(id),
    ),
    notInText: sumOf(drafts, ({ draft }) =>
      countOf(draft.claims, ({ text }) => !draft.markdown.includes(text)),
    ),
    statements: toldKeys.length,
    ofStatements: findings.length,
    summaryParagraphs: paragraphsIn('summary'),
    conclusionParagraphs: paragraphsIn('conclusions'),
    titleWords: plan.title.split(' ').length,
  };
}

/**
 * What a brief in a third of the words keeps of its authors' own results and conclusions, and what as many words from each
 * summary's beginning keep.
 */
function bestKept(
  { drafts }: WrittenBrief,
  material: Material,
  kindOf: (claim: string) => string | undefined,
): object {
  const all = findingsOf(material);
  const byId = new Map(all.map((finding) => [finding.id, finding]));
  const told = drafts.filter(({ id }) => id.startsWith('subtopic')).flatMap(({ draft }) => draft.claims);
  const kept = told.flatMap(({ findingIds }) => findingIds.map((id) => present(byId.get(id))));
  const wordsOf = (findings: readonly Finding[]): number => sumOf(findings, ({ claim }) => wordsIn(claim));
  const room = wordsOf(kept) / wordsOf(all);
  const opening = material.subtopics.flatMap(({ findings }) => {
    const words = room * wordsOf(findings);
    const beyond = findings.findIndex((_finding, at) => wordsOf(findings.slice(0, at + 1)) > words);
    return beyond < 0 ? findings : findings.slice(0, beyond);
  });
  const sharesIn = (findings: readonly Finding[]): object => {
    const isOf =
      (...kinds: string[]) =>
      ({ claim }: Finding): boolean =>
        kinds.includes(kindOf(claim) ?? '');
    return {
      resultsAndConclusions: shareOf(findings, isOf('result', 'conclusion')),
      conclusionsKept: share(countOf(findings, isOf('conclusion')), countOf(all, isOf('conclusion'))),
    };
  };
  return {
    room: Number(room.toFixed(4)),
    kept: kept.length,
    ...sharesIn(kept),
    all: sharesIn(all),
    baseline: sharesIn(opening),
  };
}

const LEAST = { sources: 3, sentences: 4 };
const MOST_SUBTOPICS = 8;
const REPORTS = 2;

type CollectionSources = ReturnType<typeof collectionIn>['questions'];

function collectionIn(folder: string) {
  const sources = readRecords(join(folder, 'sources.jsonl'), Source);
  return {
    sources: new Map(sources.map((source) => [source.id, source])),
    questions: ownQuestions(folder),
  };
}

/** Those with most relevant sources first. */
function widestFirst(questions: CollectionSources): CollectionSources {
  return [...questions].sort((a, b) => b.relevant.length - a.relevant.length || (a.id < b.id ? -1 : 1));
}

/** A long report by its parts: each is a subtopic whose summary cites that part. Of the reports the ones with most parts. */
function reportSubtopics(folder: string): NamedBrief[] {
  const { sources, questions } = collectionIn(folder);
  return widestFirst(questions)
    .slice(0, REPORTS)
    .map(({ id, question, relevant }) => ({
      name: id,
      question,
      subtopics: relevant
        .flatMap((source) => sources.get(source) ?? [])
        .map((source) => subtopicOf(present(source.title), [source]))
        .filter(({ sentences }) => sentences >= LEAST.sentences),
    }));
}

/** Questions of a collection that several of its sources answer, each a subtopic; the first of them is what is asked. */
function questionSubtopics(folder: string, name: string): NamedBrief {
  const { sources, questions } = collectionIn(folder);
  // Of questions that the same source answers the first.
  const answering = new Set<string>();
  const distinct = questions.filter(({ relevant }) => {
    const isNew = !relevant.some((id) => answering.has(id));
    for (const id of relevant) answering.add(id);
    return isNew;
  });
  const asked = widestFirst(distinct.filter(({ relevant }) => relevant.length >= LEAST.sources)).slice(
    0,
    MOST_SUBTOPICS,
  );
  return {
    name,
    question: asked[0]?.question ?? '',
    subtopics: asked
      .map(({ question, relevant }) =>
        subtopicOf(
          question,
          relevant.flatMap((id) => sources.get(id) ?? []),
        ),
      )
      .filter(({ sentences }) => sentences >= LEAST.sentences),
  };
}

const QUESTIONS = 80;
const SUBTOPICS = 4;
const OPENING = 2;
const LEAST_SENTENCES = 2;
const MOST_OF_IT = 0.8;

/**
 * The share of Executive Summaries that hold an answer in their first two sentences, against the first sentences of as many summaries
 * and of all: briefs on sources of which one at least answers, each a subtopic.
 */
async function answerBearing(folder: string, seed: number): Promise<object> {
  const sources = readRecords(join(folder, 'sources.jsonl'), Source).map((source) => ({
    ...source,
    content: asWritten(source.content),
  }));
  const asked = ownQuestions(folder).filter(
    ({ relevant, answers, evidence }) => relevant.length > 0 && (answers ?? evidence ?? []).length > 0,
  );
  const counted: { opening: boolean; firstOfTwo: boolean; firstOfAll: boolean }[] = [];
  for (const [at, one] of draw(asked, QUESTIONS, seed).entries()) {
    const isRelevant = ({ id }: { id: string }): boolean => one.relevant.includes(id);
    const own = sources.filter(isRelevant).slice(0, SUBTOPICS - 1);
    const others = draw(
      sources.filter((source) => !isRelevant(source)),
      SUBTOPICS,
      seed + at,
    );
    const subtopics = draw([...own, ...others].slice(0, SUBTOPICS), SUBTOPICS, seed + at)
      .map((source) => subtopicOf(source.title ?? source.id, [source]))
      .filter(({ sentences }) => sentences >= LEAST_SENTENCES);
    if (subtopics.length < 2) continue;
    const given = { question: one.question, subtopics };
    const material = materialOf(given);
    // What no statement holds no summary can tell.
    if (!findingsOf(material).some(({ claim }) => holdsAnswer(claim, one))) continue;
    const { drafts } = await writeABrief(given, material, null);
    const told = drafts[0]?.draft.claims.slice(0, OPENING) ?? [];
    const first = material.subtopics.flatMap(({ findings }) => findings.slice(0, 1));
    counted.push({
      opening: told.some(({ text }) => holdsAnswer(text, one)),
      firstOfTwo: first.slice(0, OPENING).some(({ claim }) => holdsAnswer(claim, one)),
      firstOfAll: first.some(({ claim }) => holdsAnswer(claim, one)),
    });
  }
  return {
    n: counted.length,
    opening: shareOf(counted, ({ opening }) => opening),
    firstOfTwo: shareOf(counted, ({ firstOfTwo }) => firstOfTwo),
    firstOfAll: shareOf(counted, ({ firstOfAll }) => firstOfAll),
  };
}

/** One of the known answers in its words, or most words of a sentence that is known to answer. */
function holdsAnswer(
  text: string,
  { answers = [], evidence = [] }: Pick<CollectionSources[number], 'answers' | 'evidence'>,
): boolean {
  const own = new Set(product.terms(text));
  const isSaid = (sentence: string): boolean => {
    const wanted = product.terms(sentence);
    return countOf(wanted, (term) => own.has(term)) > MOST_OF_IT * wanted.length;
  };
  return answers.some((answer) => text.toLowerCase().includes(answer.toLowerCase())) || evidence.some(isSaid);
}

/** A text that was taken apart in words, in lower case, as it was written: `. it rose , though .` */
function asWritten(text: string): string {
  return text
    .replace(/(^|\s\.\s+)(\p{Ll})/gu, (_all, before: string, letter: string) => before + letter.toUpperCase())
    .replace(/\s+(?=[.,;:])/g, '');
}
