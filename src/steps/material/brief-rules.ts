import { MATERIAL_RULES } from './material-rules';

/**
 * The system message of the steps that plan and write a brief. Their prompts have the material first, in one order and under one
 * mark, and what is asked of it last, so that those of one brief begin alike.
 */
export const BRIEF_SYSTEM = `You are a research analyst who brings summaries of research together in a brief. What others wrote comes first; what you are to do with it is said after it.
${MATERIAL_RULES}`;

/** What document 000 asks of every sentence of a brief; the length is said where it is known. */
export const BRIEF_CONSTRAINTS = `- Cite every factual claim: each sentence that states something ends with the numbers of the sources that its statements cite, in square brackets before the full stop: "… by 12 % [S1][S4]." There is no other way to cite.
- Do not invent anything: write only what the statements say. Where they say little, write little; never pad.
- Keep specifics word for word: numbers, units, dates, names, conditions and every "may" or "only" stand as the statements have them. Do not round, convert or leave out what limits a result.
- Prefer specific data points over vague statements.
- Where sources disagree or contradict each other, say so, and give both perspectives, each with its own citations: "A reports X [S1], while B reports Y [S2]." Do not decide between them.
- Write clear, professional English in whole sentences, with smooth transitions. No sentence twice.
- Paragraphs only: no links, no images, no HTML, no tables, no remark on confidence, and no list of sources, which is added later.`;

/** What is wanted of a part where its template does not say otherwise (document 000). */
export function wantedOf(partId: string, instruction: string): string {
  if (instruction.trim() !== '') return instruction;
  if (partId === 'summary') return SUMMARY;
  return partId === 'conclusions' ? CONCLUSIONS : SUBTOPIC;
}

const SUMMARY =
  '2 to 3 paragraphs: the most important findings across all subtopics, the answer to the question first. A reader should understand the key takeaways from this part alone.';
const SUBTOPIC =
  'A detailed analysis of this subtopic, from the general to the particular. Integrate what other subtopics say of the same matter where their statements or the disagreements show it.';
const CONCLUSIONS =
  '1 to 2 paragraphs: what follows from the findings together, as insights or recommendations that a reader can act on. Each says what it rests on, and cites it.';
