import * as z from 'zod/mini';
import { maxTextLength } from '../text-limit.ts';

/** Fields that several messages of the panel have, with what each may hold at most. */
export const id = z.string().check(z.minLength(1), z.maxLength(100));
export const text = z.string().check(z.maxLength(maxTextLength));
export const uri = z.string().check(z.minLength(1), z.maxLength(4096));
export const line = z.number().check(z.int(), z.minimum(1));
