import type { ToolKind } from '../agent/economy/steps.ts';

/** What the economy must know of our tools; others are left as they are. */
export function toolKind(name: string): ToolKind {
  switch (name) {
    case 'read_file':
      return 'read';
    case 'search_text':
    case 'find_files':
    case 'get_symbols':
    case 'find_references':
    case 'go_to_definition':
      return 'search';
    case 'list_directory':
      return 'list';
    case 'run_command':
      return 'command';
    case 'edit_file':
    case 'create_file':
    case 'delete_file':
    case 'rename_file':
      return 'edit';
    case 'update_plan':
      return 'plan';
    case 'ask_user':
      return 'ask';
    default:
      return 'other';
  }
}
