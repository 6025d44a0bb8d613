const MAX_SUMMARY_CHARS = 200;

/** What lists of the Web UI show of a run: its question, cut where it is long. */
export function startSummary(question: string): string {
  return question.length <= MAX_SUMMARY_CHARS ? question : `${question.slice(0, MAX_SUMMARY_CHARS - 1)}…`;
}
