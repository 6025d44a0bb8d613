/** One thing that was looked at. A `note` keeps nobody from making a report; a `problem` does. */
export interface Finding {
  name: string;
  state: 'ok' | 'note' | 'problem';
  detail: string;
  advice: string | null;
  unreachable?: true;
}

export function ok(name: string, detail: string): Finding {
  return { name, state: 'ok', detail, advice: null };
}
