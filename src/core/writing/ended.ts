/** With a full stop, unless it ends as a sentence does: nothing stands behind what asks, exclaims or breaks off. */
export function ended(text: string): string {
  return `${text}${stopBehind(text)}`;
}

/** The full stop that is to stand behind a text; empty where none is. */
export function stopBehind(text: string): '' | '.' {
  return /[.?!…？！。]$/u.test(text) ? '' : '.';
}
