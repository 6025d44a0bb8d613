import { documentMetadata } from '../../src/sources/formats/parsed-document';

describe('documentMetadata', () => {
  it('takes title, author and language', () => {
    const said = { title: 'On walking and health', author: 'Ada Lovelace', language: 'en-GB' };
    expect(documentMetadata(said)).toEqual(said);
  });

  it('takes no date: a file is made at another time than its text is published', () => {
    const said = { title: 'On walking', author: 'Ada Lovelace', language: 'en', created: '2020-05-04' };
    expect(documentMetadata(said)).not.toHaveProperty('publishedAt');
  });
});
