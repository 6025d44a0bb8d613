export const TEXTS_FLAG =
  'around which quotes the page shows the source’s text: open (where its licence is open, or the file is yours; default), all, none';
