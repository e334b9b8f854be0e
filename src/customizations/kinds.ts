import type { Customization, FoundFile } from './customization.ts';
import { alwaysRule, readAgent, readContinuePrompt, readPrompt, readSkill, ruleByPath } from './readers.ts';
import { readModeRule, readRooModes } from './roo-modes.ts';

export interface Source {
  at: string;
  names?: RegExp;
  /**
   * In a folder, `below` includes the files of all folders below it, and `each` takes one file from each folder in
   * it. Without it, only the files directly in the folder count.
   */
  reach?: 'below' | 'each';
  folders?: RegExp;
}

export type Found = Omit<Customization, 'kind' | 'path' | 'place' | 'root' | 'isUsers' | 'folder'>;

export interface Kind {
  of: string;
  workspace?: readonly Source[];
  home?: readonly Source[];
  editor?: readonly Source[];
  setting?: { name: string; form: Omit<Source, 'at'> };
  /** A line `@path` stands for the text of that file. */
  imports?: true;
  read(file: FoundFile): readonly Found[];
}

const markdown = /\.(?:md|txt)$/i;
const instructions = /\.instructions\.md$/i;
const skillFile = /^SKILL\.md$/;
const rooModeFolders: Source = { at: '.roo', folders: /^rules-[\w-]+$/, names: markdown, reach: 'below' };
const skill = (at: string): Source => ({ at, names: skillFile, reach: 'each' });

/**
 * Lists the kinds of files that steer the model, in the order of their texts in a request. Of two with one name the
 * first counts.
 */
export const kinds: Readonly<Record<string, Kind>> = {
  agentsFile: { of: 'AGENTS.md', workspace: [{ at: 'AGENTS.md' }], read: alwaysRule },
  copilotInstructions: {
    of: 'Copilot',
    workspace: [{ at: '.github/copilot-instructions.md' }],
    home: [{ at: '.copilot/copilot-instructions.md' }],
    read: alwaysRule,
  },
  clineRules: {
    of: 'Cline',
    workspace: [{ at: '.clinerules', names: markdown }],
    read: ruleByPath({ key: 'paths', anywhere: false, without: 'always' }),
  },
  rooRules: {
    of: 'Roo Code',
    workspace: [{ at: '.roo/rules', names: markdown, reach: 'below' }, { at: '.roorules' }],
    home: [{ at: '.roo/rules', names: markdown, reach: 'below' }],
    read: alwaysRule,
  },
  kiloRules: { of: 'Kilo Code', workspace: [{ at: '.kilocode/rules', names: markdown }], read: alwaysRule },
  continueRules: {
    of: 'Continue',
    workspace: [{ at: '.continue/rules', names: markdown, reach: 'below' }],
    read: ruleByPath({ key: 'globs', anywhere: false, without: 'always' }),
  },
  claudeMemory: {
    of: 'Claude Code',
    workspace: [{ at: 'CLAUDE.md' }, { at: '.claude/CLAUDE.md' }, { at: 'CLAUDE.local.md' }],
    home: [{ at: '.claude/CLAUDE.md' }],
    imports: true,
    read: alwaysRule,
  },
  claudeRules: {
    of: 'Claude Code',
    workspace: [{ at: '.claude/rules', names: /\.md$/i, reach: 'below' }],
    home: [{ at: '.claude/rules', names: /\.md$/i, reach: 'below' }],
    read: ruleByPath({ key: 'paths', anywhere: false, without: 'always' }),
  },
  cursorFile: { of: 'Cursor', workspace: [{ at: '.cursorrules' }], read: alwaysRule },
  cursorRules: {
    of: 'Cursor',
    workspace: [{ at: '.cursor/rules', names: /\.mdc$/i, reach: 'below' }],
    read: ruleByPath({ key: 'globs', anywhere: true, without: 'asked' }),
  },
  instructionsFiles: {
    of: 'VS Code',
    workspace: [{ at: '.github/instructions', names: instructions, reach: 'below' }],
    home: [{ at: '.copilot/instructions', names: instructions, reach: 'below' }],
    editor: [{ at: '', names: instructions }],
    setting: { name: 'instructionsFilesLocations', form: { names: instructions, reach: 'below' } },
    read: ruleByPath({ key: 'applyTo', anywhere: false, without: 'asked' }),
  },
  // The user's own come first of all that have names: see `firstOfName`.
  skills: {
    of: 'Agent Skills',
    workspace: ['.github/skills', '.claude/skills', '.agents/skills', '.roo/skills'].map(skill),
    home: ['.copilot/skills', '.claude/skills', '.agents/skills', '.roo/skills'].map(skill),
    setting: { name: 'agentSkillsLocations', form: { names: skillFile, reach: 'each' } },
    read: readSkill,
  },
  agentFiles: {
    of: 'VS Code',
    workspace: [{ at: '.github/agents', names: /\.md$/i }],
    home: [{ at: '.copilot/agents', names: /\.md$/i }],
    editor: [{ at: '', names: /\.agent\.md$/i }],
    setting: { name: 'agentFilesLocations', form: { names: /\.md$/i } },
    read: readAgent,
  },
  chatModes: {
    of: 'VS Code',
    workspace: [{ at: '.github/chatmodes', names: /\.chatmode\.md$/i }],
    editor: [{ at: '', names: /\.chatmode\.md$/i }],
    setting: { name: 'modeFilesLocations', form: { names: /\.chatmode\.md$/i } },
    read: readAgent,
  },
  claudeAgents: {
    of: 'Claude Code',
    workspace: [{ at: '.claude/agents', names: /\.md$/i, reach: 'below' }],
    home: [{ at: '.claude/agents', names: /\.md$/i, reach: 'below' }],
    read: readAgent,
  },
  rooModeRules: {
    of: 'Roo Code',
    workspace: [rooModeFolders, { at: '', names: /^\.(?:roo|cline)rules-[\w-]+$/ }],
    home: [rooModeFolders],
    read: readModeRule,
  },
  rooModes: { of: 'Roo Code', workspace: [{ at: '.roomodes' }], read: readRooModes },
  promptFiles: {
    of: 'VS Code',
    workspace: [{ at: '.github/prompts', names: /\.prompt\.md$/i }],
    editor: [{ at: '', names: /\.prompt\.md$/i }],
    setting: { name: 'promptFilesLocations', form: { names: /\.prompt\.md$/i } },
    read: readPrompt,
  },
  rooCommands: {
    of: 'Roo Code',
    workspace: [{ at: '.roo/commands', names: /\.md$/i }],
    home: [{ at: '.roo/commands', names: /\.md$/i }],
    read: readPrompt,
  },
  continuePrompts: {
    of: 'Continue',
    workspace: [{ at: '.continue/prompts', names: /\.(?:md|prompt)$/i }],
    read: readContinuePrompt,
  },
  clineWorkflows: { of: 'Cline', workspace: [{ at: '.clinerules/workflows', names: /\.md$/i }], read: readPrompt },
  claudeCommands: {
    of: 'Claude Code',
    workspace: [{ at: '.claude/commands', names: /\.md$/i, reach: 'below' }],
    home: [{ at: '.claude/commands', names: /\.md$/i, reach: 'below' }],
    read: readPrompt,
  },
};
