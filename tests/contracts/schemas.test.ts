import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { publishedSchemas, SCHEMA_FOLDER } from '../../scripts/published-schemas';
import { isRecord } from '../../src/lib/json';

describe('published schemas', () => {
  const folder = join(__dirname, '../..', SCHEMA_FOLDER);

  /** What `schemaProblems` and `fillDefaults` go by. */
  const KEYWORDS = new Set(
    (
      '$schema type description default const enum anyOf properties required additionalProperties propertyNames items ' +
      'minItems maxItems minLength maxLength pattern minimum maximum exclusiveMinimum exclusiveMaximum format'
    ).split(' '),
  );

  it('are what the contracts give; `npm run schemas` writes them anew', () => {
    const published = publishedSchemas();
    expect(readdirSync(folder).sort()).toEqual(published.map(({ file }) => file).sort());
    for (const { file, text } of published) expect(readFileSync(join(folder, file), 'utf8')).toBe(text);
  });

  it.each(['report-start.json', 'answer-start.json'])(
    "has, for what goes in, only keywords that the workflow's check knows: %s",
    (file) => {
      const schema: unknown = JSON.parse(readFileSync(join(folder, file), 'utf8'));
      expect([...keywordsOf(schema)].filter((keyword) => !KEYWORDS.has(keyword))).toEqual([]);
    },
  );

  function keywordsOf(schema: unknown): Set<string> {
    if (!isRecord(schema)) return new Set();
    const below = [
      ...Object.values(isRecord(schema.properties) ? schema.properties : {}),
      ...(Array.isArray(schema.anyOf) ? (schema.anyOf as unknown[]) : []),
      schema.items,
      schema.additionalProperties,
      schema.propertyNames,
    ];
    return new Set([...Object.keys(schema), ...below.flatMap((part) => [...keywordsOf(part)])]);
  }
});
