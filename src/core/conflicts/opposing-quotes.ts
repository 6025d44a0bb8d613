export * from '../opposing-quotes';
