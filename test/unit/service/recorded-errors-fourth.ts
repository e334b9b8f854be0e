import { openAi, type RecordedError, rows } from './recorded-errors.ts';

/** A fourth gathering, from public reports that none of the others has; labelled before it was scored. */
export const fourthRecordedErrors: readonly RecordedError[] = [
  ...rows(
    ['rate-limited', 'capacity-service', 'capacity-model'],
    {
      status: 200,
      body: {
        error: {
          message: 'Provider returned error',
          code: 429,
          metadata: { raw: 'error code: 1015', provider_name: 'Kluster' },
        },
      },
      source: 'BerriAI/litellm#8448',
    },
    {
      status: 429,
      body: { error: { message: '您当前使用该API的并发数过高，请降低并发，或联系客服增加限额。' } },
      source: 'anomalyco/opencode#9789',
    },
    {
      status: 429,
      body: 'ResourceExhausted: Worker local total request limit reached (33/32)',
      source: 'QuantumNous/new-api#6619',
    },
    {
      status: 503,
      body: {
        error: {
          message:
            'Request dropped after exceeding the local rate-limit queue budget maxWaitMs (15000ms) for nvidia/minimaxai/minimax-m3',
        },
      },
      source: 'diegosouzapw/OmniRoute#9731',
    },
    {
      status: 529,
      body: { error: { message: 'Upstream provider NIM returned an error.' } },
      source: 'Alishahryar1/free-claude-code#1229',
    },
  ),
  ...rows(
    'rate-limited',
    {
      status: 429,
      body: {
        error: {
          message: 'Rate limit exceeded: limit_rpd/google/gemini-2.0-flash-thinking-exp-01-21/54276bca',
          code: 429,
          metadata: { headers: { 'X-RateLimit-Limit': '80', 'X-RateLimit-Remaining': '0' } },
        },
      },
      source: 'BerriAI/litellm#9035',
    },
    {
      status: 429,
      body: {
        error: {
          message:
            'Your account org-78cd<ak-f94z> request reached organization max RPM: 20, please try again after 1 seconds',
          type: 'rate_limit_reached_error',
        },
      },
      source: 'MoonshotAI/kimi-cli#1599',
    },
    { status: 429, body: { status: 429, title: 'Too Many Requests' }, source: 'Alishahryar1/free-claude-code#1485' },
    {
      status: 429,
      body: openAi('Provider rate limit reached. Please retry shortly. (request_id=req_bcae6c2091e1)'),
      source: 'Alishahryar1/free-claude-code#334',
    },
  ),
  ...rows(
    'balance',
    {
      status: 429,
      body: { error: { code: '1113', message: '您的账户已欠费，请充值后重试。' } },
      source: 'langgenius/dify#5850',
    },
    {
      status: 429,
      body: {
        error: { http_code: '429', message: 'insufficient balance (1008)', type: 'insufficient_balance_error' },
        request_id: '0631',
      },
      source: 'modelscope/modelscope#1691',
    },
    {
      status: 402,
      body: openAi('Insufficient Balance', { type: 'unknown_error', code: 'invalid_request_error' }),
      source: 'Aider-AI/aider#4851',
    },
    {
      status: 400,
      body: {
        type: 'invalid_request_error',
        message: 'You have reached your specified API usage limits. You will regain access on 2026-09-01',
      },
      source: 'BerriAI/litellm#37592',
    },
    {
      status: 402,
      body: {
        error: { message: 'Insufficient credits. Add more using https://openrouter.ai/settings/credits', code: 402 },
      },
      source: 'BerriAI/litellm#37592, the second row',
    },
    {
      status: 400,
      body: {
        error: {
          message:
            'litellm.BadRequestError: OpenAIException - Budget has been exceeded! Current cost: 14.2, Max budget: 10',
          type: null,
          param: null,
          code: '400',
        },
      },
      source: 'BerriAI/litellm#14144',
    },
    {
      status: 429,
      body: {
        error: {
          message:
            'No deployments available - crossed budget: Exceeded budget for deployment model_name: m: 0.363 >= 1d',
        },
      },
      source: 'BerriAI/litellm#14144, the first row',
    },
  ),
  ...rows(
    'content-filter',
    {
      status: 400,
      body: {
        type: 'error',
        error: { type: 'invalid_request_error', message: 'Output blocked by content filtering policy' },
        request_id: null,
      },
      source: 'anthropics/claude-code#6195',
    },
    {
      status: 400,
      body: {
        error: {
          message:
            "litellm.ContentPolicyViolationError: AzureException - The response was filtered due to the prompt triggering Azure OpenAI's content management policy.",
          type: null,
          param: null,
          code: '400',
        },
      },
      source: 'BerriAI/litellm#16231',
    },
  ),
  ...rows(
    'key-rejected',
    {
      status: 401,
      body: { error: { message: 'API key required', type: 'authentication_error', code: 'api_key_required' } },
      source: 'Gitlawb/openclaude#1356',
    },
    {
      status: 401,
      body: { error: { code: 401, message: 'Invalid credentials' } },
      source: 'danny-avila/LibreChat#5059',
    },
    {
      status: 401,
      body: { type: 'error', error: { type: 'authentication_error', message: 'invalid x-api-key' } },
      source: 'emilsvennesson/opencode-websearch#15',
    },
    { status: 401, body: '"Invalid token"', source: 'chatboxai/chatbox#2573' },
  ),
  ...rows('forbidden', {
    status: 403,
    body: {
      error: {
        code: 'unsupported_country_region_territory',
        message: 'Country, region, or territory not supported',
        param: null,
        type: 'request_forbidden',
      },
    },
    source: 'songquanpeng/one-api#1692',
  }),
  ...rows(
    'context-length',
    {
      status: 400,
      body: openAi('Number of tokens (768) exceeded maximum context length (512).'),
      source: 'InsightEdge01/MultipleDocumentllama2Bot#2',
    },
    { status: 400, body: { error: 'Context size has been exceeded' }, source: 'lmstudio-ai/lmstudio-bug-tracker#2339' },
    {
      status: 400,
      body: openAi('Max Context Window should be below (10KB)'),
      source: 'gpt4free/g4f.dev#22',
    },
  ),
  ...rows(['context-length', 'too-large', 'rate-limited'], {
    status: 413,
    body: {
      error: {
        message:
          'Request too large for model `llama-3.3-70b-versatile` in organization `org_01` service tier `on_demand` on tokens per minute (TPM): Limit 6000, Requested 10338, please reduce your message size and try again.',
        type: 'tokens',
        code: 'rate_limit_exceeded',
      },
    },
    source: 'cottongeeks/podscript#20',
  }),
  ...rows(
    'too-large',
    {
      status: 413,
      body: 'Failed to buffer the request body: length limit exceeded',
      source: 'farion1231/cc-switch#666',
    },
    {
      status: 413,
      body: '<html>\n<head><title>413 Request Entity Too Large</title></head>\n<body>\n<center><h1>413 Request Entity Too Large</h1></center>\n<hr><center>nginx/1.26.1</center>\n</body>\n</html>',
      source: 'open-webui/open-webui#3273',
    },
  ),
  ...rows(
    'images-refused',
    {
      status: 400,
      body: { error: { message: 'this model does not support image input (ref: b8bd630e)' } },
      source: 'ollama/ollama#17301',
    },
    {
      status: 500,
      body: {
        error: {
          code: 500,
          message: 'image input is not supported - hint: if this is unexpected, you may need to provide the mmproj',
          type: 'server_error',
        },
      },
      source: 'lemonade-sdk/lemonade#539',
    },
    {
      status: 400,
      body: {
        error: {
          object: 'error',
          type: 'invalid_request_error',
          message: 'Cannot preprocess image len(combined_imgs) = 1, len(image_ranges) = 0, please provide valid images',
        },
      },
      source: 'machine-theory/lm-council#14',
    },
    {
      status: 400,
      body: { error: 'Model does not support images. Please use a model that does.' },
      source: 'lmstudio-ai/lmstudio-bug-tracker#362',
    },
    {
      status: 400,
      body: openAi('Invalid content type. image_url is only supported by certain models.', {
        param: 'messages.[0].content.[1].type',
      }),
      source: 'vllm-project/vllm#11629',
    },
  ),
  ...rows('tools-refused', {
    status: 400,
    body: {
      object: 'error',
      message: '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
      type: 'BadRequestError',
      param: null,
      code: 400,
    },
    source: 'langchain4j/langchain4j#3475',
  }),
  ...rows(
    'history-refused',
    {
      status: 400,
      body: openAi(
        "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
        { param: 'messages.[3].role' },
      ),
      source: 'miurla/morphic#136',
    },
    {
      status: 400,
      body: openAi(
        '<400> InternalError.Algo.InvalidParameter: An assistant message with "tool_calls" must be followed by tool messages responding to each "tool_call_id". The following tool_call_ids did not have response messages: message[855].role',
      ),
      source: 'google-gemini/gemini-cli#5031',
    },
  ),
  ...rows(
    ['parameter-refused', 'bad-request'],
    {
      status: 400,
      body: { error: { message: 'max_tokens: 16000 > 4096, which is the maximum allowed number of output tokens' } },
      source: 'microsoft/vscode#295720',
    },
    {
      status: 400,
      body: openAi('deepseek-reasoner does not support the parameter `temperature`'),
      source: 'deepseek-ai/DeepSeek-R1#7',
    },
    {
      status: 400,
      body: {
        error: { message: 'invalid temperature: only 0.6 is allowed for this model', type: 'invalid_request_error' },
      },
      source: 'MoonshotAI/Kimi-K2#124',
    },
    {
      status: 400,
      body: {
        error: {
          message: '{"message":"system.1.cache_control.ephemeral.scope: Extra inputs are not permitted"}',
          type: 'error',
        },
      },
      source: 'caozhiyuan/copilot-api#143',
    },
    {
      status: 400,
      body: {
        error: {
          message:
            'litellm.BadRequestError: OpenAIException - The model returned the following errors: suffix: Extra inputs are not permitted',
        },
      },
      source: 'arbs-io/github-copilot-llm-gateway#68',
    },
    {
      status: 422,
      body: 'Failed to deserialize the JSON body into the target type: temperature: invalid type: string "1.3", expected f32 at line 13 column 22',
      source: 'NotIvny/Yunzai-DeepSeek-JS#2',
    },
    {
      status: 400,
      body: {
        message: 'When n > 1, temperature must be greater than 0 to ensure diverse outputs. Got n=2, temperature=0',
        type: 'Bad Request',
        code: 400,
      },
      source: 'ai-dynamo/dynamo#3914',
    },
  ),
  ...rows('unknown-model', {
    status: 404,
    body: {
      error: { message: 'The model anthropic:claude-3-7-sonnet does not exist or you do not have access to it' },
    },
    source: 'Shopify/roast#13',
  }),
  ...rows(['timeout', 'server-error', 'capacity-service', 'origin-down'], {
    status: 504,
    body: '<html><head><title>504 Gateway Time-out</title></head><body><center><h1>504 Gateway Time-out</h1></center></body></html>',
    source: 'anthropics/claude-code#6781',
  }),
];
