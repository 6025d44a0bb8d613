/** A title with a full stop, unless it ends as a sentence does: nothing stands behind what asks, exclaims or breaks off. */
export function ended(title: string): string {
  return /[.?!…？！。]$/u.test(title) ? title : `${title}.`;
}
