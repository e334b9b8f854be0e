import type { FailureKind } from '../../../src/shared/failure/kinds.ts';

/**
 * Refusals as services sent them: status and body from recorded tests and from public reports, with their source. Labelled by what a
 * person who reads them understands, before any of them was given to the classifier. Long ids and texts are shortened.
 */
export interface RecordedError {
  /** Every kind that does right by the user; mostly one. */
  means: readonly FailureKind[];
  status: number;
  /** JSON as an object, everything else as text. */
  body: object | string;
  source: string;
}

const busy = ['capacity-service', 'capacity-model'] as const;

export const openAi = (message: string, more: object = {}) => ({
  error: { message, type: 'invalid_request_error', param: null, code: null, ...more },
});
const openRouter = (message: string, code: number, metadata?: object) => ({ error: { message, code, metadata } });
const vllm = (message: string, more: object = {}) => ({
  object: 'error',
  message,
  type: 'BadRequestError',
  param: null,
  code: 400,
  ...more,
});
export const rows = (
  means: RecordedError['means'] | FailureKind,
  ...errors: Omit<RecordedError, 'means'>[]
): RecordedError[] => errors.map((error) => ({ means: typeof means === 'string' ? [means] : means, ...error }));

export const recordedErrors: readonly RecordedError[] = [
  ...rows(
    busy,
    {
      status: 404,
      body: openRouter('No allowed providers are available for the selected model.', 404, {
        available_providers: ['z-ai'],
        requested_providers: ['anthropic'],
      }),
      source: 'farion1231/cc-switch#995',
    },
    {
      status: 404,
      body: openRouter('Error from provider: No allowed providers are available for the selected model.', 404, {
        available_providers: ['gmicloud'],
        requested_providers: ['siliconflow'],
      }),
      source: 'anomalyco/opencode#39874',
    },
    {
      status: 404,
      body: openAi(
        "Error from provider (Console): Upstream request failed: [404] No allowed providers are available for the selected model. Providers serving xiaomi/mimo-v2.5: gmicloud, deepinfra, but your request's provider.only preference permits only: tencent.",
      ),
      source: 'anomalyco/opencode#45995',
    },
    {
      status: 404,
      body: openRouter(
        'No endpoints found matching your data policy (Paid model training). Configure: https://openrouter.ai/settings/privacy',
        404,
      ),
      source: 'unoplat/unoplat-code-confluence#1080',
    },
    {
      status: 404,
      body: {
        status: 'failure',
        message:
          'openrouter error: No endpoints available matching your guardrail restrictions and data policy. Configure: https://openrouter.ai/settings/privacy',
        error: {
          message: 'openrouter error: No endpoints available matching your guardrail restrictions and data policy.',
          type: 'APIError',
        },
      },
      source: 'truefoundry/models#826',
    },
    {
      status: 503,
      body: {
        error: {
          code: 'model_not_found',
          message:
            'No available channel for model MiniMax-M2.7-highspeed under group default (distributor) (request id: 2026)',
          type: 'new_api_error',
        },
      },
      source: 'NanmiCoder/cc-haha#43',
    },
    {
      status: 503,
      body: {
        error: {
          code: 'model_not_found',
          message: '分组 Domestic 下模型 deepseek-v4-pro 无可用渠道（distributor） (request id: 2026)',
          type: 'new_api_error',
        },
      },
      source: 'musistudio/claude-code-router#1608',
    },
    {
      status: 503,
      body: {
        error: {
          message: '当前分组 default 下对于模型 gpt-4o-mini 无可用渠道 (request id: 2025)',
          type: 'v_api_error',
        },
      },
      source: 'popjane/free_chatgpt_api#110',
    },
    {
      status: 503,
      body: { error: { message: 'Loading model', type: 'unavailable_error', code: 503 } },
      source: 'mindverse/Second-Me#20, canonical/inference-snaps#234',
    },
    {
      status: 503,
      body: { error: 'Model meta-llama/Llama-2-13b-chat is currently loading', estimated_time: 20 },
      source: 'huggingface/transformers#32665',
    },
    {
      status: 503,
      body: openAi('Service temporarily unavailable. Please try again shortly.', { type: 'service_unavailable_error' }),
      source: 'vercel-labs/fx#187',
    },
    {
      status: 429,
      body: {
        error: {
          message: 'The engine is currently overloaded, please try again later',
          type: 'engine_overloaded_error',
        },
      },
      source: 'MoonshotAI/MoonshotAI-Cookbook#16',
    },
    {
      status: 429,
      body: openRouter('Provider returned error', 429, {
        raw: 'google/gemini-2.0-flash-exp:free is temporarily rate-limited upstream. Please retry shortly, or add your own key to accumulate your rate limits: https://openrouter.ai/settings/integrations',
        provider_name: 'Google',
      }),
      source: 'pydantic/pydantic-ai, test_openrouter_errors_raised.yaml',
    },
    {
      status: 429,
      body: openAi('No deployments available for selected model. Try again in 5 seconds.', { code: '429' }),
      source: 'BerriAI/litellm#20867',
    },
    {
      status: 503,
      body: {
        error: {
          code: 503,
          message: 'No capacity available for model gemini-3-flash on the server',
          status: 'UNAVAILABLE',
          details: [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'MODEL_CAPACITY_EXHAUSTED' }],
        },
      },
      source: 'tiezbro/paseo-agy-acp#1',
    },
  ),

  ...rows(
    'rate-limited',
    {
      status: 429,
      body: openAi(
        'Rate limit reached for model `llama-3.3-70b-versatile` in organization `org_0` service tier `on_demand` on tokens per day (TPD): Limit 100000, Used 97050, Requested 3619. Please try again in 9m38.016s. Need more tokens? Upgrade to Dev Tier today at https://console.groq.com/settings/billing',
        { type: 'tokens', code: 'rate_limit_exceeded' },
      ),
      source: 'continuedev/continue#10920',
    },
    {
      status: 413,
      body: openAi(
        'Request too large for model `llama-3.1-8b-instant` in organization `xxxx` service tier `on_demand` on tokens per minute (TPM): Limit 6000, Requested 6294, please reduce your message size and try again. Visit https://console.groq.com/docs/rate-limits for more information.',
        { type: 'tokens', code: 'rate_limit_exceeded' },
      ),
      source: 'elizaOS/eliza#4040',
    },
    {
      status: 429,
      body: {
        message: 'Tokens per minute limit exceeded - too many tokens processed.',
        type: 'too_many_tokens_error',
        param: 'quota',
        code: 'token_quota_exceeded',
      },
      source: 'continuedev/continue#9800 (Cerebras)',
    },
    {
      status: 429,
      body: {
        error: {
          code: 'RateLimitReached',
          message: 'Your requests to grok-4-1-fast for grok-4-1-fast in westeurope have exceeded rate limit.',
          details: 'Your requests to grok-4-1-fast for grok-4-1-fast in westeurope have exceeded rate limit.',
        },
      },
      source: 'crmne/ruby_llm, azure',
    },
    {
      status: 429,
      body: {
        error: {
          code: '1302',
          message:
            'High concurrency usage of this API, please reduce concurrency or contact customer service to increase limits',
        },
      },
      source: 'kaitranntt/ccs#402 (z.ai)',
    },
    {
      status: 429,
      body: { error: { code: '1308', message: '已达到 5 小时的使用上限。您的限额将在 2026-08-25 07:41:44 重置。' } },
      source: 'dirge-code/dirge#818 (z.ai)',
    },
    {
      status: 429,
      body: {
        error: {
          type: 'rate_limit_reached_error',
          message:
            'Your account x / proj-x <ak-x> request reached project TPM rate limit, current: 1410, limit: 100, see https://platform.moonshot.cn/docs/pricing/limits',
        },
      },
      source: 'LLM-Red-Team/kimi-cc#41',
    },
    {
      status: 429,
      body: {
        error: {
          message: "We're receiving too many requests at the moment. Please wait a moment and try again.",
          type: 'rate_limit_reached_error',
        },
      },
      source: 'MoonshotAI/kimi-cli#901',
    },
    {
      status: 429,
      body: {
        error: {
          message: 'Your account org-x request reached max request: 3, please try again after 1 seconds',
          type: 'rate_limit_reached_error',
        },
      },
      source: 'harry0703/MoneyPrinterTurbo#339 (Moonshot)',
    },
  ),
  // Google counts both a plan that is used up and a limit of the minute as this quota.
  ...rows(['rate-limited', 'balance'], {
    status: 429,
    body: {
      error: {
        code: 429,
        message:
          'You exceeded your current quota, please check your plan and billing details. For more information on this error, head to: https://ai.google.dev/gemini-api/docs/rate-limits. \n* Quota exceeded for metric: generate_content_paid_tier_input_token_count, limit: 1000000, model: gemini-2.5-flash\nPlease retry in 39s.',
        status: 'RESOURCE_EXHAUSTED',
      },
    },
    source: 'crmne/ruby_llm, gemini',
  }),

  ...rows(
    'balance',
    {
      status: 402,
      body: openRouter(
        'This request requires more credits, or fewer max_tokens. You requested up to 4096 tokens, but can only afford 4000. To increase, visit https://openrouter.ai/settings/credits and upgrade to a paid account',
        402,
      ),
      source: 'continuedev/continue#10298',
    },
    {
      status: 402,
      body: openRouter(
        'Insufficient credits. This account never purchased credits. Make sure your key is on the correct account or org, and if so, purchase more at https://openrouter.ai/settings/credits',
        402,
      ),
      source: 'continuedev/continue#10877',
    },
    {
      status: 402,
      body: openRouter(
        'Prompt tokens limit exceeded: 64128 > 6964. To increase, visit https://openrouter.ai/settings/credits and upgrade to a paid account',
        402,
      ),
      source: 'continuedev/continue#11227',
    },
    {
      status: 403,
      body: {
        error: {
          message: 'user quota is not enough (request id: 2025)',
          type: 'v_api_error',
          param: '',
          code: 'insufficient_user_quota',
        },
      },
      source: 'popjane/free_chatgpt_api#78',
    },
    {
      status: 403,
      body: {
        error: {
          message: '用户额度不足, 剩余额度: ＄-0.014',
          type: 'new_api_error',
          param: '',
          code: 'insufficient_user_quota',
        },
      },
      source: 'QuantumNous/new-api#7448',
    },
    {
      status: 403,
      body: {
        error: {
          message:
            'Your account org-x<ak-x> is not active, organization <org-x> exceeded current quota, please check your plan and billing details',
          type: 'exceeded_current_quota_error',
        },
      },
      source: 'MoonshotAI/Kimi-K2#5',
    },
    {
      status: 429,
      body: {
        error: {
          message:
            'Your account org-x <ak-x> is suspended due to insufficient balance, please recharge your account or check your plan and billing details',
          type: 'exceeded_current_quota_error',
        },
      },
      source: 'MoonshotAI/kimi-code#1857',
    },
    {
      status: 429,
      body: { error: { code: '1113', message: 'Insufficient balance or no resource package. Please recharge.' } },
      source: 'zai-org/GLM-5#148',
    },
    {
      status: 429,
      body: {
        type: 'error',
        error: {
          type: 'rate_limit_error',
          code: '1113',
          message: '[1113][Insufficient balance or no resource package. Please recharge.][20260922]',
        },
      },
      source: 'zai-org/feedback#789',
    },
    {
      status: 429,
      body: { error: { code: '1113', message: '余额不足或无可用资源包,请充值。' } },
      source: 'continuedev/continue#11823',
    },
    {
      status: 429,
      body: openAi(
        'You exceeded your current quota, please check your plan and billing details. For more information on this error, read the docs: https://platform.openai.com/docs/guides/error-codes/api-errors.',
        { type: 'insufficient_quota', code: 'insufficient_quota' },
      ),
      source: 'continuedev/continue#11821',
    },
    {
      status: 400,
      body: openAi('Budget has been exceeded! Current cost: 26.075, Max budget: 0.25', {
        type: 'budget_exceeded',
        code: '400',
      }),
      source: 'BerriAI/litellm#22726',
    },
    {
      status: 429,
      body: openAi('LiteLLM User: engineer-1, exceeded budget for model=claude-opus-4-8', {
        type: 'budget_exceeded',
        code: '429',
      }),
      source: 'OWASP/OpenCRE#1102, docs of LiteLLM',
    },
    {
      status: 400,
      body: openAi('ExceededBudget: End User=ishaan3 over budget. Spend=0.00088, Budget=0.0001', {
        type: 'auth_error',
        code: '400',
      }),
      source: 'OWASP/OpenCRE#1102, docs of LiteLLM',
    },
  ),

  ...rows(
    'context-length',
    {
      status: 400,
      body: vllm(
        "This model's maximum context length is 131072 tokens. However, you requested 156632 tokens (152536 in the messages, 4096 in the completion). Please reduce the length of the messages or completion.",
      ),
      source: 'meta-llama/llama-verifications#58 (vLLM)',
    },
    {
      status: 400,
      body: {
        error: {
          message:
            "You passed 1015 input tokens and requested 10 output tokens. However, the model's context length is only 1024 tokens, resulting in a maximum input length of 1014 tokens. Please reduce the length of the input prompt. (parameter=input_tokens, value=1015)",
          type: 'BadRequestError',
          param: 'input_tokens',
          code: 400,
        },
      },
      source: 'harbor-framework/harbor#996 (vLLM 0.16)',
    },
    {
      status: 400,
      body: openAi(
        "This model's maximum context length is 8192 tokens. However, your messages resulted in 8227 tokens. Please reduce the length of the messages.",
        { param: 'messages', code: 'context_length_exceeded' },
      ),
      source: 'crewAIInc/crewAI-examples#121',
    },
    {
      status: 400,
      body: openRouter(
        "This endpoint's maximum context length is 200000 tokens. However, you requested about 2500021 tokens (2500021 of text input). Please reduce the length of either one, or use the context-compression plugin to compress your prompt automatically.",
        400,
        { provider_name: null },
      ),
      source: 'crmne/ruby_llm, openrouter',
    },
    {
      status: 400,
      body: openAi('prompt too long; exceeded max context length by 1119046 tokens (ref: 96164522)'),
      source: 'crmne/ruby_llm, ollama cloud',
    },
    {
      status: 400,
      body: openRouter('The total length of all messages is too long.', 400),
      source: 'crmne/ruby_llm, perplexity',
    },
    {
      status: 400,
      body: openAi('Your input exceeds the context window of this model. Please adjust your input and try again.', {
        param: 'input',
        code: 'context_length_exceeded',
      }),
      source: 'crmne/ruby_llm, openai',
    },
    {
      status: 400,
      body: {
        type: 'error',
        error: { type: 'invalid_request_error', message: 'prompt is too long: 3333404 tokens > 200000 maximum' },
      },
      source: 'crmne/ruby_llm, anthropic',
    },
    {
      status: 400,
      body: {
        error: {
          code: 400,
          message: 'The input token count (1250074) exceeds the maximum number of tokens allowed (1048576).',
          status: 'INVALID_ARGUMENT',
        },
      },
      source: 'crmne/ruby_llm, vertexai',
    },
    {
      status: 400,
      body: {
        error_type: 'TOO_MANY_TOKENS',
        id: 'c167',
        message:
          'too many tokens: size limit exceeded by 25836 tokens. Try using shorter or fewer inputs. The limit for this model is 288000 tokens.',
      },
      source: 'crmne/ruby_llm, cohere',
    },
    {
      status: 400,
      body: {
        message:
          'The model returned the following errors: Input Tokens Exceeded: Number of input tokens exceeds maximum length. Please update the input to try again.',
      },
      source: 'crmne/ruby_llm, bedrock',
    },
    {
      status: 400,
      body: {
        error: {
          code: 400,
          message: 'request (4390 tokens) exceeds the available context size (4096 tokens), try increasing it',
          type: 'exceed_context_size_error',
          n_prompt_tokens: 4390,
          n_ctx: 4096,
        },
      },
      source: 'ggml-org/llama.cpp#19774',
    },
    {
      status: 500,
      body: { error: { code: 500, message: 'Context size has been exceeded.', type: 'server_error' } },
      source: 'ggml-org/llama.cpp#19774',
    },
    {
      status: 502,
      body: {
        error: {
          message:
            'ConnectionError: {"object":"error","message":"This model\'s maximum context length is 16000 tokens. However, you requested 17165 tokens (13069 in the messages, 4096 in the completion). Please reduce the length of the messages or completion.","type":"BadRequestError","param":null,"code":400}',
          code: 502,
          metadata: { provider_name: 'DeepInfra', raw: { error_type: 'validation_error' } },
        },
      },
      source: 'ai-christianson/RA.Aid#41',
    },
    {
      status: 400,
      body: openAi('Requested tokens (2285) exceed context window of 2048'),
      source: 'fedora-copr/logdetective-website#193 (llama-cpp-python)',
    },
  ),
  // Lowering max_tokens mends it; both kinds of failure lead there.
  ...rows(
    ['context-length', 'parameter-refused'],
    {
      status: 400,
      body: openAi(
        'Error from provider (Console Go): Upstream request failed: [bad_request] bad request: max_tokens is too large: 384000. This model supports at most 131072 completion tokens.',
      ),
      source: 'OnesoftQwQ/opencode-go-copilot#110',
    },
    {
      status: 400,
      body: openRouter('Provider returned error', 400, {
        raw: '{"code":400, "reason":"INVALID_REQUEST_BODY", "message":"max_tokens (current value: 65536) must be between 0 and 32768 ", "metadata":{}}',
        provider_name: 'Novita',
      }),
      source: 'cline/cline#8337',
    },
    {
      status: 400,
      body: openAi(
        'Upstream error from DeepInfra: max_tokens=131072 cannot be greater than max_model_len=max_total_tokens=28672. Please request fewer output tokens. (parameter=max_tokens, value=131072)',
      ),
      source: 'HeyPuter/puter#3564',
    },
    {
      status: 400,
      body: vllm('max_tokens must be at least 1, got -186.'),
      source: 'vllm-project/vllm#4667',
    },
  ),

  ...rows(
    'key-rejected',
    {
      status: 401,
      body: openAi(
        'Incorrect API key provided: https://***. You can find your API key at https://platform.openai.com/account/api-keys.',
        {
          code: 'invalid_api_key',
        },
      ),
      source: 'continuedev/continue#10250',
    },
    { status: 401, body: { detail: 'Invalid API Key' }, source: 'crmne/ruby_llm, mistral' },
    { status: 401, body: openRouter('Missing Authentication header', 401), source: 'crmne/ruby_llm, openrouter' },
    {
      status: 400,
      body: {
        code: 'invalid-argument',
        error: 'Incorrect API key provided. You can obtain an API key from https://console.x.ai.',
      },
      source: 'crmne/ruby_llm, xai',
    },
    {
      status: 400,
      body: {
        error: {
          code: 400,
          message: 'API key not valid. Please pass a valid API key.',
          status: 'INVALID_ARGUMENT',
          details: [
            {
              '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
              reason: 'API_KEY_INVALID',
              domain: 'googleapis.com',
            },
          ],
        },
      },
      source: 'crmne/ruby_llm, gemini',
    },
    {
      status: 401,
      body: openAi('Authentication Fails, Your api key: ****-key is invalid', {
        type: 'authentication_error',
        code: 'invalid_request_error',
      }),
      source: 'crmne/ruby_llm, deepseek',
    },
  ),
  ...rows(['key-rejected', 'forbidden'], {
    status: 403,
    body: { message: 'The security token included in the request is invalid.' },
    source: 'crmne/ruby_llm, bedrock',
  }),

  ...rows(
    'unknown-model',
    {
      status: 404,
      body: openAi('The model `llama-3.3-70b-versatlie` does not exist or you do not have access to it.', {
        code: 'model_not_found',
      }),
      source: 'pydantic/pydantic-ai, test_model_name_suggestion[groq]',
    },
    {
      status: 404,
      body: {
        type: 'error',
        error: { type: 'not_found_error', message: 'model: claude-sonet-4-5' },
        request_id: 'req_0',
      },
      source: 'pydantic/pydantic-ai, test_model_name_suggestion[anthropic]',
    },
    {
      status: 400,
      body: { message: 'The provided model identifier is invalid.' },
      source: 'pydantic/pydantic-ai, test_model_name_suggestion[bedrock]',
    },
    {
      status: 404,
      body: {
        error: {
          code: 404,
          message:
            'models/gemini-3.6-flahs is not found for API version v1beta, or is not supported for generateContent. Call ModelService.ListModels to see the list of available models and their supported methods.',
          status: 'NOT_FOUND',
        },
      },
      source: 'pydantic/pydantic-ai, test_model_name_suggestion[google]',
    },
    {
      status: 404,
      body: {
        id: '8bd5',
        message:
          "model 'nonexistent' not found, make sure the correct model ID was used and that you have access to the model.",
      },
      source: 'pydantic/pydantic-ai, TestCohere',
    },
    {
      status: 400,
      body: { detail: "Model nonexistent is not supported. Supported models are ['a', 'b']." },
      source: 'pydantic/pydantic-ai, TestVoyageAI',
    },
    {
      status: 404,
      body: { status: 404, title: 'Not Found', detail: "Function '23d4f03a': Not found for account 'Qawmu2vU'" },
      source: 'Alishahryar1/free-claude-code#1021 (NVIDIA NIM)',
    },
    {
      status: 410,
      body: {
        type: 'about:blank',
        title: 'Gone',
        status: 410,
        detail: "The model 'z-ai/glm4.7' has reached its end of life on 2026-07-01 and is no longer available.",
      },
      source: 'decolua/9router#2617 (NVIDIA NIM)',
    },
  ),
  ...rows(['unknown-model', ...busy], {
    status: 404,
    body: openRouter('No endpoints found for nousresearch/hermes-3-llama-3.1-405b:free.', 404),
    source: 'vyancharuk/nodejs-api-boilerplate#16',
  }),
  ...rows(['unknown-model', ...busy, 'server-error'], {
    status: 502,
    body: openAi('unknown provider for model kimi-k2.5', { type: 'server_error', code: 'internal_server_error' }),
    source: 'kaitranntt/ccs#663, continuedev/continue#11260',
  }),

  ...rows(
    'tools-refused',
    {
      status: 400,
      body: openAi('registry.ollama.ai/library/deepseek-r1:latest does not support tools', { type: 'api_error' }),
      source: 'heshengtao/super-agent-party#142',
    },
    {
      status: 400,
      body: { error: 'registry.ollama.ai/library/Qwen3.5:0.8b does not support tools' },
      source: 'ollama/ollama#14795',
    },
    {
      status: 404,
      body: openRouter(
        'No endpoints found that support tool use. Try disabling "question". To learn more about provider routing, visit: https://openrouter.ai/docs/guides/routing/provider-selection',
        404,
      ),
      source: 'Kilo-Org/kilocode#9006',
    },
    {
      status: 404,
      body: {
        error: {
          message:
            'Error from provider(404): {"error":{"message":"No endpoints found that support tool use. To learn more about provider routing, visit: https://openrouter.ai/docs/provider-routing","code":404}}',
          type: 'api_error',
          code: 'provider_response_error',
        },
      },
      source: 'musistudio/claude-code-router#583',
    },
    {
      status: 500,
      body: { error: { code: 500, message: 'Cannot use tools with stream', type: 'server_error' } },
      source: 'simonw/llm-llama-server#3 (llama.cpp)',
    },
  ),
  ...rows(['tools-refused', 'parameter-refused', 'bad-request'], {
    status: 400,
    body: openAi('This model only supports single tool-calls at once!'),
    source: 'lidge-jun/opencodex#126 (NVIDIA NIM)',
  }),
  // What the model wrote was refused, not what was sent: asking again may do.
  ...rows(['bad-request', 'server-error', 'tools-refused'], {
    status: 400,
    body: openAi(
      "Tool call validation failed: tool call validation failed: parameters for tool get_something_by_name did not match schema: errors: [missing properties: 'name', additionalProperties 'foo' not allowed]",
      { code: 'tool_use_failed', failed_generation: '{"name": "get_something_by_name"}' },
    ),
    source: 'pydantic/pydantic-ai, test_tool_use_failed_error (Groq)',
  }),

  ...rows(
    'images-refused',
    {
      status: 400,
      body: openAi(
        'Failed to deserialize the JSON body into the target type: messages[7]: unknown variant `image_url`, expected `text` at line 1 column 114708',
        {
          code: 'invalid_request_error',
        },
      ),
      source: '1jehuang/jcode#310 (DeepSeek V4)',
    },
    {
      status: 400,
      body: openAi('Invalid content type. image_url is only supported by certain models.', {
        param: 'messages.[0].content.[1].type',
      }),
      source: 'vllm-project/vllm#11629',
    },
  ),

  ...rows(
    'history-refused',
    {
      status: 400,
      body: vllm(
        'After the optional system message, conversation roles must alternate user/assistant/user/assistant/...',
      ),
      source: 'vllm-project/vllm#6862',
    },
    {
      status: 400,
      body: openRouter('Provider returned error', 400, {
        raw: '{"object":"error","message":"Unexpected role \'tool\' after role \'user\'","type":"invalid_request_message_order","param":null,"code":"3230"}',
        provider_name: 'Mistral',
      }),
      source: 'charmbracelet/crush#279',
    },
    {
      status: 400,
      body: {
        detail:
          'Invalid request: Invalid request: {"detail":{"object":"error","message":"After the optional system message, conversation roles must alternate user and assistant roles except for tool calls and results.","type":"400","param":null,"code":400}}',
      },
      source: 'RooCodeInc/Roo-Code#10045',
    },
    {
      status: 200,
      body: {
        error: {
          code: 'server_error',
          message:
            "rpc error: code = InvalidArgument desc = \n------------\nWhile executing CallExpression at line 46, column 32 in source:\n...== 0) %}↵            {{- raise_exception('After the optional system message, con...\n                                           ^\nError: Jinja Exception: After the optional system message, conversation roles must alternate user and assistant roles except for tool calls and results.",
          type: 'server_error',
        },
      },
      source: 'sterlp/eclipse-peon-ai#75 (LocalAI, inside the stream)',
    },
    {
      status: 400,
      body: openAi('No tool output found for tool call call-a.', { code: 'invalid_request_error' }),
      source: 'pydantic/pydantic-ai, test_deepseek_responses_rejects_interleaved_function_calls',
    },
  ),

  ...rows(
    'content-filter',
    {
      status: 400,
      body: {
        error: {
          message:
            "The response was filtered due to the prompt triggering Microsoft's content management policy. Please modify your prompt and retry.",
          type: null,
          param: 'prompt',
          code: 'content_filter',
          status: 400,
          innererror: {
            code: 'ResponsibleAIPolicyViolation',
            content_filter_result: { jailbreak: { filtered: true, detected: true } },
          },
        },
      },
      source: 'continuedev/continue#4192',
    },
    {
      status: 400,
      body: {
        error: {
          code: 'data_inspection_failed',
          param: null,
          message: 'Input data may contain inappropriate content.',
          type: 'data_inspection_failed',
        },
        id: 'chatcmpl-11',
        request_id: '11',
      },
      source: 'Samueli924/chaoxing#539 (DashScope)',
    },
    {
      status: 400,
      body: openAi('<400> InternalError.Algo.DataInspectionFailed: Input text data may contain inappropriate content.'),
      source: 'QwenLM/qwen-code#2905',
    },
    {
      status: 400,
      body: {
        error: {
          code: '1301',
          message:
            '系统检测到输入或生成内容可能包含不安全或敏感内容，请您避免输入易产生敏感内容的提示语，感谢您的配合。',
        },
      },
      source: 'langchain4j/langchain4j#1079 (Zhipu)',
    },
    {
      status: 400,
      body: {
        error: {
          message: 'input contains sensitive words: [test] (request id: 2024)',
          type: 'new_api_error',
          param: '',
          code: 'sensitive_words_detected',
        },
      },
      source: 'openai/openai-cookbook#1224',
    },
    {
      status: 400,
      body: openAi('Content Exists Risk', { code: 'invalid_request_error' }),
      source: 'DeepSeek, many reports',
    },
  ),

  ...rows(
    'parameter-refused',
    {
      status: 400,
      body: openAi("Invalid 'temperature': decimal below minimum value. Expected a value >= 0, but got -1 instead.", {
        param: 'temperature',
        code: 'decimal_below_min_value',
      }),
      source: 'pydantic/pydantic-ai, test_openai_responses_model_http_error',
    },
    {
      status: 400,
      body: openAi('Web search options not supported with this model.', { param: 'web_search_options' }),
      source: 'pydantic/pydantic-ai, test_openai_web_search_tool_model_not_supported',
    },
  ),
  ...rows(['parameter-refused', 'history-refused'], {
    status: 400,
    body: openAi("Unsupported value: 'messages[0].role' does not support 'system' with this model.", {
      param: 'messages[0].role',
      code: 'unsupported_value',
    }),
    source: 'pydantic/pydantic-ai, test_openai_o1_mini_system_role',
  }),
  ...rows(['parameter-refused', 'bad-request', ...busy], {
    status: 404,
    body: openRouter('No endpoints found that support cache control', 404),
    source: 'musistudio/claude-code-router#251',
  }),

  ...rows(
    'server-error',
    { status: 500, body: 'Internal Server Error', source: 'continuedev/continue#11451' },
    { status: 502, body: '', source: 'continuedev/continue#9806' },
    {
      status: 504,
      body: { message: '', type: 'rix_api_error', param: '', code: 'bad_response_status_code' },
      source: 'continuedev/continue#9581',
    },
    {
      status: 504,
      body: '<html>\n<head><title>504 Gateway Time-out</title></head>\n<body>\n<center><h1>504 Gateway Time-out</h1></center>\n<hr><center>nginx</center>\n</body>\n</html>',
      source: 'ClassmateLin/free-chatgpt#2',
    },
    {
      status: 502,
      body: '<!DOCTYPE html>\n<html>\n<head>\n<title>Error</title>\n</head>\n<body>\n<h1>An error occurred.</h1>\n<p>Sorry, the page you are looking for is currently unavailable.<br/>\nPlease try again later.</p>\n</body>\n</html>',
      source: 'continuedev/continue#9842',
    },
    {
      status: 200,
      body: {
        error: {
          message: 'Upstream error from AtlasCloud: Unexpected token 173781 while expecting start token 200006',
          code: 502,
          metadata: {
            raw: {
              object: 'error',
              message: 'Unexpected token 173781 while expecting start token 200006',
              type: 'BadRequestError',
              code: 400,
            },
            provider_name: 'AtlasCloud',
          },
        },
      },
      source: 'cline/cline#5449, inside the stream',
    },
  ),
  ...rows('origin-down', {
    status: 524,
    body: '<!DOCTYPE html>\n<html class="no-js" lang="en-US">\n<head>\n<title>chat.openai.com | 524: A timeout occurred</title>\n</head>\n<body><div id="cf-wrapper">A timeout occurred</div></body></html>',
    source: 'acheong08/ChatGPT#447',
  }),
  ...rows('forbidden', {
    status: 403,
    body: '<!DOCTYPE html>\n<html><head><title>Attention Required! | Cloudflare</title></head><body><h1 data-translate="block_headline">Sorry, you have been blocked</h1><h2>You are unable to access groq.com</h2></body></html>',
    source: 'run-llama/llama_index#16796',
  }),
  ...rows('too-large', {
    status: 413,
    body: '<html>\n<head><title>413 Request Entity Too Large</title></head>\n<body>\n<center><h1>413 Request Entity Too Large</h1></center>\n<hr><center>nginx/1.26.1</center>\n</body>\n</html>',
    source: 'open-webui/open-webui#3273',
  }),
];
