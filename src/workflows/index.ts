export { report } from './report/report';
