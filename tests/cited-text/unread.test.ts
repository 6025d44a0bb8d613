import { readCitedReport } from '../../src/cited-text/read-cited-report';

const LIST = '## References\n\n1. Rice https://a.example/one\n2. Wheat https://a.example/two\n';

/** Kind and line of what is not read. */
function unread(markdown: string): string[] {
  return readCitedReport(markdown).unread.map(({ kind, line }) => `${kind} ${line}`);
}

describe('what is not read', () => {
  test.each([
    ['code that nothing closes', `Rice feeds many [1].\n\n\`\`\`py\nprint(1)\n\n${LIST}`, ['open-code 3']],
    ['code closed by fewer signs', `Rice [1].\n\n~~~~\nx\n~~~\n\n${LIST}`, ['open-code 3']],
    ['all of a report as code', `\`\`\`markdown\nRice feeds many [1].\n\n${LIST}\`\`\`\n`, ['code 1']],
    ['HTML that cites', `<div>\nRice feeds many [1].\n</div>\n\n${LIST}`, ['html 1']],
  ])('is told: %s', (_kind, markdown, expected) => {
    expect(unread(markdown)).toEqual(expected);
  });

  test.each([
    ['code that is closed', `Rice [1].\n\n\`\`\`py\nprint(a[1])\n\`\`\`\n\n${LIST}`],
    ['code in a quotation', `> \`\`\`\n> x[1]\n> \`\`\`\n\nRice [1].\n\n${LIST}`],
    ['indented code', `Rice [1].\n\n    x = a[1]\n\n${LIST}`],
    ['HTML without citations', `<div align="center">\nRice\n</div>\n\nRice [1].\n\n${LIST}`],
    ['code with Windows line ends', `Rice [1].\r\n\r\n\`\`\`\r\nx\r\n\`\`\`\r\n\r\nWheat [2].\r\n`],
    ['an empty fence at the end', `Rice [1].\n\n${LIST}\n\`\`\`\n`],
  ])('has nothing of %s', (_kind, markdown) => {
    expect(unread(markdown)).toEqual([]);
  });

  test('a list of sources that is code is read below its heading', () => {
    const urls = ['https://a.example/one', 'https://a.example/two'];
    const list = urls.map((url, at) => `[${at + 1}] ${url}\n`).join('');
    const markdown = `Rice [1]. Wheat [2].\n\n## References\n\n\`\`\`\n${list}\`\`\`\n`;
    const { citations, entries } = readCitedReport(markdown);
    expect(citations.map(({ entry }) => entries[entry ?? -1]?.url)).toEqual(urls);
    expect(unread(markdown)).toEqual([]);
  });
});
