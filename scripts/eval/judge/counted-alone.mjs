const words = ({ parts }) => parts.reduce((sum, { markdown }) => sum + markdown.split(/\s+/).length, 0);
const cited = ({ parts }) =>
  new Set(parts.flatMap(({ markdown }) => [...markdown.matchAll(/\[(\d+)\]/g)].map(([, n]) => n))).size;
const perParagraph = (document) =>
  words(document) / Math.max(1, document.parts.flatMap(({ markdown }) => markdown.split('\n\n')).length);

/** The plain baseline: what can be counted of a text without reading it, one count for each dimension. */
export const COUNTED = {
  factualAccuracy: cited,
  completeness: words,
  coverage: cited,
  coherence: perParagraph,
  bias: words,
};
