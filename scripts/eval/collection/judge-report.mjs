/** So many sources are as many as a reader would want. */
const MOST_WANTED = 10;

/** What a report is worth as an answer to a question of which the relevant sources are known. */
export function judgeReport({ answerable, relevant, answers, evidence }, { claims, citations }) {
  const sourceOf = new Map(citations.map(({ n, sourceId }) => [n, sourceId]));
  const wanted = new Set(relevant ?? []);
  const cited = claims.flatMap((claim) => claim.citations.map((n) => sourceOf.get(n)));
  const found = new Set(cited.filter((id) => wanted.has(id)));
  const quotes = claims.map((claim) => claim.evidence.map(({ quote }) => plain(quote)));
  return {
    isAnswerable: answerable,
    /** Whether it is known which sources answer. */
    isKnown: relevant !== null,
    isAnswered: claims.length > 0,
    citations: cited.length,
    relevantCitations: cited.filter((id) => wanted.has(id)).length,
    relevantFound: found.size,
    relevantWanted: Math.min(MOST_WANTED, wanted.size),
    ...(answers ? { answers: answers.length, answersFound: answersIn(answers, quotes.flat()) } : {}),
    ...(evidence ? { isEvidenceFirst: isEvidence(evidence, quotes[0] ?? []) } : {}),
  };
}

/** The same of plain ranking: each sentence is a claim of its own. */
export function judgeSentences(record, sentences) {
  const numbers = new Map([...new Set(sentences.map(({ source }) => source))].map((id, at) => [id, at + 1]));
  return judgeReport(record, {
    citations: [...numbers].map(([sourceId, n]) => ({ n, sourceId })),
    claims: sentences.map(({ source, text }) => ({
      citations: [numbers.get(source)],
      evidence: [{ quote: text }],
    })),
  });
}

function answersIn(answers, quotes) {
  return answers.filter((answer) => quotes.some((quote) => quote.includes(plain(answer)))).length;
}

/** One holds the other: a quote may be more or less than the sentence that was marked. */
function isEvidence(evidence, quotes) {
  return evidence
    .map(plain)
    .some((marked) => quotes.some((quote) => quote.includes(marked) || marked.includes(quote)));
}

function plain(text) {
  return text.toLowerCase().replace(/\s+/g, ' ').trim();
}
