import { built } from '../built.mjs';
import { openEncoder } from '../encoder.mjs';

/** What the product retrieves for a question, as its activity does it: ranked by what passages mean where there is an encoder. */
export async function retrieve({ question, index, textOf, given, most }) {
  const { candidatesOf, findPassages, settleRetrieval, wordingsOf } = built('retrieval/retrieve.js');
  const { passagesToRank } = built('retrieval/candidates.js');
  const { rankPassages } = built('retrieval/rank-passages.js');
  const nearest = [];
  const wordings = wordingsOf({ question, queries: [question] });
  const found = findPassages({ index, nearest, most }, wordings);
  const candidates = candidatesOf({ index, found, textOf, given });
  const toRank = passagesToRank(wordings, candidates, index);
  const ranking = await rankPassages(toRank, await openEncoder());
  return settleRetrieval({ toRank, ranking, candidates, index, nearest, most });
}
