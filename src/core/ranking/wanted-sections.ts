import { MAX_SECTIONS } from './join-plans';

export function mostSections(sources: number): number {
  return Math.max(1, Math.ceil(sources / 2));
}

/** Document 002: 5–8 sections. */
const LEAST_SECTIONS = 5;
/** From so many sources on several themes can be told apart; fewer may have a single one. */
const SOURCES_FOR_SECTIONS = 10;

export function wantedSections(sources: number): { least: number; most: number } {
  const most = Math.min(MAX_SECTIONS, mostSections(sources));
  return { least: sources < SOURCES_FOR_SECTIONS ? 1 : Math.min(LEAST_SECTIONS, most), most };
}
