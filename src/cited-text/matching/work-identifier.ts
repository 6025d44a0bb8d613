const DOI = /10\.\d{4,9}\/[^\s?#&"<>]+/i;
const BEHIND =
  /(?:\/(?:full|abstract|abs|pdf|html|epdf|fulltext|meta|summary)|\.pdf|\.full|[.,;:)\]/]|v\d{1,2}(?=$|\.full))+$/i;
const ARXIV = /arxiv\.org\/(?:abs|pdf|html)\/(\d{4}\.\d{4,5})|\barxiv:\s?(\d{4}\.\d{4,5})/i;

/** The DOI that an address or a text holds, in lower case; arXiv's number is one too, as it registers them. */
export function doiOf(text: string): string | null {
  const arxiv = ARXIV.exec(text);
  if (arxiv !== null) return `10.48550/arxiv.${arxiv[1] ?? arxiv[2] ?? ''}`;
  const doi = DOI.exec(decoded(text))?.[0];
  return doi === undefined ? null : doi.toLowerCase().replace(BEHIND, '');
}

function decoded(text: string): string {
  return text
    .replace(/%2f/gi, '/')
    .replace(/%28/g, '(')
    .replace(/%29/g, ')')
    .replace(/%3[aA]/g, ':');
}
