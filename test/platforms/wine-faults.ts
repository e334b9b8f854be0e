/** Tests that fail for a reason of wine's, or of a Linux `node_modules`, and not of Windows. */
export interface WineFault {
  reason: string;
  /** Whole files; paths end like this. */
  files?: readonly string[];
  /** Beginnings of full titles. */
  titles?: readonly string[];
}

/** Also under the Node of VS Code 1.106. */
export const notOnNode22 = {
  reason: 'the profiler of Node 22 counts no steps',
  files: ['hanging/steps.test.ts'],
} satisfies WineFault;

export const wineFaults: readonly WineFault[] = [
  {
    reason: 'native packages for Linux are installed: esbuild, oxc',
    files: [
      'build-order.test.ts',
      'build/lean-undici.test.ts',
      'conversation/kill.test.ts',
      'expressions.test.ts',
      'functions.test.ts',
      'l10n/bundle.test.ts',
      'layers.test.ts',
      'no-lists.test.ts',
      'service/service-page-language.test.ts',
      'ways-out.test.ts',
      'words.test.ts',
    ],
  },
  { reason: 'there is no git', files: ['tools/get-changes.test.ts', 'review/git-merge.test.ts'] },
  {
    reason: 'symbolic links are made without a word, and are not there',
    titles: [
      'prompt injection (X23) X05 a link that leads out',
      'conversation/checkpoints F16 keeps what was moved away from where a link is now',
      'conversation/checkpoints X06 does not restore',
      'tools/edit-tools create_file X05 refuses a new file behind a link',
      'tools/edit-tools delete_file X03 X06 deletes nothing behind a folder that became a link',
      'tools/edit-tools edit_file X06 refuses when',
      'tools/edit-tools rename_file X03 X06 moves nothing when',
      'tools/edit-tools what always asks X05 a link to a protected file',
      'tools/edit-tools what always asks X05 a protected name is protected wherever it leads',
      'tools/edit-tools what always asks X09 git data is never written',
      'finding files that steer X05 links are followed only inside',
      'tools/path-guard F13 X05 in a folder that was opened through a link',
      'tools/path-guard X05 X07 X08 X09 X16 refuses "chain',
      'tools/path-guard X05 X07 X08 X09 X16 refuses "dangling',
      'tools/path-guard X05 X07 X08 X09 X16 refuses "envlink',
      'tools/path-guard X05 X07 X08 X09 X16 refuses "gitlink',
      'tools/path-guard X05 X07 X08 X09 X16 refuses "inlink',
      'tools/path-guard X05 X07 X08 X09 X16 refuses "loop',
      'tools/path-guard X05 X07 X08 X09 X16 refuses "out',
      'tools/path-guard X05 X07 X08 X09 X16 refuses "updir',
      'tools/path-guard X05 X07 X08 X09 X16 refuses "{root}/outlink',
      'tools/path-guard X05 a workspace that is itself behind a link',
      'tools that read X07 X16 each that takes a path asks or refuses',
      'tools/read-place X05 X06 what leads somewhere else after the consent',
      'tools/read-place X05 X08 X09 not even consent opens "dangling',
      'tools/read-place X05 X08 X09 not even consent opens "gitlink',
      'tools/read-place X07 X25 reads outside ask with the path that is really read',
      'tools/read-place X07 what ignore files leave out asks, named or through a link',
      'tools/read-place X16 files that may hold secrets ask every time',
      'run_command X06 does not run when the folder became another one',
      'run_command X27 the folder is inside the workspace, whatever the model and the links say',
    ],
  },
  {
    reason: 'what two processes append to one file at once is not kept whole',
    titles: [
      'ledger E07 loses nothing when two windows append thousands of lines',
      'append log and processes E07 keeps 20,000 whole lines of two processes',
    ],
  },
  {
    reason: 'a name that changes by case alone stays as it was',
    titles: ['conversation/checkpoints F16 E09 gives a file back the case of its name'],
  },
  { reason: 'taskkill does not know /T', titles: ['the runner of all tests ends a test whose loop never turns'] },
  notOnNode22,
];
