export * from '../ranking/merge-outlines';
