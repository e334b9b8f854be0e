import { type CreateSection, panelSection } from '../../../chat/panel-sections.ts';
import type { CommandPorts } from '../../../tools/command/command-ports.ts';
import type { TerminalShell } from '../../workspace/shell-adapter.ts';

/** Lists the background processes of all conversations, because a running process must be visible in every view. */
export const processesSection =
  ({ processes, shell }: Pick<CommandPorts<TerminalShell>, 'processes' | 'shell'>): CreateSection =>
  ({ viewModel }) =>
    panelSection({
      key: 'processes',
      state() {
        const running = processes.running().map(({ id, commandLine, place, conversationId }) => ({
          ...{ id, line: commandLine, place },
          ...(conversationId !== viewModel.conversation().id && { elsewhere: true as const }),
        }));
        return running.length === 0 ? undefined : running;
      },
      async act({ do: action, id }) {
        const info = processes.running().find((each) => each.id === id);
        if (info === undefined) return;
        if (action === 'stop') await processes.stop(info.conversationId, id);
        else shell.show(info.run);
      },
      onDidChange: processes.onDidChange,
    });
