/** A piece of text at its place; coordinates start at the bottom left. */
export type Drawn = readonly [text: string, x: number, y: number, size?: number];

interface Drawing {
  rotate?: 0 | 90 | 180 | 270;
  /** 3 is invisible, as in an OCR layer. */
  renderMode?: number;
  /** By default Helvetica. */
  font?: string;
  /** Codes of a letter in the font, in hexadecimal digits. */
  codeOf?: (letter: string) => string;
}

/** A PDF with these pages, written by hand so that each piece is drawn where and when the test says. */
export function drawnPdf(pages: readonly (readonly Drawn[])[], drawing: Drawing = {}): Uint8Array {
  const { rotate = 0, renderMode = 0, codeOf } = drawing;
  const { font = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>' } =
    drawing;
  const numbers = pages.map((_page, at) => 4 + 2 * at);
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${numbers.map((number) => `${number} 0 R`).join(' ')}] /Count ${pages.length} >>`,
    font,
    ...pages.flatMap((pieces, at) => {
      const content = pieces
        .map(
          ([text, x, y, size = 11]) =>
            `BT ${renderMode} Tr /F1 ${size} Tf ${matrix(rotate, x, y)} Tm ${shown(text, codeOf)} Tj ET`,
        )
        .join('\n');
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Rotate ${rotate} /Contents ${5 + 2 * at} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
        `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
      ];
    }),
  ].map((object, at) => `${at + 1} 0 obj\n${object}\nendobj\n`);
  return new Uint8Array(
    Buffer.from(
      `%PDF-1.4\n${objects.join('')}trailer << /Size ${objects.length + 1} /Root 1 0 R >>\n%%EOF`,
      'latin1',
    ),
  );
}

/** Codes of WinAnsi for signs beyond Latin 1. */
const CODES: Readonly<Record<string, string>> = { '–': '\\226', '‰': '\\211' };

/** Text is upright once the page is turned as `/Rotate` says. */
function matrix(rotate: number, x: number, y: number): string {
  const matrices: Readonly<Record<number, readonly number[]>> = {
    0: [1, 0, 0, 1, x, y],
    90: [0, 1, -1, 0, 612 - y, x],
    180: [-1, 0, 0, -1, 612 - x, 792 - y],
    270: [0, -1, 1, 0, y, 792 - x],
  };
  return (matrices[rotate] ?? []).join(' ');
}

function shown(text: string, codeOf?: (letter: string) => string): string {
  if (codeOf !== undefined) return `<${Array.from(text, codeOf).join('')}>`;
  return `(${text.replace(/[()\\]/g, '\\$&').replace(/[–‰]/g, (sign) => CODES[sign] ?? sign)})`;
}
