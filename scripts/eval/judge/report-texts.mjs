import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openRunner } from '../collection/open-runner.mjs';
import { seededRandom } from '../draw.mjs';
import { structuredText } from './structured-text.mjs';

const FEWEST_SECTIONS = 2;

/**
 * Reports on subjects of a collection as the engine makes them, each as parts with paragraphs of sentences, and what it was made
 * from. Where too little is found for two sections there is nothing that could be spoiled, and the next subject is taken.
 */
export async function* reportTexts(folder, many, seed) {
  const runner = await openRunner(join(folder, 'sources.jsonl'));
  try {
    let made = 0;
    for (const { at, question } of questionsOf(folder, seed)) {
      if (made === many) break;
      const document = await runner.judged(`question-${at}`, question);
      if (document.parts.filter(({ role }) => role === 'body').length < FEWEST_SECTIONS) continue;
      made += 1;
      yield { id: seed * 1000 + at, ...textOf(document) };
    }
  } finally {
    await runner.close();
  }
}

/** The questions of the collection, or what is known of single articles' interventions, in an order by the seed. */
function questionsOf(folder, seed) {
  const random = seededRandom(seed * 7919 + 3);
  return readFileSync(join(folder, 'questions.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line, at) => ({ at, question: askedOf(JSON.parse(line)), key: random() }))
    .sort((a, b) => a.key - b.key);
}

function askedOf({ question, intervention, outcome }) {
  return question ?? `What is the effect of ${intervention} on ${outcome}?`;
}

/** Its claims are verified anew, as those of a spoiled text are. */
function textOf({ parts, ...material }) {
  const idOf = new Map(material.sources.flatMap(({ n, sourceId }) => (n === null ? [] : [[n, sourceId]])));
  return {
    text: structuredText(parts, idOf),
    material: {
      ...material,
      conflicts: material.conflicts.map(({ topic, viewpoints }) => ({
        topic,
        viewpoints: viewpoints.map((side) => ({ ...side, quotes: [side.text] })),
      })),
    },
  };
}
