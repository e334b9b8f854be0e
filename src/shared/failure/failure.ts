import type * as z from 'zod/mini';
import type * as schema from '../event-schema.ts';

/** A failure is plain JSON and holds no key, because it is redacted where it is made. */
export interface Failure extends z.output<typeof schema.failure> {}
