import type { RunEvent } from '../../contracts/run/event';
import { eventLines } from './event-line';
import { numberedTitle } from './section-title';
import { createSectionView, type SectionViewOptions } from './section-view';

/** A run's events as lines for somebody who watches. It is given all of them, in order. */
export interface EventView {
  lines(event: RunEvent): string[];
  /** What is left to show when no event comes any more. */
  end(): string[];
  /** The lines of the last event were not shown. */
  skip(): void;
}

const CLOSING: readonly RunEvent['type'][] = ['citation-stats', 'run-completed', 'run-failed'];

export function createEventView(options: Omit<SectionViewOptions, 'titleOf'>): EventView {
  let outline: { id: string; title: string }[] = [];
  const read = new Set<string>();
  let conflicts = 0;
  let textAbove = false;

  const titleOf = (section: string): string => numberedTitle(outline, section);
  const sections = createSectionView({ ...options, titleOf });

  function linesOf(event: RunEvent): string[] {
    if (event.type === 'outline-generated') outline = event.payload.sections;
    if (event.type === 'deep-dive-section') read.add(event.payload.sectionId);
    if (event.type === 'conflict-detected') conflicts += 1;
    return eventLines(event, {
      titleOf,
      nameOf: options.nameOf,
      sections: { read: read.size, of: Math.max(outline.length, read.size) },
      conflicts,
    });
  }

  return {
    lines(event) {
      const text = CLOSING.includes(event.type) ? sections.rest() : sections.lines(event);
      const lines = linesOf(event);
      textAbove ||= text.length > 0;
      if (lines.length === 0) return text;
      sections.interrupt();
      const gap = textAbove ? [''] : [];
      textAbove = false;
      return [...text, ...gap, ...lines];
    },
    end: () => sections.rest(),
    skip() {
      sections.interrupt();
      textAbove = false;
    },
  };
}
