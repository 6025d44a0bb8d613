import { z } from 'zod';
import { countOf, meanOf, share, shareOf, sumOf } from '../figures';
import * as product from '../product';
import { readRecords } from '../records';
import { measured, type Suite } from '../suite';
import { plain } from '../texts';

/** A question with documents that answer it, some of them wrongly or not at all. */
const Disputed = z.object({
  id: z.string(),
  question: z.string(),
  documents: z.array(z.object({ text: z.string(), answer: z.string() })),
  gold_answers: z.array(z.string()).optional(),
});
type Disputed = z.infer<typeof Disputed>;
const NO_ANSWER = 'unknown';

const MOST_CHARACTERS = 200;
const WithGold = Disputed.required();

/** Which answers are told of documents that answer differently, and whether one is told where they agree. */
export const conflicts: Suite = {
  usage: 'conflicts FILE.jsonl [--questions N --seed S]',
  options: ['questions', 'seed'],
  measure: (call) =>
    measured(call, {
      items: readRecords(call.file, WithGold),
      find(record) {
        const gold = record.gold_answers.map(plain);
        const views = viewpointTexts(record).map(plain);
        const given = record.documents.map(({ answer }) => answer).filter((answer) => answer !== NO_ANSWER);
        return {
          gold: gold.length,
          found: countOf(gold, (answer) => views.some((view) => view.includes(answer))),
          viewpoints: views.length,
          right: countOf(views, (view) => gold.some((answer) => view.includes(answer))),
          agree: new Set(given.map(plain)).size <= 1,
        };
      },
      figures(found) {
        const agreeing = found.filter(({ agree }) => agree);
        const counts = {
          goldFound: sumOf(found, (one) => one.found),
          gold: sumOf(found, ({ gold }) => gold),
          rightViewpoints: sumOf(found, ({ right }) => right),
          viewpoints: sumOf(found, ({ viewpoints }) => viewpoints),
          falseAlarms: countOf(agreeing, ({ viewpoints }) => viewpoints > 1),
          agreeing: agreeing.length,
        };
        return {
          n: found.length,
          goldRecall: meanOf(found.map((one) => one.found / Math.max(1, one.gold))),
          viewpointPrecision: share(counts.rightViewpoints, counts.viewpoints),
          falseAlarms: shareOf(agreeing, ({ viewpoints }) => viewpoints > 1),
          counts,
        };
      },
    }),
};

function viewpointTexts({ question, documents }: Disputed): string[] {
  const sources = documents
    .filter(({ text }) => text.trim() !== '')
    .map(({ text }, at) => ({
      id: `document-${at}`,
      title: '',
      sentences: product.sentencesOfSource(text).map((sentence) => sentence.text),
    }));
  return product
    .findViewpoints(product.readQuestion(question), sources)
    .map(({ sentence, answer }) => clippedAround(sentence, answer, MOST_CHARACTERS));
}

/** At most so many characters of a text, the stretch that matters among them. */
function clippedAround(text: string, stretch: string, most: number): string {
  if (text.length <= most) return text;
  const at = Math.max(0, text.indexOf(stretch));
  const fitsFirst = at + stretch.length <= most;
  const from = fitsFirst ? 0 : at - Math.floor((most - stretch.length) / 2);
  return text.slice(Math.max(0, from), Math.max(0, from) + most).trim();
}
