import { areApart, measuredValue, type MeasuredValue } from '../../../src/reading/statements/measured-value';

function measured(text: string): MeasuredValue {
  const value = measuredValue(text);
  if (value === null) throw new Error(`No value is measured in “${text}”.`);
  return value;
}

describe('a value with its error', () => {
  it('is read with its unit, and with all errors that are stated of it', () => {
    const said = '67.4 ± 0.5 km/s/Mpc';
    const value = { value: 67.4, error: 0.5, unit: 'km/s/Mpc', said };
    expect(measured(`The satellite gives ${said}.`)).toMatchObject(value);
    expect(measured('Lenses give 73.3 km/s/Mpc, with an uncertainty of 2%.').error).toBeCloseTo(1.466);
    const both = 'They give 3.0 ± 0.3 s, with a further systematic uncertainty of 0.4 s.';
    expect(measured(both).error).toBeCloseTo(0.5);
    expect(measured('The crater is 66.0 ± 0.1 million years old.').unit).toBe('million years');
  });

  it('is none where several do not agree, where one has no error, and where somebody else’s is compared', () => {
    expect(measuredValue('It fell from 41.0 ± 0.5 s to 33.0 ± 0.4 s.')).toBeNull();
    expect(measuredValue('They find 74.5 s ± 0.8 s at first, and 67.4 s later.')).toBeNull();
    expect(measuredValue('The difference from the value of 67.4 ± 0.5 s is large.')).toBeNull();
    expect(measuredValue('The bridge is 120 m long.')).toBeNull();
  });

  it('is another one three errors away, in whatever unit', () => {
    const apart = (one: string, other: string): boolean =>
      areApart(measured(`It is ${one}.`), measured(`It is ${other}.`));
    expect(apart('878.4 ± 0.5 s', '887.7 ± 2.2 s')).toBe(true);
    expect(apart('67.4 ± 0.5 s', '67.9 ± 1.5 s')).toBe(false);
    expect(apart('2.50 ± 0.01 m', '250 ± 2 cm')).toBe(false);
    expect(apart('67.4 ± 0.5 km/s/Mpc', '1,200 ± 30 km/s')).toBe(false);
  });
});
