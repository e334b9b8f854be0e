export { push, next, clear } from './queue.js';
export { later, work } from './worker.js';
export { retry } from './retry.js';
export { collect } from './names.js';
