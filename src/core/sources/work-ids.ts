/**
 * Identifiers of works, each in its one form, whoever wrote them: what works are compared by. Null where a text is none.
 */

const DOI = /^10\.\d{4,9}\/\S+$/;
const DOI_ADDRESS = /^(?:https?:\/\/)?(?:dx\.|www\.)?doi\.org\//i;
const DOI_LABEL = /^doi:\s*/i;

/** `10.1000/xyz` of `https://doi.org/10.1000/XYZ` and `doi: 10.1000/XYZ`. */
export function bareDoi(text: string): string | null {
  const written = text.trim();
  const bare = DOI_ADDRESS.test(written)
    ? unescaped(written.replace(DOI_ADDRESS, '').replace(/[?#].*$/, ''))
    : written.replace(DOI_LABEL, '');
  const doi = bare.toLowerCase().replace(/[.,;:/]+$/, '');
  return DOI.test(doi) ? doi : null;
}

/** Where a DOI leads, with what an address may not have in it escaped. */
export function doiAddress(doi: string): string {
  return `https://doi.org/${encodeURI(doi).replace(/[?#]/g, encodeURIComponent)}`;
}

const ARXIV_ID = /^(\d{4}\.\d{4,5}|[a-z][a-z-]*(?:\.[a-z]{2})?\/\d{7})(?:v\d{1,3})?$/i;
const ARXIV_WRITTEN = [
  /^arxiv:\s*/i,
  /^(?:https?:\/\/)?(?:www\.|export\.)?arxiv\.org\/(?:abs|pdf|html)\//i,
  /^(?:(?:https?:\/\/)?(?:dx\.|www\.)?doi\.org\/|doi:\s*)?10\.48550\/arxiv\./i,
];

/** `2101.00001`, or `hep-th/9901001` of the time before 2007, of an address, a DOI of arXiv's or `arXiv:2101.00001v2`. */
export function bareArxivId(text: string): string | null {
  const written = text.trim();
  const prefix = ARXIV_WRITTEN.find((pattern) => pattern.test(written));
  const id = (prefix === undefined ? written : written.replace(prefix, '')).replace(
    /(?:\.pdf)?(?:[?#].*)?$/is,
    '',
  );
  return ARXIV_ID.exec(id)?.[1]?.toLowerCase() ?? null;
}

/** `12345678` of `https://pubmed.ncbi.nlm.nih.gov/12345678/` and `PMID: 12345678`. */
export function barePmid(text: string): string | null {
  return (
    /^(?:https?:\/\/(?:www\.)?(?:pubmed\.)?ncbi\.nlm\.nih\.gov\/(?:pubmed\/)?|pmid:\s*)?(\d{1,9})\/?$/i.exec(
      text.trim(),
    )?.[1] ?? null
  );
}

/** What addresses escape of a DOI; what is no UTF-8 stays as it is written. */
function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
