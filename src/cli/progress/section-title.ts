import { safeExcerpt, safeLine } from '../terminal/safe-text';

/** `2. Its title`, as it stands in the outline; the id of what is not in it. */
export function numberedTitle(outline: readonly { id: string; title: string }[], section: string): string {
  const index = outline.findIndex(({ id }) => id === section);
  const title = outline[index]?.title;
  return title === undefined ? safeLine(section) : `${index + 1}. ${safeExcerpt(title, 100)}`;
}
