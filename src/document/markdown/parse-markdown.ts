import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { unified, type Processor } from 'unified';

/** What is asked of a node of Markdown's tree, whatever its type; offsets are UTF-16 units of the text that was parsed. */
export interface MarkdownNode {
  type: string;
  value?: string;
  children?: MarkdownNode[];
  position?: { start: { offset?: number | undefined }; end: { offset?: number | undefined } } | undefined;
  depth?: number;
  ordered?: boolean | null | undefined;
  start?: number | null | undefined;
  spread?: boolean | null | undefined;
  url?: string;
  alt?: string | null | undefined;
}

const processor = unified().use(remarkParse).use(remarkGfm).use(withOffsets).freeze();

/** Bare addresses that are made links in the finished tree have no offsets there; those that the parser finds have. */
function withOffsets(this: Processor): void {
  const data = this.data();
  data.fromMarkdownExtensions = (data.fromMarkdownExtensions ?? [])
    .flat()
    .map((extension) => ({ ...extension, transforms: [] }));
}

export function parseMarkdown(markdown: string): MarkdownNode {
  return processor.parse(markdown);
}

/**
 * A source's text may be no Markdown, or a cutting of it: an indented line is no code, a line above a rule no heading (nor front
 * matter one), and what looks like HTML is text.
 */
const sourceProcessor = processor()
  .use(withoutConstructs, ['codeIndented', 'setextUnderline', 'htmlFlow', 'htmlText', 'definition'])
  .freeze();

function withoutConstructs(this: Processor, names: string[]): void {
  const data = this.data();
  data.micromarkExtensions = [...(data.micromarkExtensions ?? []), { disable: { null: names } }];
}

export function parseSourceText(text: string): MarkdownNode {
  return sourceProcessor.parse(text);
}
