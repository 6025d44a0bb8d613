import type { DocumentClaim } from '../document';
import { type MarkdownNode, parseMarkdown } from '../markdown/parse-markdown';
import { webAddress } from '../web-address';
import { wordsOf } from '../markdown/plain-text';
import { claimHolding, claimPieces, stretchOf } from './claim-pieces';
import { type Content, html, type Html } from './html';

/** How a text is shown. */
export interface Showing {
  /** Claims of the text by their offsets in it. */
  claims: readonly DocumentClaim[];
  /** A link around what a claim says, or a part of that where it does not stand together. */
  claimLink: (claim: DocumentClaim, said: Content, isFirst: boolean) => Html;
  /** Text that is in no claim. */
  words: (text: string) => Content;
  /** Of the text's highest headings. */
  headingLevel: number;
}

/**
 * Markdown as HTML, by the nodes that are named here; whatever else there is, HTML above all, is shown as the text that it is. No
 * image is loaded, and links lead into the web alone.
 */
export function markdownHtml(markdown: string, showing: Showing): Html {
  const root = parseMarkdown(markdown);
  const depths = [...new Set((root.children ?? []).flatMap(({ depth }) => depth ?? []))].sort(
    (one, other) => one - other,
  );
  const writer: Writer = {
    ...showing,
    markdown,
    depths,
    level: showing.headingLevel - 1,
    linked: new Set(),
    inLink: false,
  };
  const blocks = blocksHtml(root.children ?? [], writer);
  // Each claim can be reached, also one that stands where only text can, such as in code.
  const others = showing.claims.filter((claim) => !writer.linked.has(claim.id));
  return html`${blocks}${others.map((claim) => html`<p dir="auto">${link(writer, claim, claim.text)}</p>`)}`;
}

interface Writer extends Showing {
  markdown: string;
  /** Those of the text's headings, the highest first. */
  depths: readonly number[];
  /** Of the last heading. */
  level: number;
  /** The ids of claims that have a link. */
  linked: Set<string>;
  /** A link in a link is none. */
  inLink: boolean;
}

function blocksHtml(nodes: readonly MarkdownNode[], writer: Writer): Content {
  return nodes.map((node) => html`${blockHtml(node, writer)} `);
}

function blockHtml(node: MarkdownNode, writer: Writer): Content {
  const children = node.children ?? [];
  switch (node.type) {
    case 'paragraph':
      return html`<p dir="auto">${phrases(children, writer)}</p>`;
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
    case 'code':
      return html`<pre tabindex="0"><code dir="auto">${node.value ?? ''}</code></pre>`;
    default:
      return html`<p dir="auto">${asWritten(node, writer)}</p>`;
  }
}

/** Levels follow one another, whatever depths the text has. */
function heading({ depth = 1, children = [] }: MarkdownNode, writer: Writer): Html {
  const wanted = writer.headingLevel + Math.max(0, writer.depths.indexOf(depth));
  writer.level = Math.min(6, wanted, writer.level + 1);
  const text = phrases(children, writer);
  if (writer.level <= 3) return html`<h3 dir="auto">${text}</h3>`;
  if (writer.level === 4) return html`<h4 dir="auto">${text}</h4>`;
  return writer.level === 5 ? html`<h5 dir="auto">${text}</h5>` : html`<h6 dir="auto">${text}</h6>`;
}

function list({ ordered, start, children = [] }: MarkdownNode, writer: Writer): Html {
  const items = children.map((item) => html`<li dir="auto">${itemHtml(item, writer)}</li> `);
  return ordered
    ? html`<ol start="${start ?? 1}">
        ${items}
      </ol>`
    : html`<ul>
        ${items}
      </ul>`;
}

/** An item of one paragraph is that line. */
function itemHtml({ children = [] }: MarkdownNode, writer: Writer): Content {
  return children.map((child) =>
    child.type === 'paragraph' && children.filter(({ type }) => type === 'paragraph').length === 1
      ? phrases(child.children ?? [], writer)
      : blockHtml(child, writer),
  );
}

function table([header, ...rows]: readonly MarkdownNode[], writer: Writer): Html {
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

/** What stands in a line, with one link around what belongs to one claim. */
function phrases(nodes: readonly MarkdownNode[], writer: Writer): Content {
  if (writer.inLink) return nodes.map((node) => phrase(node, writer));
  const written: { claim: DocumentClaim | null; said: Content[] }[] = [];
  const put = (claim: DocumentClaim | null, said: Content): void => {
    const last = written.at(-1);
    if (last?.claim === claim) last.said.push(said);
    else written.push({ claim, said: [said] });
  };
  for (const node of nodes) {
    if (node.type === 'text')
      for (const { text, claim } of claimPieces(writer.markdown, node, writer.claims))
        put(claim, claim === null ? writer.words(text) : text);
    else {
      const claim = claimHolding(writer.claims, stretchOf(node));
      put(claim, phrase(node, claim === null ? writer : { ...writer, inLink: true }));
    }
  }
  return written.map(({ claim, said }) => (claim === null ? said : link(writer, claim, said)));
}

function link({ claimLink, linked }: Writer, claim: DocumentClaim, said: Content): Html {
  const isFirst = !linked.has(claim.id);
  linked.add(claim.id);
  return claimLink(claim, said, isFirst);
}

function phrase(node: MarkdownNode, writer: Writer): Content {
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
      return wordsOf(node);
    case 'link':
      return webLink(node, writer);
    default:
      return asWritten(node, writer);
  }
}

function webLink({ url = '', children = [] }: MarkdownNode, writer: Writer): Content {
  const address = webAddress(url);
  const text = phrases(children, { ...writer, inLink: true });
  if (address === null || writer.inLink) return text;
  return html`<a href="${address}" rel="noopener noreferrer">${text}</a>`;
}

function asWritten(node: MarkdownNode, { markdown }: Writer): string {
  const stretch = stretchOf(node);
  return stretch === null ? wordsOf(node) : markdown.slice(stretch.start, stretch.end);
}
