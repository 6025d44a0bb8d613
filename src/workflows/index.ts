export { report } from './report';
