import { decodeString } from 'micromark-util-decode-string';
import { type MarkdownNode, nodeText, parseMarkdown, parseSourceText } from '../cited-markdown/markdown-tree';
import { webAddress } from './document';
import { type Content, html, type Html } from './html';

/** Markers of quotations and lists at the start of a line, and white space at its end, are no text. */
const LINE_BREAK = /[ \t]*\r?\n[ \t>]*/g;

export interface MarkdownHtmlOptions<S extends Span> {
  spans: readonly S[];
  /** Wraps the content of a span, or each part of it if it is split. */
  around: (span: S, said: Content, isFirst: boolean) => Html;
  /** Renders text within a span or outside all spans. */
  words: (text: string, span: S | null) => Content;
  /** Level of the highest headings; null for quoted text, with headings as bold lines and links as text. */
  headingLevel: number | null;
}

/** Markdown as HTML for the listed node types; anything else is shown as text. No images are loaded; links lead to web addresses only. */
export function markdownHtml<S extends Span>(markdown: string, showing: MarkdownHtmlOptions<S>): Html {
  const { headingLevel, spans } = showing;
  const root = headingLevel === null ? parseSourceText(markdown) : parseMarkdown(markdown);
  const depths = [...new Set((root.children ?? []).flatMap(({ depth }) => depth ?? []))].sort(
    (one, other) => one - other,
  );
  const writer: Writer<S> = {
    ...showing,
    markdown,
    depths,
    level: (headingLevel ?? 1) - 1,
    shown: new Set(),
    inLink: false,
  };
  const blocks = blocksHtml(root.children ?? [], writer);
  // Every span is reachable, also one that only text can hold, such as in an address.
  const others = spans.filter((span) => !writer.shown.has(span));
  return html`${blocks}${others.map((span) => html`<p dir="auto">${wrapSpan(writer, span, markdown.slice(span.start, span.end))}</p>`)}`;
}

interface Writer<S extends Span> extends MarkdownHtmlOptions<S> {
  markdown: string;
  depths: readonly number[];
  level: number;
  shown: Set<S>;
  /** HTML does not allow a link within a link. */
  inLink: boolean;
}

function blocksHtml<S extends Span>(nodes: readonly MarkdownNode[], writer: Writer<S>): Content {
  return nodes.map((node) => html`${blockHtml(node, writer)} `);
}

function blockHtml<S extends Span>(node: MarkdownNode, writer: Writer<S>): Content {
  const children = node.children ?? [];
  switch (node.type) {
    case 'paragraph':
      return hasLines(node, writer)
        ? html`<p class="lines" dir="auto">${phrases(children, writer)}</p>`
        : html`<p dir="auto">${phrases(children, writer)}</p>`;
    case 'heading':
      return heading(node, writer);
    case 'list':
      return list(node, writer);
    case 'blockquote':
      return html`<blockquote dir="auto">${blocksHtml(children, writer)}</blockquote>`;
    case 'table':
      return table(children, writer);
    case 'thematicBreak':
      return html`<hr />`;
    case 'code': {
      const text = isSplitBySpan(node, writer) ? asWritten(node, writer) : (node.value ?? '');
      return html`<pre tabindex="0"><code dir="auto">${text}</code></pre>`;
    }
    default:
      return html`<p dir="auto">${asWritten(node, writer)}</p>`;
  }
}

/** Minimum length of all but the last line in wrapped text. */
const MIN_WRAPPED_CHARS = 50;

/** In a source, the lines of a paragraph may be separate lines, as in plain text. */
function hasLines<S extends Span>(node: MarkdownNode, { headingLevel, markdown }: Writer<S>): boolean {
  const stretch = rangeOfNode(node);
  if (headingLevel !== null || stretch === null) return false;
  const lines = markdown.slice(stretch.start, stretch.end).split('\n');
  return lines.slice(0, -1).some((line) => line.length < MIN_WRAPPED_CHARS);
}

/** Levels have no gaps, in contrast to the depths of the text. */
function heading<S extends Span>({ depth = 1, children = [] }: MarkdownNode, writer: Writer<S>): Html {
  const text = phrases(children, writer);
  if (writer.headingLevel === null) return html`<p dir="auto"><strong>${text}</strong></p>`;
  const wanted = writer.headingLevel + Math.max(0, writer.depths.indexOf(depth));
  writer.level = Math.min(6, wanted, writer.level + 1);
  if (writer.level <= 3) return html`<h3 dir="auto">${text}</h3>`;
  if (writer.level === 4) return html`<h4 dir="auto">${text}</h4>`;
  return writer.level === 5 ? html`<h5 dir="auto">${text}</h5>` : html`<h6 dir="auto">${text}</h6>`;
}

function list<S extends Span>({ ordered, start, children = [] }: MarkdownNode, writer: Writer<S>): Html {
  const items = children.map((item) => html`<li dir="auto">${itemHtml(item, writer)}</li> `);
  return ordered
    ? html`<ol start="${start ?? 1}">
        ${items}
      </ol>`
    : html`<ul>
        ${items}
      </ul>`;
}

function itemHtml<S extends Span>({ children = [] }: MarkdownNode, writer: Writer<S>): Content {
  return children.map((child) =>
    child.type === 'paragraph' && children.filter(({ type }) => type === 'paragraph').length === 1
      ? phrases(child.children ?? [], writer)
      : blockHtml(child, writer),
  );
}

function table<S extends Span>([header, ...rows]: readonly MarkdownNode[], writer: Writer<S>): Html {
  const cells = (row: MarkdownNode | undefined): Content[] =>
    (row?.children ?? []).map((cell) => phrases(cell.children ?? [], writer));
  return html`<div class="scroll" role="group" aria-label="Table" tabindex="0">
    <table>
      <thead>
        <tr>
          ${cells(header).map((cell) => html`<th scope="col" dir="auto">${cell}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) =>
            html`<tr>
              ${cells(row).map((cell) => html`<td dir="auto">${cell}</td>`)}
            </tr> `,
        )}
      </tbody>
    </table>
  </div>`;
}

function phrases<S extends Span>(nodes: readonly MarkdownNode[], writer: Writer<S>): Content {
  if (writer.inLink) return nodes.map((node) => phrase(node, writer));
  const written: { span: S | null; said: Content[] }[] = [];
  const add = (span: S | null, said: Content): void => {
    const last = written.at(-1);
    if (last?.span === span) last.said.push(said);
    else written.push({ span, said: [said] });
  };
  for (const node of nodes) {
    const stretch = rangeOfNode(node);
    const span = spanHolding(writer.spans, stretch);
    if (node.type === 'text')
      for (const piece of textPieces(writer.markdown, node, writer.spans))
        add(piece.span, writer.words(piece.text, piece.span));
    else if (span === null && stretch !== null && isSplitBySpan(node, writer))
      for (const piece of writtenPieces(writer.markdown, stretch, writer.spans)) add(piece.span, piece.text);
    else add(span, phrase(node, span === null ? writer : { ...writer, inLink: true }));
  }
  return written.map(({ span, said }) => (span === null ? said : wrapSpan(writer, span, said)));
}

/** True if a span begins or ends within an atomic node such as code, which is then shown as written. */
function isSplitBySpan<S extends Span>(node: MarkdownNode, { spans }: Writer<S>): boolean {
  const stretch = rangeOfNode(node);
  return node.children === undefined && stretch !== null && spansOver(spans, stretch).length > 0;
}

function wrapSpan<S extends Span>({ around, shown }: Writer<S>, span: S, said: Content): Html {
  const isFirst = !shown.has(span);
  shown.add(span);
  return around(span, said, isFirst);
}

function phrase<S extends Span>(node: MarkdownNode, writer: Writer<S>): Content {
  const children = node.children ?? [];
  switch (node.type) {
    case 'text':
      return node.value ?? '';
    case 'strong':
      return html`<strong>${phrases(children, writer)}</strong>`;
    case 'emphasis':
      return html`<em>${phrases(children, writer)}</em>`;
    case 'delete':
      return html`<del>${phrases(children, writer)}</del>`;
    case 'inlineCode':
      return html`<code dir="auto">${node.value ?? ''}</code>`;
    case 'break':
      return html`<br />`;
    case 'image':
      return nodeText(node);
    case 'link':
      return webLink(node, writer);
    default:
      return asWritten(node, writer);
  }
}

function webLink<S extends Span>({ url = '', children = [] }: MarkdownNode, writer: Writer<S>): Content {
  if (writer.headingLevel === null) return phrases(children, writer);
  const address = webAddress(url);
  const text = phrases(children, { ...writer, inLink: true });
  if (address === null || writer.inLink) return text;
  return html`<a href="${address}" rel="noopener noreferrer">${text}</a>`;
}

function asWritten<S extends Span>(node: MarkdownNode, writer: Writer<S>): Content {
  const stretch = rangeOfNode(node);
  if (stretch === null) return nodeText(node);
  if (writer.inLink) return writer.markdown.slice(stretch.start, stretch.end);
  return writtenPieces(writer.markdown, stretch, writer.spans).map(({ text, span }) =>
    span === null ? text : wrapSpan(writer, span, text),
  );
}

interface Span {
  start: number;
  end: number;
}

interface SpanPiece<S extends Span> {
  text: string;
  span: S | null;
}

function rangeOfNode({ position }: MarkdownNode): Span | null {
  const [start, end] = [position?.start.offset, position?.end.offset];
  return start === undefined || end === undefined ? null : { start, end };
}

function spanHolding<S extends Span>(spans: readonly S[], stretch: Span | null): S | null {
  if (stretch === null) return null;
  return spans.find(({ start, end }) => start <= stretch.start && stretch.end <= end) ?? null;
}

/** Span offsets are in the Markdown, where an escape or an entity is longer than its text. */
function textPieces<S extends Span>(
  markdown: string,
  node: MarkdownNode,
  spans: readonly S[],
): SpanPiece<S>[] {
  const { value = '' } = node;
  const stretch = rangeOfNode(node);
  if (stretch === null || spansOver(spans, stretch).length === 0) return [{ text: value, span: null }];
  const raw = markdown.slice(stretch.start, stretch.end);
  const readOf = (offset: number): number =>
    offset >= stretch.end ? value.length : decodeMarkdown(raw.slice(0, offset - stretch.start)).length;
  return cutBySpans(stretch, spans).map(({ start, end, span }) => ({
    text: value.slice(readOf(start), readOf(end)),
    span,
  }));
}

function writtenPieces<S extends Span>(markdown: string, stretch: Span, spans: readonly S[]): SpanPiece<S>[] {
  return cutBySpans(stretch, spans).map(({ start, end, span }) => ({
    text: markdown.slice(start, end),
    span,
  }));
}

function spansOver<S extends Span>(spans: readonly S[], stretch: Span): S[] {
  return spans.filter(({ start, end }) => start < stretch.end && stretch.start < end);
}

function cutBySpans<S extends Span>(
  stretch: Span,
  spans: readonly S[],
): { start: number; end: number; span: S | null }[] {
  const bounds = spansOver(spans, stretch)
    .flatMap(({ start, end }) => [start, end])
    .filter((at) => stretch.start < at && at < stretch.end);
  const cuts = [...new Set([stretch.start, ...bounds, stretch.end])].sort((one, other) => one - other);
  return cuts.slice(1).map((end, at) => {
    const start = cuts[at] ?? stretch.start;
    return { start, end, span: spanHolding(spans, { start, end }) };
  });
}

function decodeMarkdown(raw: string): string {
  return decodeString(raw.replace(LINE_BREAK, '\n'));
}
