/** The source of a claim's first citation. */
export function citedSource(claim, passages) {
  return passages.find(({ id }) => id === claim?.passageIds[0])?.sourceId;
}

/** Whether one of the known answers, or a marked sentence, stands in what an answer quotes; null where none is known. */
export function holdsAnswer({ answers, evidence }, texts) {
  const quotes = texts.map(plain);
  if (answers !== undefined)
    return answers.map(plain).some((answer) => quotes.some((quote) => quote.includes(answer)));
  if (evidence === undefined) return null;
  return evidence
    .map(plain)
    .some((marked) => quotes.some((quote) => quote.includes(marked) || marked.includes(quote)));
}

function plain(text) {
  return text.toLowerCase().replace(/\s+/g, ' ').trim();
}
