import { join } from 'node:path';
import { answerBearing } from './answer-bearing.mjs';
import { bestKept, briefFigures } from './brief-figures.mjs';
import { materialOf } from './brief-material.mjs';
import { questionSubtopics, reportSubtopics } from './collection-subtopics.mjs';
import { studySubtopics } from './study-subtopics.mjs';
import { writeABrief } from './write-a-brief.mjs';

const TARGETS = [10_000, 3_000, 1_000];
/** Where more is wanted than the material has, nothing is padded: the length says nothing then. */
const ENOUGH = 1.15;
const WITHIN = 0.15;
const A_THIRD = 3;

/**
 * Briefs made of the studies and of other collections, at several lengths, by the steps themselves. `explain` prints one:
 * `studies 1000`.
 */
export async function briefsSuite({ folder, seed = 1, explain, say }) {
  const given = [
    studySubtopics({ folder: join(folder, 'studies'), seed: Number(seed) }),
    ...reportSubtopics(join(folder, 'collections/reports')),
    ...['science', 'web'].map((name) => questionSubtopics(join(folder, 'collections', name), name)),
  ];
  const figures = [];
  for (const one of given) {
    const material = materialOf(one);
    const whole = await writeABrief(one, material, null);
    const written = [];
    for (const target of TARGETS.filter((words) => words * ENOUGH <= whole.words))
      written.push({ target, ...(await writeABrief(one, material, target)) });
    const third = await writeABrief(one, material, Math.round(whole.words / A_THIRD));
    for (const { target, markdown } of [...written, { target: 'whole', markdown: whole.markdown }])
      if (explain === `${one.name} ${target}`) say(markdown);
    const told = [whole, third, ...written].map((brief) =>
      briefFigures(brief, material, brief.target ?? null),
    );
    figures.push({
      name: one.name,
      wholeWords: whole.words,
      conflicts: material.conflicts.length,
      lengths: written.map((brief) => briefFigures(brief, material, brief.target)),
      told,
      ...(one.kindOf === undefined ? {} : { cut: bestKept(third, material, one.kindOf) }),
    });
  }
  if (explain === undefined) say(JSON.stringify(figures, null, 1));
  const bearing = [];
  for (const name of ['web', 'encyclopedia']) {
    const told = await answerBearing(join(folder, 'collections', name), Number(seed));
    bearing.push(...Object.entries(told).map(([key, value]) => [`${name}.${key}`, value]));
  }
  return { ...together(figures), ...Object.fromEntries(bearing) };
}

function together(figures) {
  const lengths = figures.flatMap((one) => one.lengths);
  const all = figures.flatMap(({ told }) => told);
  const sum = (key) => all.reduce((total, one) => total + one[key], 0);
  const [{ cut }] = figures;
  return {
    n: all.length,
    collections: figures.length,
    lengths: lengths.length,
    withinLength: lengths.filter(({ offTarget }) => offTarget <= WITHIN).length / lengths.length,
    subtopicsMissing: sum('subtopics') - sum('subtopicsTold'),
    toldTwice: sum('toldTwice'),
    notWordForWord: sum('notWordForWord'),
    numbersElsewhere: sum('numbersElsewhere'),
    citationsUnknown: sum('citationsUnknown'),
    notInText: sum('notInText'),
    claims: sum('statements'),
    ...cut,
  };
}
