/** Document 000's count: what stands between white space, signs of Markdown and the list of sources included. */
export function wordCount(markdown: string): number {
  return markdown.split(/\s+/).filter((word) => word !== '').length;
}
