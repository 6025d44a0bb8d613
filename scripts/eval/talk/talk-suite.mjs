import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { askedQuestions } from '../asked-questions.mjs';
import { openRunner } from '../collection/open-runner.mjs';
import { seededRandom, shuffled } from '../draw.mjs';
import { judgedText, verifierOf } from '../judge/judged-text.mjs';
import { reportText } from '../judge/report-texts.mjs';
import { readRecords } from '../read-records.mjs';
import { rounded } from '../shares.mjs';
import { exchangeTalk } from './exchange-talk.mjs';
import { talkFigures } from './talk-figures.mjs';

const REPORTS = 20;
/** Of fewer sentences, or where more than half had to be left out, a text is no report any more. */
const FEWEST_EXCHANGED = 3;
const LEAST_EXCHANGED = 0.5;
const SOURCE = { id: 'text', content: 'text' };

const OPEN = { id: 'text', question: 'text', collection: 'text', answerable: 'boolean' };

/** Where the reports are from, and how many in ten; what is graded asks open questions, the others have their own. */
const COLLECTIONS = [
  { name: 'studies', folder: 'studies', inTen: 5 },
  { name: 'science', folder: 'collections/science', inTen: 1 },
  { name: 'reports', folder: 'collections/reports', inTen: 2 },
  { name: 'web', folder: 'collections/web', inTen: 1 },
  { name: 'encyclopedia', folder: 'collections/encyclopedia', inTen: 1 },
];

/**
 * Whether the judge without a model sees that a report talks about its question and answers nothing: reports of the product, and
 * the same with talk of the same sources in the place of what they found. `questions` is how many reports are made.
 */
export async function talkSuite({
  folder,
  asked = join(folder, 'relevance/open-dev.jsonl'),
  questions: most = REPORTS,
  seed = 1,
  explain,
  say,
}) {
  const startedAt = performance.now();
  const open = readRecords(asked, OPEN);
  const pairs = [];
  for (const { name, folder: own, inTen } of COLLECTIONS) {
    const graded = open.filter(({ collection }) => collection === name);
    const records = graded.length > 0 ? graded : askedQuestions(join(folder, own));
    const many = Math.round((inTen * most) / 10);
    for await (const { told, ...pair } of pairsOf(join(folder, own), { records, many, seed })) {
      pairs.push(pair);
      const { id, original, talk, exchanged, citing } = pair;
      say(`${id}: ${original.overall} → ${talk.overall}, ${exchanged} of ${citing} sentences`);
      if (explain === id) say(told);
    }
  }
  return { ...talkFigures(pairs), seconds: rounded((performance.now() - startedAt) / 1000, 1) };
}

/** Reports on answerable questions that are drawn; where few sentences could be exchanged it is another one. */
async function* pairsOf(folder, { records, many, seed }) {
  if (many === 0) return;
  const sourcesFile = join(folder, 'sources.jsonl');
  const sources = readRecords(sourcesFile, SOURCE);
  const contentOf = new Map(sources.map(({ id, title = '', content }) => [id, { id, title, content }]));
  const answerable = records.filter((record) => record.answerable);
  const runner = await openRunner(sourcesFile);
  let made = 0;
  try {
    for (const { id, question } of shuffled(answerable, seededRandom(seed))) {
      if (made === many) return;
      const original = reportText(await runner.judged(`talk-${id}`, question));
      const { citing, exchanged, ...talk } = exchangeTalk(original, contentOf);
      if (exchanged < Math.max(FEWEST_EXCHANGED, LEAST_EXCHANGED * citing)) continue;
      made += 1;
      const before = await judged(original);
      const after = await judged(talk);
      const told = [question, ...after.document.parts.map(({ markdown }) => markdown)].join('\n\n');
      yield { id, citing, exchanged, original: before.judgement, talk: after.judgement, told };
    }
  } finally {
    await runner.close();
  }
}

function judged({ text, material }) {
  return judgedText(text, material, verifierOf(material));
}
