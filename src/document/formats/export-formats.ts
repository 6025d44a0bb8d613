import { visibleJson } from '../../core/values/told-value';
import type { ExportFormat } from './export-format';

/** Every format by its name. What a format needs is loaded when it is asked for. */
export const EXPORT_FORMATS = {
  md: {
    ending: 'md',
    mediaType: 'text/markdown; charset=utf-8',
    render: async (...given) => (await import('./markdown.js')).renderMarkdown(...given),
  },
  html: {
    ending: 'html',
    mediaType: 'text/html; charset=utf-8',
    render: async (tree) => (await import('../page/html-page.js')).htmlPage(tree),
  },
  json: {
    ending: 'json',
    mediaType: 'application/json',
    render: (_tree, { result }) => Promise.resolve(`${visibleJson(JSON.stringify(result, null, 2))}\n`),
  },
  csv: {
    ending: 'csv',
    mediaType: 'text/csv; charset=utf-8; header=present',
    render: async (tree) => (await import('./csv.js')).renderCsv(tree),
  },
  ris: {
    ending: 'ris',
    mediaType: 'application/x-research-info-systems',
    render: async (tree) => (await import('./ris.js')).renderRis(tree),
  },
  bibtex: {
    ending: 'bib',
    mediaType: 'application/x-bibtex',
    render: async (tree) => (await import('./bibtex.js')).renderBibtex(tree),
  },
} satisfies Record<string, ExportFormat>;

export type ExportFormatName = keyof typeof EXPORT_FORMATS;

export const EXPORT_FORMAT_NAMES = Object.keys(EXPORT_FORMATS) as ExportFormatName[]; // its own keys, in order
