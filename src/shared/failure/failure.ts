import type * as z from 'zod/mini';
import type * as schema from '../event-schema.ts';

/** A failure as it is shown, stored and reported. Plain JSON; holds no key (redacted where it is made). */
export interface Failure extends z.output<typeof schema.failure> {}
