/** One thing that was looked at. A `note` keeps nobody from making a report; a `problem` does. */
export interface Finding {
  name: string;
  state: 'ok' | 'note' | 'problem';
  detail: string;
  /** What to do about it, or null. */
  advice: string | null;
  /** True for a server or an engine that cannot be reached. */
  unreachable?: true;
}

/** A finding that needs nothing done. */
export function ok(name: string, detail: string): Finding {
  return { name, state: 'ok', detail, advice: null };
}
