import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { studySubtopics } from './study-subtopics.mjs';

/** Writes the twelve subtopics of the studies as `colligate brief --subtopics` reads them, and says what they answer. */
export function writeStudySubtopics({ folder, seed = 1, write }) {
  const { question, subtopics } = studySubtopics({ folder: join(folder, 'studies'), seed: Number(seed) });
  const given = subtopics.map(({ title, summary, sources }) => ({ subtopic: title, summary, sources }));
  writeFileSync(write, `${JSON.stringify({ subtopics: given }, null, 1)}\n`);
  return {
    question,
    subtopics: subtopics.length,
    sources: subtopics.flatMap(({ sources }) => sources).length,
  };
}
