import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { withTempDir } from '../../support/temp-dir.ts';
import { model } from './replay.ts';
import { startScriptedService } from './scripted-service.ts';
import type { Session } from './session.ts';
import { sessionTools } from './session-tools.ts';

/** An agent from npm, driven through a recorded session; gives the bodies of the requests it sent. */
export interface Peer {
  name: string;
  bodies(session: Session): Promise<string[]>;
}

const modules = path.join(import.meta.dirname, '../peers/node_modules');
const load = (file: string): Promise<unknown> => import(pathToFileURL(path.join(modules, file)).href);
const key = 'not-a-key';

function resultsOf({ messages }: Session): Map<string, string> {
  return new Map(messages.flatMap((message) => (message.role === 'tool' ? [[message.callId, message.text]] : [])));
}

function promptsOf({ messages }: Session): string[] {
  return messages.flatMap((message) => (message.role === 'user' ? [message.text] : []));
}

/** What is used of pi; its own types are installed on demand only. */
interface PiModule {
  AuthStorage: { inMemory(): { setRuntimeApiKey(provider: string, key: string): void } };
  ModelRegistry: { create(auth: unknown, file: string): { find(provider: string, id: string): unknown } };
  SessionManager: { inMemory(cwd: string): unknown };
  SettingsManager: { inMemory(settings: object): unknown };
  createAgentSession(options: object): Promise<{
    session: { prompt(text: string): Promise<void>; dispose(): void };
  }>;
}

/** pi as it comes: its own system text and its own management of the context, with the tools of the recording. */
const pi: Peer = {
  name: 'pi',
  bodies: (session) =>
    withTempDir(async (folder) => {
      const service = await startScriptedService(session);
      const { writeFile } = await import('node:fs/promises');
      const pi = (await load('@mariozechner/pi-coding-agent/dist/index.js')) as PiModule;
      const provider = {
        baseUrl: service.baseUrl,
        api: 'openai-completions',
        apiKey: key,
        compat: { supportsDeveloperRole: false, supportsReasoningEffort: false },
        models: [{ id: model, contextWindow: 128_000, maxTokens: 16_000 }],
      };
      const modelsFile = path.join(folder, 'models.json');
      await writeFile(modelsFile, JSON.stringify({ providers: { local: provider } }));
      const auth = pi.AuthStorage.inMemory();
      auth.setRuntimeApiKey('local', key);
      const registry = pi.ModelRegistry.create(auth, modelsFile);
      const results = resultsOf(session);
      const customTools = sessionTools.map((tool) => ({
        ...tool,
        label: tool.name,
        execute: async (callId: string) => ({
          content: [{ type: 'text', text: results.get(callId) ?? '' }],
          details: {},
        }),
      }));
      const { session: agent } = await pi.createAgentSession({
        cwd: folder,
        agentDir: folder,
        model: registry.find('local', model),
        thinkingLevel: 'off',
        authStorage: auth,
        modelRegistry: registry,
        noTools: 'builtin',
        customTools,
        sessionManager: pi.SessionManager.inMemory(folder),
        settingsManager: pi.SettingsManager.inMemory({}),
      });
      try {
        for (const prompt of promptsOf(session)) await agent.prompt(prompt);
      } finally {
        agent.dispose();
        await service.close();
      }
      return service.bodies;
    }),
};

interface AiModule {
  generateText(options: object): Promise<{ response: { messages: unknown[] } }>;
  pruneMessages(options: object): unknown[];
  stepCountIs(count: number): unknown;
  jsonSchema(schema: object): unknown;
}

interface ProviderModule {
  createOpenAICompatible(options: object): (model: string) => unknown;
}

/** The loop of the AI SDK: everything is sent again; `prune` is its own way to forget calls and results. */
function aiSdk(name: string, prune?: `before-last-${number}-messages`): Peer {
  return {
    name,
    bodies: async (session) => {
      const service = await startScriptedService(session);
      const ai = (await load('ai/dist/index.mjs')) as AiModule;
      const provider = (await load('@ai-sdk/openai-compatible/dist/index.mjs')) as ProviderModule;
      const results = resultsOf(session);
      const tools = Object.fromEntries(
        sessionTools.map(({ name: tool, description, parameters }) => [
          tool,
          {
            description,
            inputSchema: ai.jsonSchema(parameters),
            execute: async (_args: unknown, { toolCallId }: { toolCallId: string }) => results.get(toolCallId) ?? '',
          },
        ]),
      );
      const pruned = (messages: unknown[]) => ({ messages: ai.pruneMessages({ messages, toolCalls: prune }) });
      const history: unknown[] = [];
      try {
        for (const prompt of promptsOf(session)) {
          history.push({ role: 'user', content: prompt });
          const { response } = await ai.generateText({
            model: provider.createOpenAICompatible({ name: 'local', baseURL: service.baseUrl, apiKey: key })(model),
            system: session.system,
            tools,
            messages: history,
            stopWhen: ai.stepCountIs(1000),
            maxRetries: 0,
            ...(prune === undefined
              ? {}
              : { prepareStep: ({ messages }: { messages: unknown[] }) => pruned(messages) }),
          });
          history.push(...response.messages);
        }
      } finally {
        await service.close();
      }
      return service.bodies;
    },
  };
}

/** Those that keep everything, and last one that forgets: it is cheap, and shows what forgetting costs in facts. */
export const peers: readonly Peer[] = [pi, aiSdk('AI SDK'), aiSdk('AI SDK, pruned', 'before-last-20-messages')];
