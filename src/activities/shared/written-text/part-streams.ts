import type { TextPart } from '../../../contracts/report/written-text';
import type { EventPlace } from '../../../core/run/event-key';
import type { ActivityPorts } from '../ports';
import { openSectionStream, type SectionStream } from '../section-stream';

type PartText = Pick<TextPart, 'id' | 'markdown'>;
type Writer = Pick<EventPlace, 'pass' | 'step'>;

export interface PartStreams {
  /** Whole blocks of a text's Markdown. */
  write(text: string): void;
  /** Brings the log to the texts of these parts. */
  finish(parts: readonly PartText[]): Promise<void>;
}

/** Streams a text under the ids of its parts as its headings come; `partsIn` reads the parts of what has come until then. */
export function openPartStreams(
  { events }: Pick<ActivityPorts, 'events'>,
  runId: string,
  writer: Writer,
  partsIn: (markdown: string) => readonly PartText[],
): PartStreams {
  const open = new Map<string, { stream: Promise<SectionStream>; sent: string }>();
  let written = '';
  let writing: Promise<void> = Promise.resolve();
  return {
    write(text) {
      written += text;
      for (const { id, markdown } of partsIn(written)) {
        const known = open.get(id) ?? { stream: openSectionStream(events, runId, id, writer), sent: '' };
        open.set(id, known);
        // What a later heading changes is brought by `finish`.
        if (markdown === known.sent || !markdown.startsWith(known.sent)) continue;
        const next = markdown.slice(known.sent.length);
        known.sent = markdown;
        writing = writing.then(async () => (await known.stream).write(next));
        writing.catch(() => undefined); // `finish` reports it
      }
    },
    async finish(parts) {
      await writing;
      for (const { id, markdown } of parts)
        await (await (open.get(id)?.stream ?? openSectionStream(events, runId, id, writer))).finish(markdown);
    },
  };
}

/** Brings the log to the texts of these parts; what it has of them as they are is not told again. */
export function streamParts(
  { events }: Pick<ActivityPorts, 'events'>,
  runId: string,
  writer: Writer,
  parts: readonly PartText[],
): Promise<void> {
  return openPartStreams({ events }, runId, writer, () => []).finish(parts);
}
