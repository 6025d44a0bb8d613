import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openRunner } from '../collection/open-runner.mjs';
import { seededRandom } from '../draw.mjs';
import { readRecords } from '../read-records.mjs';
import { UsageError } from '../usage-error.mjs';
import { structuredText } from './structured-text.mjs';

const SOURCE = { id: 'text', title: 'text', content: 'text' };
/** As many as somebody gathers on a subject. */
const SOURCES_OF_REPORT = 12;
const MOST_OF_SUBJECT = 5;
const FEWEST_SOURCES = 8;
const FEWEST_SECTIONS = 2;

/**
 * Reports as the engine makes them on the subjects that several titles of the sources share, each of drawn sources, as parts with
 * paragraphs of sentences, and what they were made from. Where too little is found for two sections there is nothing to spoil.
 */
export async function* reportTexts(file, many, seed) {
  const sources = readRecords(file, SOURCE);
  const drawn = draws(sources, seed);
  if (drawn.length === 0) throw new UsageError(`${file} has too few sources on any of the subjects.`);
  let made = 0;
  for (const [at, { question, own }] of drawn.entries()) {
    if (made === many) return;
    const document = await reportOn(question, own);
    if (document.topics.length < FEWEST_SECTIONS) continue;
    made += 1;
    yield { id: seed * 1000 + at, ...reportText(document) };
  }
}

/** Subject by subject the first draw of each, then further ones of other sources, as far as there are so many. */
function draws(sources, seed) {
  const { topics } = JSON.parse(
    readFileSync(new URL('../briefs/study-topics.json', import.meta.url), 'utf8'),
  );
  const random = seededRandom(seed * 7919 + 3);
  const bySubject = topics.map(({ title, words }) => {
    const near = sources
      .filter((source) => words.some((word) => source.title.toLowerCase().includes(word)))
      .map((source) => ({ source, key: random() }))
      .sort((a, b) => a.key - b.key)
      .map(({ source }) => source);
    return { question: `What is known of ${title.toLowerCase()}?`, near };
  });
  return Array.from({ length: MOST_OF_SUBJECT }, (_, round) => round).flatMap((round) =>
    bySubject.flatMap(({ question, near }) => {
      const own = near.slice(round * SOURCES_OF_REPORT, (round + 1) * SOURCES_OF_REPORT);
      return own.length < FEWEST_SOURCES ? [] : [{ question, own }];
    }),
  );
}

async function reportOn(question, sources) {
  const folder = mkdtempSync(join(tmpdir(), 'colligate-eval-sources-'));
  const file = join(folder, 'sources.jsonl');
  writeFileSync(file, sources.map((source) => JSON.stringify(source)).join('\n'));
  const runner = await openRunner(file);
  try {
    return await runner.judged('report', question);
  } finally {
    await runner.close();
    rmSync(folder, { recursive: true });
  }
}

/** Its claims are verified anew, as those of a spoiled text are; how it names its sources is taken as it stands. */
export function reportText({ parts, ...material }) {
  const idOf = new Map(material.sources.flatMap(({ n, sourceId }) => (n === null ? [] : [[n, sourceId]])));
  const text = structuredText(parts, idOf);
  return {
    text,
    material: {
      ...material,
      attribution: text
        .flatMap(({ paragraphs }) => paragraphs.flat())
        .map((sentence) => sentence.text.replace(/“[^”]*”/g, ' ')),
      conflicts: material.conflicts.map(({ topic, viewpoints }) => ({
        topic,
        viewpoints: viewpoints.map((side) => ({ ...side, quotes: [side.text] })),
      })),
    },
  };
}
