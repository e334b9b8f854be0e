import type { Notice } from '../../shared/events.ts';
import type { Failure } from '../../shared/failure/failure.ts';
import { kinds } from '../../shared/failure/kinds.ts';
import type { ChatRequest } from '../contract.ts';
import { asksAboutImages, imagesIn } from '../wire/images.ts';
import type { Fact, Learned, Source } from './learned.ts';

/** Concessions hold for the rest of one step. A fact that holds for the model for good is in `Learned`. */
export interface Concessions {
  strength: 'normal' | 'strong';
  maxTokens?: number;
}

export interface Degradation {
  key: string;
  apply(): void;
  notice?: Notice;
}

const optionalFields: Readonly<Record<string, keyof ChatRequest>> = {
  temperature: 'temperature',
  top_p: 'topP',
  seed: 'seed',
  stop: 'stop',
  max_tokens: 'maxTokens',
};

export interface DegradeInput {
  failure: Failure;
  request: ChatRequest;
  stream: boolean;
  concessions: Concessions;
  learned: Learned;
}

/**
 * Finds a feature to give up so that the request can succeed. Returns undefined when the refusal is about something
 * else. Nothing changes before `apply`.
 */
export function findDegradation(input: DegradeInput): Degradation | undefined {
  const { failure, request } = input;
  const refused = refusedTools(input);
  if (refused.length > 0) return dropToolsOf(input, refused);
  switch (failure.kind) {
    case 'parameter-refused':
      return lowerReply(input) ?? dropParameter(input);
    case 'tools-refused':
      return (request.tools?.length ?? 0) > 0 ? dropTools(input) : undefined;
    case 'images-refused':
      return nameImages(input);
    case 'history-refused':
      return changeHistory(input);
    case 'context-length':
      return lowerReply(input);
    default:
      return undefined;
  }
}

function lowerReply({ failure, request, concessions }: DegradeInput): Degradation | undefined {
  const lower = failure.facts?.maxTokensLimit;
  if (typeof lower !== 'number' || request.maxTokens === undefined || lower >= request.maxTokens) return undefined;
  return {
    key: 'lower max_tokens',
    apply: () => {
      concessions.maxTokens = lower;
    },
  };
}

export function learnFromFailure(failure: Failure, model: string, learned: Learned): void {
  // Of a model that has answered about images, it is one of them that is refused.
  const isOfOne = learned.get(model).images?.works === true || aboutOneImage.test(failure.serverMessage ?? '');
  if (failure.kind === 'images-refused' && !isOfOne) learned.learn(model, { images: refusal(failure) });
  const limit = failure.kind === 'context-length' ? failure.facts?.limit : undefined;
  if (typeof limit === 'number') learned.learn(model, { contextTokens: limit, contextTokensFrom: sourceOf(failure) });
}

const aboutOneImage = /image\/\w|\d ?(?:[km]i?b|px|pixels|bytes)\b|\b(?:decode|corrupt|too large)/i;

export function toolFact(name: string): string {
  return `tool ${name}`;
}

/** Finds the tool of others that a refusal is about, by its place or name. A schema without either is any of theirs. */
function refusedTools({ failure, request }: DegradeInput): string[] {
  const { tools = [] } = request;
  const isRefusal = failure.status === 400 || failure.status === 422;
  if (!isRefusal || kinds[failure.kind].help !== 'refused-requests') return [];
  const said = `${failure.serverMessage ?? ''}\n${failure.facts?.part ?? ''}`;
  const place = /\btools\W{1,3}(\d{1,4})\b/.exec(said)?.[1];
  const words = new Set(said.split(/[^\w.-]+/));
  const external = tools.filter(({ isExternal }) => isExternal);
  const named = place === undefined ? external.find(({ name }) => words.has(name)) : tools[Number(place)];
  const isOfSchema = failure.kind === 'tools-refused' && /schema/i.test(said);
  const meant = named === undefined && isOfSchema ? external : [named];
  return meant.flatMap((tool) => (tool?.isExternal ? [tool.name] : []));
}

function dropToolsOf({ failure, request: { model }, learned }: DegradeInput, names: string[]): Degradation {
  const parameters = Object.fromEntries(names.map((name) => [toolFact(name), refusal(failure)]));
  const parameter = names.join(', ');
  return {
    key: toolFact(parameter),
    apply: () => learned.learn(model, { parameters }),
    notice: { kind: 'degraded', model, feature: 'tool', parameter },
  };
}

function dropTools({ failure, request, learned }: DegradeInput): Degradation {
  return {
    key: 'tools',
    apply: () => learned.learn(request.model, { tools: refusal(failure) }),
    notice: { kind: 'degraded', model: request.model, feature: 'tools' },
  };
}

/**
 * Replaces images of earlier messages by their names. Images of the current question stay, because the user has to
 * decide about them.
 */
function nameImages({ failure, request, learned }: DegradeInput): Degradation | undefined {
  if (imagesIn(request.messages).length === 0 || asksAboutImages(request.messages)) return undefined;
  return {
    key: 'images',
    apply: () => learned.learn(request.model, { images: refusal(failure) }),
    notice: { kind: 'degraded', model: request.model, feature: 'images' },
  };
}

function dropParameter(input: DegradeInput): Degradation | undefined {
  const { failure, request, stream, learned } = input;
  const { model } = request;
  const facts = learned.get(model);
  const name = failure.facts?.parameter;
  if (name === 'stream') {
    if (!stream) return undefined;
    return {
      key: 'streaming',
      apply: () => learned.learn(model, { streaming: refusal(failure) }),
      notice: { kind: 'degraded', model, feature: 'streaming' },
    };
  }
  // A refusal that names nothing is most likely about the one field that the interface does not mention at all.
  if (name === 'stream_options' || name === undefined) {
    if (!stream || facts.streamOptions?.works === false) return undefined;
    return { key: 'stream_options', apply: () => learned.learn(model, { streamOptions: refusal(failure) }) };
  }
  const field = typeof name === 'string' ? optionalFields[name] : undefined;
  if (typeof name !== 'string' || field === undefined || request[field] === undefined) return undefined;
  return {
    key: name,
    apply: () => learned.learn(model, { parameters: { [name]: refusal(failure) } }),
    notice: { kind: 'degraded', model, feature: 'parameter', parameter: name },
  };
}

function changeHistory({ failure, request, concessions, learned }: DegradeInput): Degradation | undefined {
  const wanted = failure.facts?.reasoning;
  if ((wanted === 'required' || wanted === 'refused') && learned.get(request.model).reasoningEcho !== wanted) {
    const change = { reasoningEcho: wanted, reasoningEchoFrom: sourceOf(failure) } as const;
    return { key: 'reasoning', apply: () => learned.learn(request.model, change) };
  }
  if (strengthFor(request.model, concessions, learned) === 'strong') return undefined;
  return {
    key: 'history',
    apply: () => {
      concessions.strength = 'strong';
    },
  };
}

export function strengthFor(model: string, { strength }: Concessions, learned: Learned): Concessions['strength'] {
  return learned.get(model).plainHistory?.works === false ? 'strong' : strength;
}

function refusal(failure: Failure): Fact {
  return { works: false, ...sourceOf(failure) };
}

function sourceOf(failure: Failure): Source {
  return { at: failure.at, evidence: (failure.serverMessage ?? failure.message).slice(0, 160) };
}
