import { titleOfAddress } from '../../src/subtopics/title-of-address';

describe('what a source is called of which nothing but its address is known', () => {
  it.each([
    ['https://www.example.org/news/heat-pumps-in-old-houses', 'Heat pumps in old houses'],
    ['https://example.org/reports/global_outlook_2023.pdf?utm_source=x', 'Global outlook 2023'],
    ['https://example.org/w%C3%A4rmepumpen-im-altbau/', 'Wärmepumpen im altbau'],
  ])('%s is told in its words', (url, title) => {
    expect(titleOfAddress(url)).toBe(title);
  });

  it.each([
    ['https://arxiv.org/abs/1907.05922', 'arxiv.org/abs/1907.05922'],
    ['https://doi.org/10.1038/s41586-020-2649-2', 'doi.org/10.1038/s41586-020-2649-2'],
    ['https://example.org/9f3b-ab12-de', 'example.org/9f3b-ab12-de'],
    ['https://example.org/about', 'example.org/about'],
    ['https://example.org/a-%3Cb%3E-word-here', 'example.org/a-%3Cb%3E-word-here'],
    ['https://example.org/%E0%A4%A', 'example.org/%E0%A4%A'],
    ['https://www.example.org/', 'example.org'],
  ])('%s has no words, and is told as it is', (url, title) => {
    expect(titleOfAddress(url)).toBe(title);
  });
});
