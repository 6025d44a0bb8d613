export function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A title as it stands within a sentence: names and acronyms keep their capitals. */
export function withinSentence(title: string): string {
  const [first = ''] = title.split(' ');
  const isName = /\p{Lu}|\d/u.test(first.slice(1)) || first.length === 1;
  return isName ? title : title.charAt(0).toLowerCase() + title.slice(1);
}
