import type { Conflict } from '../../contracts/report/finding';
import { shorten } from '../writing/shorten';

const CLAIM_WORDS = 60;

/** A conflict as an event tells of it; document 002's `conflict-detected`. */
export function toldConflict({ topic, viewpoints }: Conflict): {
  topic: string;
  claim: string;
  sources: string[];
} {
  return {
    topic,
    claim: shorten(viewpoints[0]?.statement ?? topic, CLAIM_WORDS),
    sources: [...new Set(viewpoints.flatMap(({ citations }) => citations))],
  };
}
