import { placesIn, steps } from './everything.ts';

/** Runs one of the steps and is gone in the middle of it, or all of them before it goes. */
const [, , top = '', killed] = process.argv;
const die = async () => void process.kill(process.pid, 'SIGKILL');
const going = Object.entries(steps).filter(([name]) => killed === 'nothing' || name === killed);
for (const [, step] of going) await step(placesIn(top), killed === 'nothing' ? async () => undefined : die);
await die();
