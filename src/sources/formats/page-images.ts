import { type getDocumentProxy, getResolvedPDFJS } from 'unpdf';
import { maxOf, minOf } from '../../lib/iterables';
import type { GreyImage } from './grey-image';

type PdfDocument = Awaited<ReturnType<typeof getDocumentProxy>>;
type PdfPage = Awaited<ReturnType<PdfDocument['getPage']>>;

/** A page of A4 at 600 dpi has 35 million. Larger images are not decoded. */
export const MAX_IMAGE_PIXELS = 40_000_000;

/** Logos and figures cover less of a page. */
const MIN_COVERED = 0.5;

/** Smaller images do not decide on the resolution. */
const MIN_SHARE = 0.001;

const POINTS_PER_INCH = 72;

/** A page can be stored in strips, or as layers; a crowd of small images is no scan. */
const MAX_IMAGES = 200;

export interface PageImage {
  image: GreyImage;
  /** Resolution of the finest of its images. */
  dpi: number;
}

/** The scanned page, turned as it is shown; null without images that cover half of it. */
export async function pageImage(pdf: PdfDocument, number: number): Promise<PageImage | null> {
  const { OPS } = await getResolvedPDFJS();
  const page = await pdf.getPage(number);
  try {
    const placed = await placedImages(page, OPS);
    const { width, height } = page.getViewport({ scale: 1 });
    const covered = placed.reduce((sum, { matrix }) => sum + areaOf(matrix), 0);
    if (covered < MIN_COVERED * width * height || placed.length > MAX_IMAGES) return null;
    const large = placed.filter(({ matrix }) => areaOf(matrix) > MIN_SHARE * width * height);
    const finest = maxOf(
      large.map(({ matrix: [a, b], bitmap }) => bitmap.width / Math.max(1, Math.hypot(a, b))),
    );
    const scale = Math.min(finest, Math.sqrt(MAX_IMAGE_PIXELS / (width * height)));
    const image = whiteImage(Math.round(width * scale), Math.round(height * scale));
    for (const { bitmap, matrix } of placed)
      paint(image, bitmap, multiply([scale, 0, 0, scale, 0, 0], matrix));
    return { image, dpi: Math.round(scale * POINTS_PER_INCH) };
  } finally {
    page.cleanup();
  }
}

function areaOf([a, b, c, d]: Matrix): number {
  return Math.abs(a * d - b * c);
}

/** From image to page: `x' = a x + c y + e`, `y' = b x + d y + f`. */
type Matrix = [a: number, b: number, c: number, d: number, e: number, f: number];

interface Bitmap {
  width: number;
  height: number;
  /** Kinds of the library: 1 bit of grey a pixel with rows of whole bytes, 3 bytes, or 4 bytes with transparency. */
  kind: 1 | 2 | 3;
  data: Uint8Array;
  /** A stencil paints its zero bits black and leaves the others. */
  isStencil: boolean;
}

interface PlacedImage {
  bitmap: Bitmap;
  matrix: Matrix;
}

type Operators = Awaited<ReturnType<typeof getResolvedPDFJS>>['OPS'];

async function placedImages(page: PdfPage, ops: Operators): Promise<PlacedImage[]> {
  const { fnArray, argsArray } = await page.getOperatorList(); // any in the library
  const placed: PlacedImage[] = [];
  const saved: Matrix[] = [];
  let matrix = page.getViewport({ scale: 1 }).transform as Matrix; // six numbers, untyped in the library
  for (const [at, operator] of fnArray.entries()) {
    const args = Array.isArray(argsArray[at]) ? (argsArray[at] as unknown[]) : [];
    const images = imagesOf(operator, args, ops);
    if (operator === ops.save) saved.push(matrix);
    else if (operator === ops.restore || operator === ops.paintFormXObjectEnd) matrix = saved.pop() ?? matrix;
    else if (operator === ops.transform) matrix = multiply(matrix, asMatrix(args));
    else if (operator === ops.paintFormXObjectBegin) {
      saved.push(matrix);
      matrix = multiply(matrix, asMatrix(args[0]));
    }
    for (const { value, isStencil, own } of images) {
      if (placed.length > MAX_IMAGES) return placed;
      const bitmap = await bitmapOf(page, value, isStencil);
      if (bitmap !== null) placed.push({ bitmap, matrix: own === null ? matrix : multiply(matrix, own) });
    }
  }
  return placed;
}

interface ImageArgument {
  /** The image, or its name among the objects of the page. */
  value: unknown;
  isStencil: boolean;
  own: Matrix | null;
}

function imagesOf(operator: number, args: readonly unknown[], ops: Operators): ImageArgument[] {
  const [value] = args;
  if (operator === ops.paintImageXObject || operator === ops.paintInlineImageXObject)
    return [{ value, isStencil: false, own: null }];
  if (operator === ops.paintImageMaskXObject) return [{ value, isStencil: true, own: null }];
  if (operator !== ops.paintImageMaskXObjectGroup || !Array.isArray(value)) return [];
  return (value as unknown[]).map((one) => ({
    value: one,
    isStencil: true,
    own: asMatrix(fieldOf(one, 'transform')),
  }));
}

async function bitmapOf(page: PdfPage, value: unknown, isStencil: boolean): Promise<Bitmap | null> {
  const image = typeof value === 'string' ? await objectOf(page, value) : value;
  const named = fieldOf(image, 'data');
  const stored = typeof named === 'string' ? await objectOf(page, named) : image;
  const [width, height] = [Number(fieldOf(image, 'width')), Number(fieldOf(image, 'height'))];
  const data = stored instanceof Uint8Array ? stored : fieldOf(stored, 'data');
  const kind = isStencil ? 1 : fieldOf(stored, 'kind');
  if (!(data instanceof Uint8Array || data instanceof Uint8ClampedArray)) return null;
  if (kind !== 1 && kind !== 2 && kind !== 3) return null;
  const rowBytes = kind === 1 ? (width + 7) >> 3 : width * (kind + 1);
  if (!(width > 0 && height > 0 && data.length >= rowBytes * height)) return null;
  const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  return { width, height, kind, data: bytes, isStencil };
}

/** Images arrive after the list of operators. Broken ones, and those in JPEG 2000, arrive as null. */
function objectOf(page: PdfPage, name: string): Promise<unknown> {
  const objects = name.startsWith('g_') ? page.commonObjs : page.objs;
  return new Promise((resolve) => void objects.get(name, resolve));
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

function asMatrix(value: unknown): Matrix {
  const numbers = value instanceof Float32Array || Array.isArray(value) ? Array.from(value, Number) : [];
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = numbers;
  return [a, b, c, d, e, f];
}

function multiply([a, b, c, d, e, f]: Matrix, [g, h, i, j, k, l]: Matrix): Matrix {
  return [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f];
}

function whiteImage(width: number, height: number): GreyImage {
  return { width, height, pixels: new Uint8Array(width * height).fill(255) };
}

/** `matrix` places the unit square, whose y points up, on the target. */
function paint(target: GreyImage, bitmap: Bitmap, [a, b, c, d, e, f]: Matrix): void {
  const area = a * d - b * c;
  if (area === 0) return;
  const [left, right] = range([e, e + a, e + c, e + a + c], target.width);
  const [top, bottom] = range([f, f + b, f + d, f + b + d], target.height);
  for (let y = top; y < bottom; y += 1) {
    for (let x = left; x < right; x += 1) {
      const dx = x + 0.5 - e;
      const dy = y + 0.5 - f;
      const column = Math.floor(((d * dx - c * dy) / area) * bitmap.width);
      const row = Math.floor((1 - (a * dy - b * dx) / area) * bitmap.height);
      if (column < 0 || row < 0 || column >= bitmap.width || row >= bitmap.height) continue;
      const at = y * target.width + x;
      target.pixels[at] = greyAt(bitmap, column, row, target.pixels[at] ?? 255);
    }
  }
}

function range(ends: readonly number[], limit: number): [number, number] {
  return [Math.max(0, Math.floor(minOf(ends))), Math.min(limit, Math.ceil(maxOf(ends)))];
}

/** `below` shows through transparent pixels. */
function greyAt({ width, kind, data, isStencil }: Bitmap, x: number, y: number, below: number): number {
  if (kind === 1) {
    const bit = ((data[y * ((width + 7) >> 3) + (x >> 3)] ?? 0) >> (7 - (x & 7))) & 1;
    if (isStencil) return bit === 0 ? 0 : below;
    return bit * 255;
  }
  const at = (y * width + x) * (kind + 1);
  const grey = ((data[at] ?? 0) * 77 + (data[at + 1] ?? 0) * 150 + (data[at + 2] ?? 0) * 29) >> 8;
  const opacity = kind === 3 ? (data[at + 3] ?? 0) / 255 : 1;
  return Math.round(grey * opacity + below * (1 - opacity));
}
