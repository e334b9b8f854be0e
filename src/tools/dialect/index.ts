import type { Absent } from '../../agent/dialect/dialect.ts';

/** These tools of other agents have no counterpart here. Each sentence lets the model go on at once. */
export const absent: readonly Absent[] = [
  {
    names: 'codebasesearch semanticsearch searchbymeaning codesearch',
    sentence: 'There is no search by meaning here: use search_text or get_symbols.',
  },
  { names: 'sendmessage', sentence: 'There is nobody here to send messages to: do it yourself.' },
  {
    names: 'websearch googlewebsearch searchweb',
    sentence: 'There is no web search here: fetch_url reads an address that the user named.',
  },
  {
    names: 'toolsearch',
    sentence: 'All tools are offered already, but those that load_tools lists where it is offered: call them.',
  },
  {
    names:
      'browser browseraction browsernavigate viewimage generateimage memory savememory notebookedit switchmode usemcp accessmcpresource enterplanmode',
    sentence: 'There is no such tool here. Go on with the tools that are offered.',
  },
  { names: 'think thinking sequentialthinking', sentence: 'Thinking needs no call: go on.' },
  { names: 'undoedit undo', sentence: 'Not run: edit the text back with edit_file.' },
  {
    names: 'search open run list tasklist file',
    sentence: 'Not run: that can mean more than one tool here. Call the one you mean by its name.',
  },
];

/** With these calls a model says that its work is done. */
export const endings =
  'attemptcompletion finish completetask taskcomplete submit submitandexit exitplanmode finalanswer done';
