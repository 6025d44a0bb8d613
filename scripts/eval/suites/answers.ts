import { z } from 'zod';
import {
  answered,
  confidenceFigures,
  confidenceOf,
  judgeClaims,
  retrieve,
  type Passage,
  type Retrieved,
} from '../answering';
import { draw } from '../seeded-draw';
import { byKey, countOf, meanOf, share, sumOf } from '../figures';
import { sentencesByBm25, withinTokens } from '../ranking';
import { readRecords } from '../records';
import { measured, type Suite } from '../suite';

/** An expert's answer to `input` with the passages that it was written from; a text is missing here and there. */
export const ExpertAnswer = z.object({
  id: z.string(),
  input: z.string(),
  output: z.string(),
  ctxs: z.array(
    z.object({
      title: z.string().default(''),
      text: z.string().nullish(),
      url: z.string().optional(),
      year: z.union([z.number(), z.string()]).nullish(),
      authors: z.array(z.object({ name: z.string() })).nullish(),
    }),
  ),
});
export type ExpertAnswer = z.infer<typeof ExpertAnswer>;

const OF_OTHERS = 20;
const MOST_TOKENS = 600;
/** Whoever gave the passages says the same of all. */
const SCORE = 0.5;

/**
 * Experts' questions with the passages that they used and 20 of other questions: what of the experts' passages an answer
 * cites, whether it cites others', and whether what it says is borne.
 */
export const answers: Suite = {
  usage: 'answers FILE.jsonl [--questions N --seed S] [--explain ID]',
  options: ['questions', 'seed', 'explain'],
  measure(call) {
    const all = readRecords(call.file, ExpertAnswer);
    return measured(call, {
      items: all,
      idOf: ({ id }) => id,
      isAlone: true,
      async find(record) {
        const own = passagesOf(record);
        const foreign = draw(
          all.filter((other) => other !== record).flatMap(passagesOf),
          OF_OTHERS,
          call.seed + all.indexOf(record),
        );
        const given = [...own, ...foreign];
        const retrieved = await retrievedFromGiven(record.input, given);
        const draft = await answered(record.input, retrieved, MOST_TOKENS);
        const expert = expertsPassages(record, own);
        const isOwn = (document: string | undefined): boolean => own.some((one) => one.document === document);
        const documentOf = new Map(retrieved.passages.map(({ id, document }) => [id, document]));
        const cited = [...new Set(draft.sentences.flatMap(({ passageIds }) => passageIds))].map((id) =>
          documentOf.get(id),
        );
        return {
          ...citing(cited, expert, isOwn),
          ...judgeClaims(draft, retrieved.passages),
          tokens: draft.tokens,
          isAnswered: draft.sentences.length > 0,
          confidence: confidenceOf(record.input, draft, retrieved),
          isRight: isOwn(cited[0]),
          baseline: citing(bestByBm25(record.input, given), expert, isOwn),
          told: `${record.input}\n\n${draft.markdown}\n\n${draft.missing ?? ''}`,
        };
      },
      explain: ({ told }) => told,
      figures(judged) {
        const claims = sumOf(judged, (one) => one.claims);
        return {
          n: judged.length,
          ...figuresOf(judged),
          answered: countOf(judged, ({ isAnswered }) => isAnswered),
          claims,
          supported: share(
            sumOf(judged, ({ supported }) => supported),
            claims,
          ),
          ...confidenceFigures(judged),
          mostTokens: Math.max(...judged.map(({ tokens }) => tokens)),
          meanTokens: meanOf(judged.map(({ tokens }) => tokens)),
          counts: byKey(['cited', 'own', 'experts', 'found'], (key) => sumOf(judged, (one) => one[key])),
          baseline: figuresOf(judged.map(({ baseline }) => baseline)),
        };
      },
    });
  },
};

interface Citing {
  cited: number;
  own: number;
  experts: number;
  found: number;
}

/** Precision over the answers that cite at all; an answer that cites nothing has found nothing. */
function figuresOf(judged: readonly Citing[]): object {
  return {
    citedRecall: meanOf(judged.map(({ found, experts }) => found / experts)),
    citedPrecision: meanOf(judged.flatMap(({ cited, own }) => (cited === 0 ? [] : [own / cited]))),
  };
}

function citing(
  documents: readonly (string | undefined)[],
  expert: readonly string[],
  isOwn: (document: string | undefined) => boolean,
): Citing {
  return {
    cited: documents.length,
    own: countOf(documents, isOwn),
    experts: expert.length,
    found: countOf(expert, (document) => documents.includes(document)),
  };
}

type GivenPassage = Pick<Passage, 'document' | 'title' | 'text' | 'url' | 'author' | 'publishedAt'>;

function passagesOf({ id, ctxs }: ExpertAnswer): GivenPassage[] {
  return ctxs.flatMap(({ title, text, url = null, year, authors }, at) => {
    if (typeof text !== 'string' || text.trim() === '') return [];
    const author = (authors ?? []).map(({ name }) => name).join(', ');
    return [
      {
        document: `${id}-${at}`,
        title,
        text,
        url,
        ...(author === '' ? {} : { author }),
        ...(year === undefined || year === null ? {} : { publishedAt: `${year}` }),
      },
    ];
  });
}

/** The passages whose number the expert's answer names in square brackets, lists and ranges among them. */
function expertsPassages({ id, output }: ExpertAnswer, own: readonly GivenPassage[]): string[] {
  const numbers = [...output.matchAll(/\[(\d[\d\s,–-]*)\]/g)].flatMap(([, inner = '']) =>
    inner.split(',').flatMap((part) => {
      const [from = 0, to = from] = part.split(/[–-]/).map(Number);
      return Array.from({ length: Math.max(0, to - from + 1) }, (_, at) => from + at);
    }),
  );
  const known = new Set(own.map(({ document }) => document));
  return [...new Set(numbers.map((number) => `${id}-${number}`))].filter((document) => known.has(document));
}

/** Passages that are given rather than searched for, each a document of its own, as the product retrieves them. */
function retrievedFromGiven(question: string, passages: readonly GivenPassage[]): Promise<Retrieved> {
  const given = passages.map((passage, at) => ({
    ...passage,
    id: `P${at + 1}`,
    sourceId: passage.document,
    pages: null,
    start: 0,
    end: passage.text.length,
    origin: 'text' as const,
    score: SCORE,
  }));
  return retrieve(question, { index: null, textOf: () => undefined, given });
}

function bestByBm25(question: string, passages: readonly GivenPassage[]): string[] {
  const ranked = sentencesByBm25(passages.map(({ document, text }) => ({ id: document, content: text })));
  return [...new Set(withinTokens(ranked(question), MOST_TOKENS).map(({ source }) => source))];
}
