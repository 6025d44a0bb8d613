import { BRIEF_PASSES, type BriefPass } from '../../contracts/brief/passes';
import type { PassName } from '../../contracts/kinds';
import { shareDone } from './share-done';

/** How much of a brief's time each pass takes, roughly; together 100. */
const SHARE: Record<BriefPass, number> = { gather: 20, plan: 5, write: 55, judge: 20 };

/** What a brief has come to, as far as a message says it; what is not known yet is null. */
export interface BriefCounts {
  subtopics: number | null;
  /** Summaries that were held against their sources, while that goes on. */
  checked: number | null;
  /** Parts to write, and those that are written; null too where all are written in one call. */
  parts: { written: number; of: number } | null;
  judging: { doing: 'judge' | 'revise' | 'conclude'; version: number };
}

export function briefMessage(pass: BriefPass, { subtopics, checked, parts, judging }: BriefCounts): string {
  switch (pass) {
    case 'gather':
      if (subtopics === null) return 'Reading the subtopics…';
      if (checked === null)
        return subtopics === 1 ? `Reading ${subtopics} subtopic…` : `Reading ${subtopics} subtopics…`;
      return subtopics === 1
        ? `Checking ${Math.min(checked + 1, subtopics)} of ${subtopics} summary against their sources…`
        : `Checking ${Math.min(checked + 1, subtopics)} of ${subtopics} summaries against their sources…`;
    case 'plan':
      return 'Planning the brief…';
    case 'write':
      if (parts === null) return 'Writing the brief…';
      return `Writing part ${Math.min(parts.written + 1, parts.of)} of ${parts.of}…`;
    case 'judge':
      return judgingMessage(judging);
  }
}

function judgingMessage({ doing, version }: BriefCounts['judging']): string {
  switch (doing) {
    case 'judge':
      return version === 1 ? 'Judging the brief…' : `Judging version ${version} of the brief…`;
    case 'revise':
      return `Revising the brief: version ${version}…`;
    case 'conclude':
      return 'Putting the brief together…';
  }
}

/** How far a brief is, 0–100; 0 for a pass that is none of a brief's. */
export function briefPercentDone(pass: PassName, parts: { done: number; of: number }): number {
  const known = BRIEF_PASSES.find((name) => name === pass);
  return known === undefined ? 0 : shareDone(BRIEF_PASSES, SHARE, known, parts);
}
