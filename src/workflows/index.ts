export { brief } from './brief/brief';
export { answer } from './answer/answer';
export { content } from './content/content';
export { report } from './report/report';
export { scheduled } from './scheduled/scheduled';
