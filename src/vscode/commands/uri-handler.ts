import type * as vscode from 'vscode';
import type { CommandId } from '../host/command-ids.ts';

export interface UriHandlerDeps {
  run(command: CommandId | 'workbench.action.openWalkthrough', argument: string): Thenable<unknown>;
  refuse(): void;
}

/** VS Code requires the extension's id before the walkthrough's own. */
export const walkthroughId = 'svc.svc-assistant#svc.gettingStarted';

/**
 * Anybody can write a link, so only two are known, and both only show something: `/open?conversation=<id>` and
 * `/walkthrough`. Nothing in a link is sent, typed or stored.
 */
export function createUriHandler({ run, refuse }: UriHandlerDeps): vscode.UriHandler {
  return {
    async handleUri({ path, query }) {
      const parameters = [...new URLSearchParams(query)];
      if (path === '/walkthrough' && parameters.length === 0) {
        await run('workbench.action.openWalkthrough', walkthroughId);
        return;
      }
      const [parameter, ...others] = parameters;
      const id = parameter?.[0] === 'conversation' && others.length === 0 ? parameter[1] : undefined;
      if (path === '/open' && id !== undefined && /^[A-Za-z0-9-]{1,64}$/.test(id)) {
        await run('svc.openConversation', id);
        return;
      }
      refuse();
    },
  };
}
