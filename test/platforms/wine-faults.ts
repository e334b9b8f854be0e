/** Tests that fail for a reason of wine's, or of what this lane does not bring, and not of Windows. */
export interface WineFault {
  reason: string;
  /** Modules of the project or packages: all tests that come to one. */
  needing?: readonly string[];
  /** By file of test/unit: beginnings of full titles. */
  titles?: Readonly<Record<string, readonly string[]>>;
}

/** Every test that starts Git goes through it. */
export const startsGit = 'test/support/git-in.ts';

export const wineFaults: readonly WineFault[] = [
  {
    reason: 'wine 8 has not the library that native packages load',
    needing: ['esbuild', 'oxc-parser', 'test/run/import-graph.ts'],
  },
  { reason: 'no registry has Git for Windows', needing: [startsGit] },
  {
    reason: 'symbolic links are made without a word, and are not there',
    titles: {
      'agent/injection.test.ts': ['prompt injection (X23) X05 a link that leads out'],
      'customizations/find-customizations.test.ts': [
        'finding files that steer F34 folders that the settings of VS Code name',
        'finding files that steer X05 links are followed only inside',
        'finding files that steer X59 X05 of the home folder nothing is read through a link',
      ],
      'edits/checkpoints.test.ts': [
        'edits/checkpoints F16 keeps what was moved away from where a link is now',
        'edits/checkpoints X06 does not restore',
      ],
      'features/completion/completion-place.test.ts': [
        'whether a completion may send a file F40 X05 never ws/src/notes.ts',
        'whether a completion may send a file F40 X05 never ws/src/settings.ts',
      ],
      'files/path-guard.test.ts': [
        'files/path-guard F13 X05 in a folder that was opened through a link',
        'files/path-guard X05 X07 X08 X09 X16 refuses "chain',
        'files/path-guard X05 X07 X08 X09 X16 refuses "dangling',
        'files/path-guard X05 X07 X08 X09 X16 refuses "envlink',
        'files/path-guard X05 X07 X08 X09 X16 refuses "gitlink',
        'files/path-guard X05 X07 X08 X09 X16 refuses "inlink',
        'files/path-guard X05 X07 X08 X09 X16 refuses "loop',
        'files/path-guard X05 X07 X08 X09 X16 refuses "out',
        'files/path-guard X05 X07 X08 X09 X16 refuses "updir',
        'files/path-guard X05 X07 X08 X09 X16 refuses "{root}/outlink',
        'files/path-guard X05 a workspace that is itself behind a link',
      ],
      'files/read-place.test.ts': [
        'files/read-place X05 X06 what leads somewhere else after the consent',
        'files/read-place X05 X08 X09 not even consent opens "dangling',
        'files/read-place X05 X08 X09 not even consent opens "gitlink',
        'files/read-place X07 X25 reads outside ask with the path that is really read',
        'files/read-place X07 what ignore files leave out asks, named or through a link',
        'files/read-place X16 files that may hold secrets ask every time',
      ],
      'tools/edit-tools.test.ts': [
        'tools/edit-tools create_file X05 refuses a new file behind a link',
        'tools/edit-tools delete_file X03 X06 deletes nothing behind a folder that became a link',
        'tools/edit-tools edit_file X06 refuses when',
        'tools/edit-tools rename_file X03 X06 moves nothing when',
        'tools/edit-tools what always asks X05 a link to a protected file',
        'tools/edit-tools what always asks X05 a protected name is protected wherever it leads',
        'tools/edit-tools what always asks X05 asamassekou10/ship-safe#44',
        'tools/edit-tools what always asks X09 git data is never written',
      ],
      'tools/read-tools-consent.test.ts': [
        'tools that read X07 X16 each that takes a path asks or refuses',
        'tools that read X07 X48 each that asked refuses to run once the path leads elsewhere',
      ],
      'tools/run-command.test.ts': [
        'run_command X06 does not run when the folder became another one',
        'run_command X27 the folder is inside the workspace, whatever the model and the links say',
      ],
    },
  },
  {
    reason: 'what two processes append to one file at once is not kept whole',
    titles: {
      'spend/ledger.test.ts': ['ledger E07 loses nothing when two windows append thousands of lines'],
      'storage/append-log-processes.test.ts': [
        'append log and processes E07 keeps 20,000 whole lines of two processes',
      ],
    },
  },
  {
    reason: 'a name that changes by case alone stays as it was',
    titles: { 'edits/checkpoints.test.ts': ['edits/checkpoints F16 E09 gives a file back the case of its name'] },
  },
];
