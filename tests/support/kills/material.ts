import { join } from 'node:path';

export interface Material {
  question: string;
  paths: string[];
}

export const NOTES: Material = {
  question: 'Does vitamin D supplementation improve health outcomes in adults?',
  paths: [join(__dirname, '../../../examples/vitamin-d')],
};
