import { inflateSync } from 'node:zlib';

/** One byte a pixel, 0 is black, rows from the top. */
export interface GreyImage {
  width: number;
  height: number;
  pixels: Uint8Array;
}

/** A portable grey map, which the recogniser reads without unpacking. */
export function encodePgm({ width, height, pixels }: GreyImage): Buffer {
  return Buffer.concat([Buffer.from(`P5\n${width} ${height}\n255\n`, 'latin1'), pixels]);
}

/** Interpolates when enlarging, and averages when reducing. */
export function scaleGrey(image: GreyImage, scale: number): GreyImage {
  const width = Math.max(1, Math.round(image.width * scale));
  const height = Math.max(1, Math.round(image.height * scale));
  const columns = samplesOf(width, image.width);
  const rows = samplesOf(height, image.height);
  const narrow = new Float32Array(width * image.height);
  for (let y = 0; y < image.height; y += 1)
    for (let x = 0; x < width; x += 1)
      narrow[y * width + x] = weigh(image.pixels, y * image.width, 1, columns, x);
  const pixels = new Uint8Array(width * height);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) pixels[y * width + x] = Math.round(weigh(narrow, x, width, rows, y));
  return { width, height, pixels };
}

interface Samples {
  /** First source sample of each target sample. */
  first: Int32Array;
  /** `count` weights for each target sample; they add up to 1. */
  weights: Float32Array;
  count: number;
}

/** Triangular weights, as wide as the larger of a source and a target sample. */
function samplesOf(target: number, source: number): Samples {
  const ratio = source / target;
  const reach = Math.max(1, ratio);
  const count = Math.ceil(reach * 2) + 1;
  const first = new Int32Array(target);
  const weights = new Float32Array(target * count);
  for (let at = 0; at < target; at += 1) {
    const centre = (at + 0.5) * ratio - 0.5;
    const start = Math.floor(centre - reach) + 1;
    first[at] = start;
    let sum = 0;
    for (let k = 0; k < count; k += 1) {
      const inside = start + k >= 0 && start + k < source;
      const weight = inside ? Math.max(0, 1 - Math.abs(start + k - centre) / reach) : 0;
      weights[at * count + k] = weight;
      sum += weight;
    }
    for (let k = 0; k < count; k += 1) weights[at * count + k] = (weights[at * count + k] ?? 0) / sum;
  }
  return { first, weights, count };
}

function weigh(
  pixels: Uint8Array | Float32Array,
  offset: number,
  step: number,
  { first, weights, count }: Samples,
  at: number,
): number {
  let value = 0;
  for (let k = 0; k < count; k += 1) {
    const weight = weights[at * count + k] ?? 0;
    if (weight > 0) value += weight * (pixels[offset + ((first[at] ?? 0) + k) * step] ?? 0);
  }
  return value;
}

const PNG_HEADER_BYTES = 8;

/** Reads a grey PNG of 1 or 8 bits a pixel without interlacing, as the recogniser writes it. */
export function decodeGreyPng(png: Buffer): GreyImage {
  const width = png.readUInt32BE(16);
  const height = png.readUInt32BE(20);
  const bits = png[24];
  if (bits !== 1 && bits !== 8) throw new Error(`a grey image of ${bits} bits`);
  const packed: Buffer[] = [];
  for (let at = PNG_HEADER_BYTES; at + 12 <= png.length;) {
    const length = png.readUInt32BE(at);
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') packed.push(png.subarray(at + 8, at + 8 + length));
    at += length + 12;
  }
  const rowBytes = Math.ceil((width * bits) / 8);
  const filtered = inflateSync(Buffer.concat(packed), { maxOutputLength: (rowBytes + 1) * height });
  const rows = unfilter(filtered, rowBytes, height);
  if (bits === 8) return { width, height, pixels: rows };
  const pixels = Uint8Array.from({ length: width * height }, (_, at) => {
    const x = at % width;
    const byte = rows[Math.floor(at / width) * rowBytes + (x >> 3)] ?? 0;
    return ((byte >> (7 - (x & 7))) & 1) * 255;
  });
  return { width, height, pixels };
}

function unfilter(filtered: Buffer, rowBytes: number, height: number): Uint8Array {
  const rows = new Uint8Array(rowBytes * height);
  for (let y = 0; y < height; y += 1) {
    const filter = filtered[y * (rowBytes + 1)] ?? 0;
    for (let x = 0; x < rowBytes; x += 1) {
      const to = y * rowBytes + x;
      const left = x > 0 ? (rows[to - 1] ?? 0) : 0;
      const up = y > 0 ? (rows[to - rowBytes] ?? 0) : 0;
      const corner = x > 0 && y > 0 ? (rows[to - rowBytes - 1] ?? 0) : 0;
      rows[to] = (filtered[y * (rowBytes + 1) + 1 + x] ?? 0) + predict(filter, left, up, corner);
    }
  }
  return rows;
}

/** The five filters of the PNG specification, section 9. */
function predict(filter: number, left: number, up: number, corner: number): number {
  switch (filter) {
    case 1:
      return left;
    case 2:
      return up;
    case 3:
      return (left + up) >> 1;
    case 4: {
      const [a, b, c] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)];
      return a <= b && a <= c ? left : b <= c ? up : corner;
    }
    default:
      return 0;
  }
}
