import * as z from 'zod/mini';

export interface AskArguments<Place> {
  prompt: string;
  newConversation?: boolean;
  model?: string;
  attachments?: Place[];
  send?: boolean;
}

const maxPromptLength = 2_000_000;

/** Other extensions, keybindings and tasks pass any argument. Throws an error that names the wrong properties. */
export function parseAskArguments<Place>(
  argument: unknown,
  isPlace: (value: unknown) => value is Place,
): AskArguments<Place> {
  const schema = z.object({
    prompt: z.string().check(z.minLength(1), z.maxLength(maxPromptLength)),
    newConversation: z.optional(z.boolean()),
    model: z.optional(z.string()),
    attachments: z.optional(z.array(z.custom<Place>(isPlace))),
    send: z.optional(z.boolean()),
  });
  const parsed = schema.safeParse(argument);
  if (parsed.success) return parsed.data;
  const where = parsed.error.issues.map((issue) => issue.path.join('.') || 'argument').join(', ');
  throw new Error(`svc.ask takes { prompt, newConversation?, model?, attachments?, send? }; check: ${where}`);
}
