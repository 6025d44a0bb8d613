import { type AnswerKind, answerCandidates } from '../../language/answer-candidates';
import { stemOf, STOP_WORDS } from '../../language/words';
import { tokensOf } from '../../language/tokens';
import type { Question } from '../question/question';

/** 1 where the text holds what could answer a question of the kind, and the question does not say it; −1 where not; 0 where another kind is asked for. */
export function holdsAnswer(text: string, kind: AnswerKind, question: Question): number {
  if (question.kind !== kind) return 0;
  const asked = new Set(question.words);
  const isNew = (token: string): boolean =>
    !STOP_WORDS.has(token) && !question.said.has(token) && !asked.has(stemOf(token));
  const candidates = answerCandidates(text, kind);
  // A text without any capital (some collections are lower case) shows no names.
  if (kind === 'name' && candidates.length === 0 && !/\p{Lu}/u.test(text)) return 0;
  return candidates.some((candidate) => tokensOf(candidate.text).some(isNew)) ? 1 : -1;
}

export function tellsSignificance(text: string): boolean {
  return /\b[pP]\s?[-=<>≤≥]|\b[pP] ?(?:values?)|\bP\s*&[lg]t;/.test(text);
}

const LEAST_SIGNS = 2;
const SIGNS_SHARE = 0.15;
const LEAST_WORDS_SHARE = 0.4;
/** A list of names and numbers is no prose. */
const SHORTEST_LIST = 12;
const NAMED_SHARE = 0.8;

/** What is measured in a unit of several: `67.4 km/s/Mpc`, `25 ng/mL`. */
const MEASURED = /(?<=\d\s?)[\p{L}°]+(?:\/[\p{L}\d²³]+)+/gu;

/** Whether a text is a row of a table, a path or a list of marks rather than prose. */
export function looksBroken(text: string, tokens: number): boolean {
  const signs = (text.replace(MEASURED, '').match(/[|[/]/g) ?? []).length;
  const parts = text.split(/\s+/).length;
  const letters = (text.match(/\p{L}{2,}/gu) ?? []).length;
  const named = (text.match(/(?<![\p{L}\p{N}])[\p{Lu}\p{N}]/gu) ?? []).length;
  if (parts > SHORTEST_LIST && named > NAMED_SHARE * parts) return true;
  return signs > Math.max(LEAST_SIGNS, SIGNS_SHARE * tokens) || letters < LEAST_WORDS_SHARE * parts;
}
