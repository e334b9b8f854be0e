/** One file of every custom (F21) with a sentence that stands nowhere else. The nested one holds below `src` alone. */
export const instructionFiles = {
  'AGENTS.md': 'Rule one: amber otters swim at dawn.\n',
  '.github/copilot-instructions.md': 'Rule two: "quotes" & <angles> stay as they are.\n',
  '.clinerules': 'Rule three: tabs\tstay tabs.\n',
  '.roo/rules/names.md': 'Rule four: names are in kebab-case.\n',
  '.kilocode/rules/tests.md': 'Rule five: every test can fail.\n',
  '.continue/rules/style.md': '---\nname: Style\nalwaysApply: true\n---\nRule six: short sentences.\n',
  'CLAUDE.md': 'Rule seven: größer ist nicht besser 概要.\n',
  'src/AGENTS.md': 'Rule eight: no default exports below src.\n',
} as const;

/** What of each is sent, word for word. */
export const instructionSentences: readonly string[] = Object.values(instructionFiles).map((text) =>
  text.slice(text.indexOf('Rule ')).trimEnd(),
);

/** A rule for certain files and a skill: neither is sent before it is needed. */
export const filesOnDemand = {
  '.cursor/rules/scripts.mdc':
    '---\nglobs: *.ts\nalwaysApply: false\n---\nRule nine: scripts begin with their purpose.\n',
  '.claude/skills/parcels/SKILL.md':
    '---\nname: parcels\ndescription: How parcels are weighed. Use it for questions on weight.\n---\nRule ten: weigh twice.\n',
} as const;

export const promptFile = {
  path: '.github/prompts/tidy-up.prompt.md',
  text: '---\ndescription: Tidies a file\n---\nTidy this file without changing what it does.\n',
} as const;
