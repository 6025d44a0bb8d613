import type { Finding } from '../contracts/finding';
import { words } from '../../language/words';

export interface Longest {
  /** As the source words it: `12 weeks`. */
  text: string;
  days: number;
  /** How many studies state a duration. */
  studies: number;
}

const DAYS: Readonly<Record<string, number>> = { day: 1, week: 7, month: 30.4, year: 365 };
const SPELLED = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');

/** Of this share of the studies the length is known, or nothing is said of the longest. */
const KNOWN_SHARE = 0.8;

/** The longest study, where nearly all say how long they lasted; else null. */
export function longestStudy(findings: readonly Finding[]): Longest | null {
  const stated = perStudy(findings, 'duration').flatMap((text) => {
    const match = /(\d+(?:\.\d+)?|[a-z]+)[ -](day|week|month|year)s?/i.exec(text);
    const amount = numberOf(match?.[1] ?? '');
    const unit = DAYS[(match?.[2] ?? '').toLowerCase()];
    return amount === null || unit === undefined ? [] : [{ text, days: amount * unit }];
  });
  // What is said of all studies must be known of nearly all.
  if (stated.length < KNOWN_SHARE * studiesOf(findings)) return null;
  const longest = stated.sort((a, b) => b.days - a.days || (a.text < b.text ? -1 : 1))[0];
  return longest === undefined ? null : { ...longest, studies: stated.length };
}

/** The largest number of participants, where nearly all studies state one; else null. */
export function largestStudy(findings: readonly Finding[]): { participants: number; studies: number } | null {
  const stated = perStudy(findings, 'participants').flatMap((text) => {
    const amount = numberOf(/\d[\d,  ]*/.exec(text)?.[0].replace(/[,  ]/g, '') ?? words(text)[0] ?? '');
    return amount === null ? [] : [amount];
  });
  return stated.length < KNOWN_SHARE * studiesOf(findings)
    ? null
    : { participants: Math.max(...stated), studies: stated.length };
}

function studiesOf(findings: readonly Finding[]): number {
  return new Set(findings.flatMap(({ citations }) => citations)).size;
}

function perStudy(findings: readonly Finding[], part: 'duration' | 'participants'): string[] {
  const bySource = new Map(
    findings.flatMap((finding) =>
      finding.contexts.map((context) => [context.sourceId, context[part]] as const),
    ),
  );
  return [...bySource].sort(([a], [b]) => (a < b ? -1 : 1)).flatMap(([, text]) => text ?? []);
}

function numberOf(text: string): number | null {
  const spelled = SPELLED.indexOf(text.toLowerCase());
  const amount = spelled >= 0 ? spelled : Number(text === '' ? NaN : text);
  return Number.isFinite(amount) ? amount : null;
}
