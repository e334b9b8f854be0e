import * as z from 'zod/mini';

/** Does the same as Zod's own `catch`, which would add a third of Zod that nothing else here uses. */
export function orElse<T>(schema: z.ZodMiniType<T>, value: NoInfer<T>): z.ZodMiniCatch<z.ZodMiniType<T>> {
  const caught = new z.ZodMiniCatch({ type: 'catch', innerType: schema, catchValue: () => value });
  return caught as z.ZodMiniCatch<z.ZodMiniType<T>>;
}
