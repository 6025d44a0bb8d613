import { countOf, shareOf } from '../figures';
import * as product from '../product';
import { openEncoder } from '../ranking';
import { isEvidence, studyQuestions, withPlaces } from '../studies';
import { measured, type Suite } from '../suite';

/** So many findings are asked of an article. */
const MOST = 3;
const SECTION = { id: 'section-1', title: 'Findings', description: '', subsections: [] };

/**
 * How often what a report quotes of an article holds what doctors marked as the evidence for their question: its first quote, and one of its
 * three; `byWords` without an encoder.
 */
export const findings: Suite = {
  usage: 'findings QUESTIONS.jsonl --sources FILE [--questions N --seed S]',
  options: ['sources', 'questions', 'seed'],
  async measure(call) {
    const encoder = await openEncoder();
    return measured(call, {
      items: withPlaces(studyQuestions(call.file, call.sources[0])),
      async find({ text, article: { id, title, content }, evidence }) {
        const passages = product.splitPassages(content);
        const quality = { level: 'authoritative', reason: 'a journal' };
        const input = product.ExtractFindingsInput.parse({
          question: text,
          section: SECTION,
          sources: [{ sourceId: id, title, quality, summaryOnly: false, passages }],
          findings: { min: 1, max: MOST },
        });
        const hitsBy = async (by: typeof encoder): Promise<boolean[]> =>
          product.ExtractFindingsOutput.parse(
            await product.runExtractiveStep('extract-findings', input, by),
          ).findings.map(({ evidence: quotes }) => quotes.some((quote) => isEvidence(quote, evidence)));
        return { meant: await hitsBy(encoder), byWords: await hitsBy(null) };
      },
      figures(found) {
        const figuresBy = (way: 'meant' | 'byWords'): object => ({
          first: shareOf(found, ({ [way]: hits }) => hits[0] === true),
          oneOfThree: shareOf(found, ({ [way]: hits }) => hits.includes(true)),
        });
        return {
          n: found.length,
          ...figuresBy('meant'),
          none: countOf(found, ({ meant }) => meant.length === 0),
          byWords: figuresBy('byWords'),
        };
      },
    });
  },
};
