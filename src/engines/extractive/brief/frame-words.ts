import type { BriefStatement } from './brief-statements';

/** The words of the parts of a brief: of its summary, of its conclusions, of its subtopics together. */
export interface FrameWords {
  summary: number;
  conclusions: number;
  subtopics: number;
}

/** A share of all words, within what two or three paragraphs are read in. */
const SUMMARY = { share: 0.15, least: 140, most: 330 };
const CONCLUSIONS = { share: 0.1, least: 100, most: 200 };
/** However few words there are, the subtopics have so much of them. */
const SUBTOPICS_LEAST = 0.55;

/** How the words are parted. Where none are wanted there are as many as the material has, up to the most. */
export function frameWords(
  { words, maxWords, parts }: { words: number | null; maxWords: number; parts: readonly { id: string }[] },
  statements: readonly BriefStatement[],
): FrameWords {
  const material = statements.reduce((sum, statement) => sum + statement.words, 0);
  const most = words ?? maxWords;
  const told = Math.min(most, material);
  const wanted = (id: string, { share, least, most: limit }: typeof SUMMARY): number =>
    parts.some((part) => part.id === id) ? Math.min(limit, Math.max(least, Math.round(share * told))) : 0;
  const [summary, conclusions] = [wanted('summary', SUMMARY), wanted('conclusions', CONCLUSIONS)];
  const scale = Math.min(1, ((1 - SUBTOPICS_LEAST) * most) / Math.max(1, summary + conclusions));
  const frame = { summary: Math.round(scale * summary), conclusions: Math.round(scale * conclusions) };
  return { ...frame, subtopics: most - frame.summary - frame.conclusions };
}
