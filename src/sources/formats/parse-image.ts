import { findOcrPackages, INSTALL_OCR } from './ocr-engine';
import type { Parsed } from './parsed-document';
import { recogniseImage, recognisedName, recognisedRemark, refusal } from './recognise-text';

const MEDIA_TYPES: readonly (readonly [RegExp, string])[] = [
  [/^\x89PNG/, 'image/png'],
  [/^\xff\xd8\xff/, 'image/jpeg'],
  [/^RIFF[^]{4}WEBP/, 'image/webp'],
  [/^(?:II\*\0|MM\0\*)/, 'image/tiff'],
  [/^GIF8/, 'image/gif'],
];

/** Screenshots and logos with fewer words are no sources. */
const MIN_WORDS = 20;

/** The text of a scanned or photographed page. */
export async function parseImage(
  bytes: Uint8Array,
  onPart: (part: number) => void,
  packages = findOcrPackages(),
): Promise<Parsed> {
  if (packages === null)
    return { ok: false, message: `it is a picture; to have its text recognised: ${INSTALL_OCR}` };
  const head = Buffer.from(bytes.subarray(0, 16)).toString('latin1');
  const mediaType = MEDIA_TYPES.find(([signature]) => signature.test(head))?.[1];
  if (mediaType === 'image/tiff' && hasSeveralPages(bytes))
    return { ok: false, message: 'it is a TIFF of several pages; save it as a PDF' };
  const read = await recogniseImage(bytes, packages, onPart);
  if (read === 'too-slow')
    return { ok: false, message: 'its text was not recognised in time; save it smaller' };
  const refused = refusal(read);
  if (refused !== null) return { ok: false, message: `it is a picture, and its text ${refused}` };
  if (read.words - read.illegible < MIN_WORDS)
    return { ok: false, message: `it is a picture with fewer than ${MIN_WORDS} legible words` };
  const fields = mediaType === undefined ? {} : { mediaType };
  const parts = [{ text: read.text, name: recognisedName(read) }];
  return {
    ok: true,
    documents: [{ fields, parts, isSet: true, remarks: [recognisedRemark('it is', [read])] }],
  };
}

/** The first directory of a TIFF names the place of the next one, or 0. */
function hasSeveralPages({ buffer, byteOffset, byteLength }: Uint8Array): boolean {
  const view = new DataView(buffer, byteOffset, byteLength);
  const isLittle = view.getUint8(0) === 0x49;
  const first = view.getUint32(4, isLittle);
  if (first + 2 > byteLength) return false;
  const next = first + 2 + view.getUint16(first, isLittle) * 12;
  return next + 4 <= byteLength && view.getUint32(next, isLittle) !== 0;
}
