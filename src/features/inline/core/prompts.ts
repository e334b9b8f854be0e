export type CodeTask = 'explain' | 'fix' | 'refactor' | 'tests' | 'doc' | 'review';

/**
 * Both the editor's commands and the chat's slash commands use these. The code, the problems or the changes travel as
 * attachments.
 */
export const codePrompts: Readonly<Record<CodeTask, string>> = {
  explain: 'Explain this code: what it does, how it does it, and anything surprising. Be brief.',
  fix: 'Find what is wrong with this code, also by the problems that the editor reports, and fix it.',
  refactor:
    'Refactor this code: make it simpler and clearer without changing what it does. Keep the names that other code uses.',
  tests: 'Write tests for this code, in the style and with the framework of the tests that are there.',
  doc: 'Write the documentation comments that this code lacks, in the style of the code around it.',
  review: 'Review this code: faults first, each with its place and how to mend it. Leave out praise.',
};

export const explainProblemPrompt =
  'Explain this problem that the editor reports: what it means, why it is reported here, and how to mend it. Be brief.';

export const explainChangePrompt =
  'Explain this change: what it does, why it may have been made, and what it could break. Be brief.';

export const explainCommandPrompt =
  'Explain this command and what it printed. If it failed, say why and how to mend it. Be brief.';

export const fixTestPrompt =
  'This test fails. Find out whether the code or the test is wrong, say which, and mend it. Change no test only to make it pass.';

export const reviewChangesPrompt =
  'Review these changes: faults first, each with its place and how to mend it. Leave out praise.';
