import { runTexts } from '../../texts/run';
import type { RunEvent } from '../../contracts/run/event';
import { numberedTitle } from './section-title';
import { createSectionView, type SectionViewOptions } from './section-view';
import { passLine } from '../../core/run/pass-messages';
import { auditLine } from './audit-line';
import { safeExcerpt, safeLine } from '../terminal/safe-text';

/** A run's events as lines for somebody who watches. It is given all of them, in order. */
export interface EventView {
  lines(event: RunEvent): string[];
  /** What is left to show when no event comes any more. */
  end(): string[];
  /** The lines of the last event were not shown. */
  skip(): void;
}

const CLOSING: readonly RunEvent['type'][] = ['citation-stats', 'run-completed', 'run-failed'];

export function createEventView(options: Omit<SectionViewOptions, 'titleOf' | 'texts'>): EventView {
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

interface EventScene {
  /** `2. Its title`, as it stands in the outline. */
  titleOf: (section: string) => string;
  nameOf: (sourceId: string) => string;
  /** How many sections the outline has, and how many of them have been read by now, the event's own included. */
  sections: { read: number; of: number };
  /** How many conflicts have been found by now, the event's own included. */
  conflicts: number;
}

/** How an event reads to somebody who watches; no line for the texts of sections, which come in pieces. */
function eventLines(event: RunEvent, scene: EventScene): string[] {
  const told = (text: string, chars: number): string => safeExcerpt(text, chars);
  switch (event.type) {
    case 'run-started': {
      const { question, sources, engine } = event.payload;
      return [runTexts.begun(safeExcerpt(question, 200)), `  ${runTexts.given(sources, engine)}`];
    }
    case 'multi-pass-phase':
      return [safeLine(passLine({ number: event.payload.pass, message: event.payload.message }))];
    case 'outline-generated':
      return [
        `  ${runTexts.outline(told(event.payload.overallTheme, 200))}`,
        ...event.payload.sections.map(
          (section, index) =>
            `    ${index + 1}. ${told(section.title, 100)} (${runTexts.sources(section.sources)})`,
        ),
      ];
    case 'deep-dive-section': {
      const { sectionId, findings, sourcesUsed } = event.payload;
      return [`  ${runTexts.read(scene.titleOf(sectionId), findings, sourcesUsed, scene.sections)}`];
    }
    case 'conflict-detected': {
      const { topic, sources } = event.payload;
      const names = safeExcerpt(sources.map((id) => scene.nameOf(id)).join('; '), 200);
      return [`  ${runTexts.conflict(scene.conflicts, told(topic, 120), sources.length, names)}`];
    }
    case 'citation-stats': {
      const percent = Math.round(event.payload.coverage * 100);
      return [`  ${runTexts.cited(event.payload.total, percent)}`];
    }
    case 'audit':
      return [`  ${auditLine(event.payload, scene.titleOf)}`];
    case 'content-chunk':
    case 'section-restarted':
    case 'section-written':
    case 'scheduled-run':
      return [];
    case 'revision':
      return [`  ${runTexts.revised(scene.titleOf(event.payload.section), told(event.payload.reason, 200))}`];
    case 'synthesis_mode_activated':
      return [`  ${runTexts.broughtTogether(event.payload.passages, event.payload.source_doc_count)}`];
    case 'synthesis-mode':
      return [`  ${runTexts.broughtTogether(event.payload.passages, event.payload.documents)}`];
    case 'attempt': {
      const { attempt, decision, reason } = event.payload;
      return [`  ${runTexts.attempt(attempt, decision, safeLine(reason))}`];
    }
    case 'judge': {
      const { version, overall, passed } = event.payload;
      return [`  ${runTexts.judged(version, overall, passed)}`];
    }
    case 'warning':
      return [`  ${runTexts.warning(told(event.payload.message, 300))}`];
    case 'run-waiting':
      return [`  ${runTexts.waits(event.payload.what, told(event.payload.reason, 300))}`];
    case 'run-parked':
      return [`  ${runTexts.parked(told(event.payload.reason, 300))}`];
    case 'run-goes-on':
      return [`  ${runTexts.goesOn}`];
    case 'steered':
      return [`  ${event.payload.message}: ${safeExcerpt(event.payload.said, 300)}`];
    case 'approval-awaited':
      return [`  ${runTexts.awaitsApproval}`];
    case 'approval-over':
      return [`  ${event.payload.by === 'approval' ? runTexts.approved : runTexts.notApproved}`];
    case 'run-completed':
      return [runTexts.ended(runTexts.statuses[event.payload.status])];
    case 'run-failed':
      return [runTexts.failed(told(event.payload.message, 500))];
  }
}
