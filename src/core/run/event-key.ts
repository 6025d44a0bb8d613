import type { RunEventType } from '../../contracts/run/event';

/** What an event is about; equal places are the same event, whichever attempt of an activity tells it. */
export interface EventPlace {
  pass: number;
  step: string;
  section?: string;
  /** How often the section has been written anew on purpose. */
  revision?: number;
  type: RunEventType;
  ordinal?: number | string;
}

/** The key under which an event is appended once: pass / step / section / revision / type / ordinal (decision 10). */
export function eventKey({ pass, step, section = '-', revision = 0, type, ordinal = 0 }: EventPlace): string {
  return [pass, step, section, revision, type, ordinal].join('/');
}
