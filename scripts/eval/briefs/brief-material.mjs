import { built } from '../built.mjs';

const MARK = /\s*\[(\d+)\](?=\.)/;

/** What a brief is written from: a finding for each sentence of the summaries, and their conflicts. */
export function materialOf({ subtopics }) {
  const { splitSentences } = built('language/sentences.js');
  const { findConflicts } = built('reading/reconcile/find-conflicts.js');
  const { sentenceKey } = built('core/duplicates/near-duplicate-sentences.js');
  const known = new Set();
  const places = {};
  const sources = new Map();
  const made = subtopics.map(({ title, summary, sources: cited }, at) => {
    const subtopicId = `subtopic-${at + 1}`;
    for (const source of cited)
      if (!sources.has(source.id)) sources.set(source.id, { ...source, n: sources.size + 1 });
    const findings = paragraphsOf(summary).flatMap((span, paragraph) =>
      splitSentences(span.text).flatMap(({ text, start, end }, sentence) => {
        const source = cited[Number(MARK.exec(text)?.[1]) - 1];
        const claim = text.replace(MARK, '');
        if (source === undefined || known.has(sentenceKey(claim))) return [];
        known.add(sentenceKey(claim));
        const id = `${subtopicId}-${paragraph + 1}-${sentence + 1}`;
        places[id] = [{ subtopicId, paragraph, start: span.start + start, end: span.start + end }];
        const evidence = [
          { sourceId: source.id, quote: claim, start: span.start + start, end: span.start + end },
        ];
        return [{ id, sectionId: subtopicId, claim, citations: [source.id], evidence, confidence: 0.6 }];
      }),
    );
    return { id: subtopicId, title, findings };
  });
  const quality = { level: 'general', reason: 'Not told.' };
  const facts = new Map([...sources].map(([id, { title }]) => [id, { title, quality }]));
  const findings = made.flatMap((subtopic) => subtopic.findings);
  return { subtopics: made, places, sources, conflicts: findConflicts(findings, facts) };
}

function paragraphsOf(summary) {
  let start = 0;
  return summary.split('\n\n').map((text) => {
    const span = { text, start };
    start += text.length + 2;
    return span;
  });
}
