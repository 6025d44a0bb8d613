import type { RunEvent } from '../core/contracts/event';
import { count } from './report-excerpt';
import { safeExcerpt, safeLine } from './safe-text';

/** How an event reads to somebody who watches; no line for those that only programs follow. */
export function eventLines(event: RunEvent): string[] {
  switch (event.type) {
    case 'run-started': {
      const { question, sources, engine } = event.payload;
      return [`Started: ${safeExcerpt(question, 200)}`, `  ${count(sources, 'source')}, ${engine} engine`];
    }
    case 'multi-pass-phase':
      return [`${passName(event.payload.pass)}${safeLine(event.payload.message)}`];
    case 'outline-generated':
      return [
        `  Outline: ${safeExcerpt(event.payload.overallTheme, 200)}`,
        ...event.payload.sections.map(
          (section, index) =>
            `    ${index + 1}. ${safeExcerpt(section.title, 100)} (${count(section.sources, 'source')})`,
        ),
      ];
    case 'deep-dive-section': {
      const { title, findings, sourcesUsed } = event.payload;
      return [
        `  ${safeExcerpt(title, 100)}: ${count(findings, 'finding')} from ${count(sourcesUsed, 'source')}`,
      ];
    }
    case 'conflict-detected':
      return [
        `  Conflict: ${safeExcerpt(event.payload.topic, 120)} (${count(event.payload.sources.length, 'source')})`,
      ];
    case 'citation-stats': {
      const percent = Math.round(event.payload.coverage * 100);
      return [`  ${count(event.payload.total, 'source')} cited, ${percent} % of all`];
    }
    case 'content-chunk':
      return [];
    case 'section-restarted':
      return [`  Section ${safeLine(event.payload.section)} is written again`];
    case 'revision':
      return [
        `  Section ${safeLine(event.payload.section)} is written once more: ${safeExcerpt(event.payload.reason, 200)}`,
      ];
    case 'warning':
      return [`  Warning: ${safeExcerpt(event.payload.message, 300)}`];
    case 'run-completed':
      return [`Ended: ${event.payload.status}`];
    case 'run-failed':
      return [`Failed: ${safeExcerpt(event.payload.message, 500)}`];
  }
}

/** Gathering comes before the four passes and has no number. */
function passName(pass: number): string {
  return pass === 0 ? '' : `Pass ${pass}: `;
}
