export class WebPageError extends Error {
  override readonly name = 'WebPageError';

  constructor() {
    super('The endpoint answered with a web page');
  }
}
