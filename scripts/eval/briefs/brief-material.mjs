import { built } from '../built.mjs';

/** What a brief is written from, as a run gathers it; `sources` by their ids. */
export function materialOf({ question, subtopics }) {
  const { gatherSubtopics } = built('subtopics/gather-subtopics.js');
  const material = gatherSubtopics({
    question,
    subtopics: subtopics.map(({ title, summary, sources }, at) => ({
      id: `subtopic-${at + 1}`,
      title,
      summary,
      summaryRef: { key: `summary-${at + 1}`, sha256: '', bytes: 0 },
      sources: sources.map(({ url, title: name, author, site }) => ({
        url,
        title: name,
        author,
        site,
        contentRef: null,
        contentChars: 0,
      })),
    })),
    asOf: '2026-01-31',
  });
  return { ...material, sources: new Map(material.sources.map((source) => [source.id, source])) };
}
