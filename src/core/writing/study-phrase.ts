import type { StudyContext } from '../contracts/finding';

/** The parts of a study in the order of a sentence: what it was, who took part, where, for how long. */
export function studyPhrase(context: StudyContext | undefined): string | null {
  if (context === undefined) return null;
  const { design, participants, place, duration } = context;
  if (participants === undefined && design === undefined) return null;
  const what = `${article(design ?? 'study')} ${design ?? 'study'}`;
  const who = participants === undefined ? '' : ` of ${participants}`;
  const where = place === undefined || mentions(participants, place) ? '' : ` in ${place}`;
  const long = duration === undefined || mentions(design, duration) ? '' : ` over ${duration}`;
  return `${what}${who}${where}${long}`;
}

function article(noun: string): 'a' | 'an' {
  return /^(?:[aeio]|un(?!i)|hour|8|11\b|18\b)/i.test(noun) ? 'an' : 'a';
}

function mentions(text: string | undefined, part: string): boolean {
  return text?.toLowerCase().includes(part.toLowerCase()) ?? false;
}
