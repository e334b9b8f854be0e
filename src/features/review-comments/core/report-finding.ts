import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import { stripInvisible } from '../../../agent/invisible.ts';
import { defineTool, type Tool, ToolError } from '../../../agent/tool.ts';
import { type Reported, severities } from './findings.ts';

const short = z.string().check(z.minLength(1), z.maxLength(200));
const long = z.string().check(z.minLength(1), z.maxLength(4000));

/** `take` returns a sentence for the model where the finding was not taken. */
export function createReportFinding(take: (reported: Reported, isLast: boolean) => string | undefined): Tool {
  return defineTool({
    name: 'report_finding',
    kind: 'other',
    description:
      'Reports one fault. `quote`: whole lines of the new text, exactly. `replacement`: what to write in their place, where that mends it. `last`: nothing follows.',
    parameters: z.object({
      path: short,
      quote: long,
      line: z.int(),
      severity: z.enum(severities),
      title: short,
      why: long,
      replacement: z.optional(z.string().check(z.maxLength(8000))),
      last: z.optional(z.boolean()),
    }),
    access: 'ask',
    title: ({ title }) => l10n.t('Finding: {0}', title),
    async run({ last = false, ...reported }) {
      const visible = (text: string) => stripInvisible(text).text;
      const problem = take({ ...reported, title: visible(reported.title), why: visible(reported.why) }, last);
      if (problem !== undefined) throw new ToolError(problem);
      return { forModel: 'Noted.' };
    },
  });
}
