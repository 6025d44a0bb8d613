import { visibleJson } from '../../lib/json';
import type { ExportFormat } from './document';

/** Modules of a format are loaded on first use. */
export const EXPORT_FORMATS = {
  md: {
    ending: 'md',
    mediaType: 'text/markdown; charset=utf-8',
    isText: true,
    render: async (tree, stored) => (await import('./text-formats.js')).renderMarkdown(tree, stored),
  },
  html: {
    ending: 'html',
    mediaType: 'text/html; charset=utf-8',
    isText: true,
    render: async (tree) => (await import('./html-page.js')).htmlPage(tree),
  },
  docx: {
    ending: 'docx',
    mediaType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    isText: false,
    render: async (tree) => (await import('./docx.js')).renderDocx(tree),
  },
  pdf: {
    ending: 'pdf',
    mediaType: 'application/pdf',
    isText: false,
    render: async (tree, _stored, means) => (await import('./pdf.js')).renderPdf(tree, means),
  },
  json: {
    ending: 'json',
    mediaType: 'application/json',
    isText: true,
    render: (_tree, { result }) => Promise.resolve(`${visibleJson(JSON.stringify(result, null, 2))}\n`),
  },
  csv: {
    ending: 'csv',
    mediaType: 'text/csv; charset=utf-8; header=present',
    isText: true,
    render: async (tree) => (await import('./text-formats.js')).renderCsv(tree),
  },
  ris: {
    ending: 'ris',
    mediaType: 'application/x-research-info-systems',
    isText: true,
    render: async (tree) => (await import('./text-formats.js')).renderRis(tree),
  },
  bibtex: {
    ending: 'bib',
    mediaType: 'application/x-bibtex',
    isText: true,
    render: async (tree) => (await import('./text-formats.js')).renderBibtex(tree),
  },
} satisfies Record<string, ExportFormat>;

export type ExportFormatName = keyof typeof EXPORT_FORMATS;

export const EXPORT_FORMAT_NAMES = Object.keys(EXPORT_FORMATS) as ExportFormatName[]; // its own keys, in order
