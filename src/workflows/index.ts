export { brief } from './brief/brief';
export { answer } from './answer/answer';
export { report } from './report/report';
export { scheduled } from './scheduled/scheduled';
