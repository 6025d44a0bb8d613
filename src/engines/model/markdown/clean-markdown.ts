import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { escapeMarkdown, escapeWithinLine, stripUnsafe } from '../../../core/text/untrusted-text';
import { type CitationForms, createCitationForms } from './citation-forms';
import { type CitationForm, readCitations, renderCitationTokens, SHORT_IDS } from './citation-tokens';

const processor = unified().use(remarkParse).use(remarkGfm);
type Node = ReturnType<typeof processor.parse>['children'][number];

/** Marks of this program's own; no text from outside keeps them. */
const PRIVATE = /[\ue000-\uf8ff]/g;
/** A citation that a model made a link of: `[S1](https://…)`, `[1-3](https://…)`. */
const LINKED_CITATION = /(\[[SP]?\s?\d[\d\s,;–-]*\])\([^)\s]*\)/g;
/** A footnote, or a line of a model's own list of sources: `[^1]: https://…`, `[S1]: A title`. */
const DEFINITION = /^ {0,3}\[[^[\]\n]+\]:[ \t]*\S.*$/gm;
const ADDRESS = /^(?:[a-z][a-z0-9+.-]*:|www\.)\S*$|^\S+@\S+$/i;
/** A model's own remarks on confidence; the report has its own. */
const CONFIDENCE =
  /\s*\((?:[^()]*\b)?(?:very )?(?:high|medium|moderate|low)[ -]confidence[^()]*\)|\s*\(confidence:?[^()]*\)/gi;

export interface CleanBlock {
  markdown: string;
  /** Citations of sources that were not given, as written. */
  unknown: string[];
  hasDropped: boolean;
}

/**
 * A block of a model's Markdown with nothing active in it: headings, emphasis, lists, quotations and tables stay; a link is its
 * words; images, HTML, code blocks and footnotes go. `[S1]`, or a citation of another `form`, becomes the mark of what `idOf` gives. `forms`
 * reads the blocks of one text; without it a block is a text.
 */
export function cleanMarkdown(
  block: string,
  idOf: (name: string) => string | undefined,
  form: CitationForm = SHORT_IDS,
  forms: CitationForms = citationForms(idOf, form),
): CleanBlock {
  const safe = stripUnsafe(block).replace(PRIVATE, '');
  const withoutDefinitions = safe.replace(DEFINITION, '');
  const raw = forms(withoutDefinitions).replace(LINKED_CITATION, '$1').replace(CONFIDENCE, '');
  const { text, citations, foreign } = readCitations(raw, form);
  const unknown = [...foreign, ...citations.flat().filter((name) => idOf(name) === undefined)];
  const cleaner = new Cleaner();
  const markdown = processor
    .parse(text)
    .children.map((node) => cleaner.block(node))
    .filter((part) => part !== '')
    .join('\n\n');
  return {
    markdown: renderCitationTokens(markdown, citations, (names) => names.flatMap((name) => idOf(name) ?? [])),
    unknown,
    hasDropped: cleaner.hasDropped || withoutDefinitions !== safe,
  };
}

/** `texts` is what the model has read. */
export function citationForms(
  idOf: (name: string) => string | undefined,
  { prefix }: CitationForm = SHORT_IDS,
  texts: readonly string[] = [],
): CitationForms {
  return createCitationForms({
    prefix,
    isGiven: (number) => idOf(`${prefix}${number}`) !== undefined,
    texts,
  });
}

class Cleaner {
  hasDropped = false;

  block(node: Node): string {
    switch (node.type) {
      case 'heading':
        return `${'#'.repeat(node.depth)} ${this.line(node.children)}`;
      case 'paragraph':
        return this.line(node.children, escapeMarkdown);
      case 'blockquote':
        return node.children.map((child) => this.block(child)).join('\n\n');
      case 'list':
        return node.children
          .map((item, at) => {
            const marker = node.ordered === true ? `${(node.start ?? 1) + at}. ` : '- ';
            const [first = '', ...rest] = item.children.map((child) => this.block(child));
            const under = rest.map((part) => part.replace(/^/gm, '  '));
            return [`${marker}${first}`, ...under].join('\n');
          })
          .join('\n');
      case 'table': {
        const rows = node.children.map(
          (row) => `| ${row.children.map((cell) => this.line(cell.children)).join(' | ')} |`,
        );
        const columns = node.children[0]?.children.length ?? 0;
        return [rows[0] ?? '', `|${' --- |'.repeat(columns)}`, ...rows.slice(1)].join('\n');
      }
      default:
        if (node.type !== 'thematicBreak') this.hasDropped = true;
        return '';
    }
  }

  private line(children: readonly Node[], escape = escapeWithinLine): string {
    return children
      .map((child, at) => this.inline(child, at === 0 ? escape : escapeWithinLine))
      .join('')
      .replace(/\s+/g, ' ')
      .trim();
  }

  private inline(node: Node, escape: (text: string) => string): string {
    switch (node.type) {
      case 'text':
      case 'inlineCode':
        return keepingSpaces(node.value, escape);
      case 'strong':
        return `**${this.line(node.children)}**`;
      case 'emphasis':
        return `*${this.line(node.children)}*`;
      case 'break':
        return ' ';
      case 'link': {
        const words = node.children.map((child) => this.inline(child, escape)).join('');
        const isAddress = node.children.every(
          (child) => child.type === 'text' && ADDRESS.test(child.value.trim()),
        );
        this.hasDropped ||= isAddress;
        return isAddress ? '' : words;
      }
      case 'linkReference':
      case 'delete':
        return node.children.map((child) => this.inline(child, escape)).join('');
      default:
        this.hasDropped = true;
        return '';
    }
  }
}

/** Escaping trims a text; the spaces beside it part it from its neighbours. */
function keepingSpaces(text: string, escape: (text: string) => string): string {
  const [before = ''] = /^\s*/.exec(text) ?? [];
  const [behind = ''] = /\s*$/.exec(text.slice(before.length)) ?? [];
  return before + escape(text.trim()) + behind;
}
