import type { Encoder } from '../../encoder/encoder';
import type { Finding } from '../../contracts/report/finding';
import { groupedBy } from '../../core/values/grouped-by';
import { numbersIn } from '../../language/numbers';
import { answerableProbability, answeredFrom } from '../../reading/collection/answerable';
import { indexSources } from '../../reading/collection/collection';
import { readIndexed } from '../../reading/features/features';
import { readQuestion } from '../../reading/question/question';
import { rankByMeaning } from '../../reading/rank-by-meaning';

/** Findings, best first. `areLikely` is true if the best ones are likely to answer the question. */
export interface RankedFindings {
  ranked: Finding[];
  areLikely: boolean;
}

/** Ranks findings by the likelihood that their quotes answer the question. If it asks for a number, quotes with a figure come first. */
export async function rankFindings(
  question: string,
  findings: readonly Finding[],
  titleOf: (finding: Finding) => string,
  encoder: Encoder | null,
): Promise<RankedFindings> {
  const asked = readQuestion(question);
  const ofSources = [...groupedBy(findings, ({ citations, sectionId }) => citations[0] ?? sectionId)];
  const inOrder = ofSources.flatMap(([, own]) => own);
  const collection = indexSources(
    ofSources.map(([id, own]) => ({
      id,
      title: own[0] === undefined ? '' : titleOf(own[0]),
      sentences: own.map(quoteOf),
    })),
  );
  const reading = readIndexed(asked, collection, undefined);
  const best = await rankByMeaning(encoder, reading, { most: findings.length });
  const first = best.flatMap(({ sentence }) => inOrder[sentence] ?? []);
  const ranked = [...new Set([...first, ...inOrder])];
  const areLikely = answerableProbability(reading, best) >= answeredFrom(asked, best[0]);
  if (asked.kind !== 'number') return { ranked, areLikely };
  const withFigure = ranked.filter((finding) => numbersIn(quoteOf(finding)).some(({ isDate }) => !isDate));
  return { ranked: [...new Set([...withFigure, ...ranked])], areLikely };
}

function quoteOf({ claim, evidence }: Finding): string {
  return evidence[0]?.quote ?? claim;
}
