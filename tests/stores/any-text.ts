import fc from 'fast-check';

/** Any sequence of UTF-16 units, unpaired surrogates among them. */
export function anyText(maxLength = 40): fc.Arbitrary<string> {
  const unit = fc.oneof(
    fc.integer({ min: 0x20, max: 0x7e }),
    fc.integer({ min: 0, max: 0xffff }),
    fc.integer({ min: 0xd800, max: 0xdfff }),
  );
  return fc.array(unit, { maxLength }).map((units) => String.fromCharCode(...units));
}
