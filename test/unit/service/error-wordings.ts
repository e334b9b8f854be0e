import type { FailureKind } from '../../../src/shared/failure/kinds.ts';

/**
 * What services say when they refuse, by what it means. Facts of the wire, written down in our own words and shapes; `source`
 * names where each was seen. `{m}` stands for a model's name. `heldOut`: gathered after the words were written, to judge them.
 */
export interface Wording {
  means: FailureKind;
  text: string;
  source: string;
  /** As it is sent beside the text. */
  code?: string;
  heldOut?: true;
}

const capacity = (text: string, source: string, code?: string): Wording => ({
  means: 'capacity-service',
  text,
  source,
  ...(code !== undefined && { code }),
});
const held = (wording: Wording): Wording => ({ ...wording, heldOut: true });
const as = (means: FailureKind, source: string, ...texts: string[]): Wording[] =>
  texts.map((text) => ({ means, text, source }));

export const wordings: readonly Wording[] = [
  capacity('The model {m} is currently overloaded with other requests', 'OpenAI, waggle-dance#53'),
  capacity('{m} is at capacity. Please try a different model.', 'codex#43682'),
  capacity('No capacity available for model {m} on the server', 'antigravity-claude-proxy#197'),
  capacity('No deployments available for selected model, Try again in 60 seconds. Passed model={m}.', 'litellm#3933'),
  capacity('{m} is temporarily rate-limited upstream. Please retry shortly.', 'OpenRouter docs'),
  capacity('The engine is currently overloaded, please try again later: {m}', 'CoreWeave docs'),
  capacity('Model busy, retry later ({m})', 'DeepInfra, truefoundry/models#862'),
  capacity(
    'This model ({m}) is currently experiencing high demand. Spikes in demand are usually temporary.',
    'continue#12662',
  ),
  capacity("The model you've selected, {m}, is experiencing a high volume of traffic.", 'Kiro#6180'),
  capacity('The request queue of {m} is full', 'SGLang'),
  capacity('no healthy upstream for {m}', 'Envoy'),
  capacity('server busy, please try again. maximum pending requests exceeded ({m})', 'Ollama'),
  capacity('当前分组上游负载已饱和，请稍后再试 {m}', 'new-api#991'),
  capacity('当前分组 default 下对于模型 {m} 无可用渠道', 'one-api#2340'),
  held(
    capacity('Service tier capacity exceeded for this model: {m}.', 'Mistral docs', 'service_tier_capacity_exceeded'),
  ),
  held(capacity("We're experiencing high traffic right now! Please try again soon. model {m}", 'Cerebras')),
  held(capacity('Capacity temporarily exceeded, please try again. {m}', 'Cloudflare Workers AI')),
  held(
    capacity('The server cluster is currently under high load. Please retry after a short wait ({m})', 'MiniMax 2064'),
  ),
  held(capacity('Model {m} too busy, unable to get response in less than 60 second(s)', 'Hugging Face')),
  held(
    capacity('Service is too busy. We advise users to temporarily switch to alternative providers. {m}', 'DeepSeek'),
  ),
  held(capacity('System is too busy now. Please try again later. [{m}]', 'SiliconFlow 50505')),
  held(capacity('The system is currently experiencing high demand and cannot process {m}', 'Azure OpenAI')),
  held(capacity('No available upstream candidate for {m}.', 'gpt-load#528')),
  held(capacity('Insufficient model capacity: no valid executor for {m}', 'Featherless docs')),
  held(capacity('{m}: all workers are busy, please retry', 'vLLM router')),
  held(capacity('No available workers (all circuits open or unhealthy) for {m}', 'SGLang router')),
  held(capacity('Exceeds maximum queue size for {m}', 'Triton')),
  held(capacity('模型 {m} 当前访问量过大，请您稍后再试', 'z.ai 1305')),
  held(capacity('Unable to process: not enough GPUs to serve {m} at the moment', 'gateways')),
  held(capacity('{m} is oversubscribed, pick another', 'gateways')),
  held(capacity('There are no free slots for {m} right now', 'llama.cpp slots')),
  held(capacity('Upstream provider of {m} is congested', 'gateways')),
  held(capacity('zzz {m}', 'OpenRouter 503', 'provider_overloaded')),
  held(capacity('zzz {m}', 'OpenAI 503', 'server_is_overloaded')),
  held(capacity('zzz {m}', 'Google', 'MODEL_CAPACITY_EXHAUSTED')),
  held(capacity('No credits were charged: {m} is out of capacity', 'gateways')),
  held(capacity('{m} is overloaded. This is not a problem with your balance.', 'gateways')),

  held(
    capacity(
      'z-ai/{m} is temporarily rate-limited upstream. Please retry shortly, or add your own key',
      'computer#293',
    ),
  ),
  held(capacity('Service temporarily overloaded ({m})', 'OmniRoute#11486')),
  held(capacity('Upstream of {m} failed: Sorry, the model provider is under heavy load', 'Copilot')),

  capacity('No allowed providers are available for the selected model {m}.', 'OpenRouter, cline#5449'),
  capacity('No endpoints found matching your data policy for {m}. Configure: https://x/settings', 'OpenRouter'),
  capacity('{m} is currently loading', 'Hugging Face, transformers#32665'),
  capacity('Service temporarily unavailable for {m}. Please try again shortly.', 'vercel-labs/fx#187'),

  ...as(
    'balance',
    'DeepSeek, z.ai 1113, xAI, Anthropic, LiteLLM',
    'Insufficient Balance',
    'Insufficient balance or no resource package. Please recharge.',
    '余额不足或无可用资源包,请充值。',
    'Your credit balance is too low to access the API for {m}',
    'Budget has been exceeded! Current cost: 1.2, Max budget: 1.0',
  ),
  ...as(
    'balance',
    'OpenRouter, Venice, Moonshot, Novita',
    'Not enough credits to run {m}. Add credits and try again.',
    'Your credits have run out.',
    'Your card could not be charged, please top up',
    'You have no remaining credits',
    'Insufficient USD balance to complete request. Please top up.',
  ).map(held),

  ...as('balance', 'one-api, LiteLLM', 'user quota is not enough', 'ExceededBudget: End User=a over budget.'),

  ...as(
    'context-length',
    'vLLM, Kimi, llama.cpp#15780, llama.cpp#19774',
    "This model's maximum context length is 8192 tokens. However, your request has 9000 input tokens.",
    'the request exceeds the available context size. try increasing the context size or enable context shift',
    'Context size has been exceeded.',
    'Your request exceeded model token limit: 262144 (requested: 270000)',
  ),
  ...as(
    'context-length',
    'SGLang, RKLLM, LM Studio, ik_llama.cpp#2420',
    "The input (43000 tokens) is longer than the model's context length (40960 tokens).",
    'request (4390 tokens) exceeds the available context size (4096 tokens), try increasing it',
    'Requested token count exceeds the model maximum context length of 32768 tokens.',
    'Prompt is too long for {m}: 210000 tokens > 200000 maximum',
    'input is too large to process: prompt is longer than the maximum 4096 tokens',
  ).map(held),

  ...as(
    'history-refused',
    'llama.cpp, mistral-vibe#1006, vLLM',
    'Jinja Exception: Conversation roles must alternate user/assistant/user/assistant/...',
    "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'.",
    'Cannot pass both content and thinking in an assistant message with tool calls! raise_exception',
  ),
  ...as(
    'history-refused',
    'llama.cpp, Kimi, DeepSeek',
    'Error: Jinja Exception: After the optional system message, conversation roles must alternate user and assistant roles except for tool calls and results.',
    'Failed to parse tool call arguments as JSON: parse error at line 1, column 2',
    "message at position 3 with role 'assistant' must not be empty",
    'The `reasoning_content` in the thinking mode must be passed back to the API.',
  ).map(held),

  ...as('tools-refused', 'llama.cpp#10920, Qwen#44', 'tools param requires --jinja flag', 'Unsupported param: tools'),
  ...as(
    'tools-refused',
    'llama.cpp#25895, Ollama, vLLM',
    'Failed to initialize samplers: failed to parse grammar: unsupported',
    '{m} does not support tools',
    '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
  ).map(held),

  ...as(
    'images-refused',
    'vLLM, OpenRouter',
    '{m} is not a multimodal model',
    'No endpoints found that support image input',
  ),
  ...as('images-refused', 'llama.cpp, DeepSeek', 'image input is not supported - hint: {m} has no projector').map(held),

  ...as(
    'rate-limited',
    'OpenAI, Groq',
    'Rate limit reached for {m}: Limit 10 requests per minute, please try again in 6s',
    'Request too large for {m} on tokens per minute (TPM): Limit 6000, Requested 9000',
  ),
  ...as(
    'rate-limited',
    'Together, z.ai 1302, W&B',
    'You have reached your rate limit of 60 RPM for {m}. Slow down.',
    '您的账户已达到速率限制，请您控制请求频率',
    'You have hit the rate limit: daily requests per day exceeded',
    'Concurrency limit reached for requests to {m}',
  ).map(held),

  ...as(
    'unknown-model',
    'vLLM, OpenRouter',
    'The model `{m}-turbo` does not exist.',
    '{m}-pro is not a valid model ID',
  ),
  ...as(
    'unknown-model',
    'Fireworks, Ollama',
    'Model not found, inaccessible, and/or not deployed',
    "model '{m}x' not found",
  ).map(held),

  ...as(
    'server-error',
    'gateways',
    'Internal server error while running {m}',
    'internal error computing context length',
    'Unable to load model {m}',
  ),
  ...as(
    'server-error',
    'gateways',
    'Provider returned error',
    'Unexpected token in the response of {m}',
    'Upstream error: Unexpected token 173781 while expecting start token 200006',
    'The server had an error while processing your request to {m}',
    '{m} crashed: CUDA error: an illegal memory access was encountered',
  ).map(held),
];
