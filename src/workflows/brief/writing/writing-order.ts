/** The summary of a whole text, and its conclusions, as parts are called. */
const SUMMARY = 'summary';
const CONCLUSIONS = 'conclusions';

/** In which order parts are written: subtopics, what follows from them, and the summary of it all at last, though it is read first. */
export function inWritingOrder(partIds: readonly string[]): string[] {
  const last = [CONCLUSIONS, SUMMARY];
  return [...partIds.filter((id) => !last.includes(id)), ...last.filter((id) => partIds.includes(id))];
}
