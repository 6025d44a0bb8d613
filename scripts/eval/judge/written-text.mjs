import { built } from '../built.mjs';
import { materialOf } from '../briefs/brief-material.mjs';
import { writeABrief } from '../briefs/write-a-brief.mjs';
import { structuredText } from './structured-text.mjs';

/** Every other brief has so much of its material's words wanted; the others have as many as it takes. */
const SHARE_WANTED = 0.7;
/** The apparatus has no part in it: document 000 counts the list of sources too. */
const WORDS_OF_A_SOURCE = 25;

/**
 * A brief without a model on what is given, as parts with paragraphs of sentences, and what it was made from. `conflicts` are
 * those that are known of it; those that words show where they are absent.
 */
export async function writtenText(given, seed, conflicts = () => null) {
  const found = materialOf(given);
  const material = { ...found, conflicts: conflicts(found) ?? found.conflicts };
  const statements = material.subtopics.flatMap(({ findings }) => findings.map(({ claim }) => claim));
  const words = statements.join(' ').split(/\s+/).length;
  const wanted =
    seed % 2 === 0 ? null : Math.round(SHARE_WANTED * words + WORDS_OF_A_SOURCE * material.sources.size);
  const { drafts } = await writeABrief(given, material, wanted);
  return {
    text: structured(drafts, material),
    material: judgedMaterial(given, material, wanted === null ? null : Math.round(SHARE_WANTED * words)),
  };
}

function structured(drafts, { sources }) {
  const { replaceMarks } = built('core/text/citation-marks.js');
  const parts = drafts.map(({ id, title, draft }) => ({
    id,
    title,
    role: id.startsWith('subtopic') ? 'body' : id,
    markdown: replaceMarks(draft.markdown, (ids) => ids.map((one) => `[${sources.get(one).n}]`).join('')),
  }));
  return structuredText(parts, new Map([...sources].map(([id, { n }]) => [n, id])));
}

function judgedMaterial({ question }, { subtopics, sources, conflicts }, targetWords) {
  return {
    question,
    title: question,
    targetWords,
    topics: subtopics.map(({ id, title, findings }) => ({
      id,
      title,
      statements: findings.map(({ claim, citations }) => ({ text: claim, sourceIds: citations })),
    })),
    sources: [...sources].map(([sourceId, { n, title, site }]) => ({
      sourceId,
      n,
      title,
      site: site ?? null,
    })),
    conflicts: conflicts.map(({ topic, viewpoints }) => ({
      topic,
      viewpoints: viewpoints.map(({ statement, citations, evidence }) => ({
        text: statement,
        sourceIds: citations,
        /** All that say so, for the side to be taken out as a whole. */
        quotes: evidence.map(({ quote }) => quote),
      })),
    })),
  };
}
