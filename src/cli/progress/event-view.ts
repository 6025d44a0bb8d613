import type { RunEvent } from '../../contracts/run/event';
import { numberedTitle } from './section-title';
import { createSectionView, type SectionViewOptions } from './section-view';
import { passLine } from '../../core/run/pass-messages';
import { auditLine } from './audit-line';
import { count } from '../results/report-excerpt';
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

/** What has been told before an event, and how things are called. */
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
  switch (event.type) {
    case 'run-started': {
      const { question, sources, engine } = event.payload;
      return [`Started: ${safeExcerpt(question, 200)}`, `  ${count(sources, 'source')}, ${engine} engine`];
    }
    case 'multi-pass-phase':
      return [passLine({ number: event.payload.pass, message: safeLine(event.payload.message) })];
    case 'outline-generated':
      return [
        `  Outline: ${safeExcerpt(event.payload.overallTheme, 200)}`,
        ...event.payload.sections.map(
          (section, index) =>
            `    ${index + 1}. ${safeExcerpt(section.title, 100)} (${count(section.sources, 'source')})`,
        ),
      ];
    case 'deep-dive-section': {
      const { sectionId, findings, sourcesUsed } = event.payload;
      const { read, of } = scene.sections;
      return [
        `  ${scene.titleOf(sectionId)}: ${count(findings, 'finding')} from ${count(sourcesUsed, 'source')} · ${read} of ${count(of, 'section')}`,
      ];
    }
    case 'conflict-detected': {
      const { topic, sources } = event.payload;
      const names = safeExcerpt(sources.map((id) => scene.nameOf(id)).join('; '), 200);
      return [
        `  Conflict ${scene.conflicts}: ${safeExcerpt(topic, 120)} (${count(sources.length, 'source')}: ${names})`,
      ];
    }
    case 'citation-stats': {
      const percent = Math.round(event.payload.coverage * 100);
      return [`  ${count(event.payload.total, 'source')} cited, ${percent} % of all`];
    }
    case 'audit':
      return [`  ${auditLine(event.payload, scene.titleOf)}`];
    case 'content-chunk':
    case 'section-restarted':
    case 'section-written':
    case 'turn':
    case 'scheduled-run':
      return [];
    case 'revision':
      return [
        `  ${scene.titleOf(event.payload.section)} is written once more: ${safeExcerpt(event.payload.reason, 200)}`,
      ];
    case 'synthesis_mode_activated':
      return [broughtTogether(event.payload.passages, event.payload.source_doc_count)];
    case 'synthesis-mode':
      return [broughtTogether(event.payload.passages, event.payload.documents)];
    case 'attempt': {
      const { attempt, decision, reason } = event.payload;
      return [`  Attempt ${attempt}: ${decision}, because ${safeLine(reason)}`];
    }
    case 'judge': {
      const { version, overall, passed } = event.payload;
      return [
        `  Version ${version} was judged: ${overall.toFixed(1)} of 5, ${passed ? 'passed' : 'not passed'}`,
      ];
    }
    case 'warning':
      return [`  Warning: ${safeExcerpt(event.payload.message, 300)}`];
    case 'run-waiting':
      return [`  Waiting for ${event.payload.what}: ${safeExcerpt(event.payload.reason, 300)}`];
    case 'run-parked':
      return [`  Paused until it is resumed: ${safeExcerpt(event.payload.reason, 300)}`];
    case 'run-goes-on':
      return ['  It goes on.'];
    case 'steered':
      return [`  ${event.payload.message}: ${safeExcerpt(event.payload.said, 300)}`];
    case 'approval-awaited':
      return ['  It waits for the approval of its outline.'];
    case 'approval-over':
      return [
        event.payload.by === 'approval'
          ? '  The outline is approved.'
          : '  Nobody approved of the outline in time: it goes on with it.',
      ];
    case 'run-completed':
      return [`Ended: ${event.payload.status}`];
    case 'run-failed':
      return [`Failed: ${safeExcerpt(event.payload.message, 500)}`];
  }
}

function broughtTogether(passages: number, documents: number): string {
  return `  ${count(passages, 'passage')} of ${count(documents, 'document')} are brought together`;
}
