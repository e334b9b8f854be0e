/** Our tools that only look, as VS Code lists them for every chat; in the manifest in the same order. */
export const nativeToolNames = [
  'svc_read_file',
  'svc_list_directory',
  'svc_find_files',
  'svc_search_text',
  'svc_get_symbols',
  'svc_go_to_definition',
  'svc_find_references',
  'svc_get_problems',
  'svc_get_changes',
] as const;

export type NativeToolName = (typeof nativeToolNames)[number];
