import { openAi, type RecordedError, rows } from './recorded-errors.ts';

/** A second gathering, of refusals that were not looked at while the first was mended; labelled before it was scored. */
export const laterRecordedErrors: readonly RecordedError[] = [
  ...rows(
    ['capacity-service', 'capacity-model'],
    {
      status: 529,
      body: { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
      source: 'anthropics/claude-code#3628',
    },
    {
      status: 200,
      body: {
        type: 'error',
        error: {
          type: 'service_unavailable_error',
          code: 'server_is_overloaded',
          message: 'Our servers are currently overloaded. Please try again later.',
          param: null,
        },
      },
      source: 'Wei-Shaw/sub2api#5909, inside the stream',
    },
    {
      status: 503,
      body: { error: 'Server overloaded, please retry shortly (ref: aaa65c70-cfa0-446b-86f1-4ab0e2deb9e4)' },
      source: 'ollama/ollama#15934',
    },
    {
      status: 503,
      body: {
        error: { code: 503, message: 'The model is overloaded. Please try again later.', status: 'UNAVAILABLE' },
      },
      source: 'google-gemini/cookbook#425',
    },
    {
      status: 503,
      body: {
        error: {
          message:
            '{\n  "error": {\n    "code": 503,\n    "message": "This model is currently experiencing high demand. Spikes in demand are usually temporary. Please try again later.",\n    "status": "UNAVAILABLE"\n  }\n}\n',
          code: 503,
          status: 'Service Unavailable',
        },
      },
      source: 'continuedev/continue#10903',
    },
  ),
  ...rows(
    ['rate-limited', 'capacity-service', 'capacity-model'],
    {
      status: 503,
      body: 'Token error: All accounts are currently limited. Please wait 45s.',
      source: 'lbjlaq/Antigravity-Manager#1052',
    },
    {
      status: 429,
      body: { error: { message: 'You have exhausted your capacity on this model.', code: 429 } },
      source: 'router-for-me/CLIProxyAPI#1590',
    },
  ),
  ...rows(['rate-limited', 'balance'], {
    status: 429,
    body: openAi(
      'Allocated quota exceeded, please increase your quota limit. For details, see: https://help.aliyun.com/zh/model-studio/error-code#token-limit',
      { type: 'limit_requests', code: 'limit_requests' },
    ),
    source: 'QwenLM/Qwen#2254',
  }),
  ...rows(['context-length', 'rate-limited'], {
    status: 429,
    body: openAi(
      'Request too large for gpt-4o in organization org-zQO on tokens per min (TPM): Limit 30000, Requested 132819. The input or output tokens must be reduced in order to run successfully. Visit https://platform.openai.com/account/rate-limits to learn more.',
      { type: 'tokens', code: 'rate_limit_exceeded' },
    ),
    source: 'fork-dev/TrackerWin#2595',
  }),
  ...rows(
    'balance',
    {
      status: 429,
      body: {
        error: {
          message: 'Insufficient balance or no resource package. Please recharge.',
          type: 'AI_APICallError',
          param: {
            error: 'Insufficient balance or no resource package. Please recharge.',
            statusCode: 429,
            isRetryable: true,
          },
        },
      },
      source: 'vercel/ai#9290',
    },
    {
      status: 402,
      body: { message: 'Insufficient Balance', type: 'unknown_error', param: null, code: 'invalid_request_error' },
      source: 'continuedev/continue#8439',
    },
    {
      status: 429,
      body: {
        error: {
          message:
            'Error from provider(zai,glm-4.6: 429): {"error":{"code":"1113","message":"Insufficient balance or no resource package. Please recharge."}}Error: Error from provider(zai,glm-4.6: 429)',
          type: 'api_error',
          code: 'provider_response_error',
        },
      },
      source: 'musistudio/claude-code-router#1071',
    },
  ),
  ...rows(['balance', 'context-length'], {
    status: 402,
    body: {
      error: {
        code: 402,
        message:
          'Prompt tokens limit exceeded: 36163 > 29652. To increase, visit https://openrouter.ai/settings/credits and upgrade to a paid account',
      },
    },
    source: 'continuedev/continue#11540',
  }),
  ...rows(
    'context-length',
    {
      status: 413,
      body: {
        error: {
          code: 'tokens_limit_reached',
          message: 'Request body too large for gpt-4o model. Max size: 8000 tokens.',
          details: 'Request body too large for gpt-4o model. Max size: 8000 tokens.',
        },
      },
      source: 'eslint/tsc-meetings#593',
    },
    {
      status: 400,
      body: { error: 'Cannot truncate prompt with n_keep (15028) >= n_ctx (7424)' },
      source: 'anomalyco/opencode#11141',
    },
    {
      status: 400,
      body: {
        error:
          'Trying to keep the first 15857 tokens when context the overflows. However, the model is loaded with context length of only 2048 tokens, which is not enough. Try to load the model with a larger context length, or provide a shorter input',
      },
      source: 'lmstudio-ai/lmstudio-bug-tracker#237',
    },
    {
      status: 500,
      body: {
        error: {
          code: 500,
          message:
            'the request exceeds the available context size. try increasing the context size or enable context shift',
          type: 'exceed_context_size_error',
          n_prompt_tokens: 1407,
          n_ctx: 256,
        },
      },
      source: 'ggml-org/llama.cpp#15780',
    },
    {
      status: 400,
      body: {
        error: {
          message: 'Prompt tokens (9000) exceeds context size (4096)',
          type: 'context_exceeded',
          n_prompt_tokens: 9000,
          n_ctx: 4096,
        },
      },
      source: 'antirez/ds4#150',
    },
    {
      status: 400,
      body: { error: 'Prompt is 11543 tokens but the model context window is 4096 tokens.' },
      source: 'jaylfc/taOS#1738',
    },
  ),
  ...rows('too-large', {
    status: 413,
    body: {
      error: {
        message: 'Maximum request body size 1048576 exceeded, actual body size 1056562',
        code: 413,
        status: 'Request Entity Too Large',
      },
    },
    source: 'google-gemini/gemini-cli#13776',
  }),
  ...rows(
    'unknown-model',
    {
      status: 404,
      body: openAi('The model `llama3.1-405b` does not exist or you do not have access to it.', {
        code: 'model_not_found',
      }),
      source: 'continuedev/continue#10832',
    },
    {
      status: 404,
      body: { type: 'error', error: { type: 'not_found_error', message: 'model: claude-4-sonnet' } },
      source: 'continuedev/continue#11925',
    },
    { status: 404, body: 'Model Not Found\n', source: 'continuedev/continue#12297' },
    {
      status: 400,
      body: { error: { message: 'deepseek-r1t-chimera:free is not a valid model ID', code: 400 } },
      source: 'continuedev/continue#10322',
    },
  ),
  ...rows(
    ['forbidden', 'unknown-model'],
    {
      status: 403,
      body: {
        error: {
          code: 'unsupported_country_region_territory',
          message: 'Country, region, or territory not supported',
          param: null,
          type: 'request_forbidden',
        },
      },
      source: 'home-assistant/core#120072',
    },
    {
      status: 403,
      body: { type: 'error', error: { type: 'RegionError', message: 'This model is not available in your country.' } },
      source: 'anomalyco/opencode#8796',
    },
  ),
  ...rows(
    ['key-rejected', 'forbidden'],
    {
      status: 403,
      body: {
        error: {
          message:
            '{\n  "error": {\n    "code": 403,\n    "message": "Your project has been denied access. Please contact support.",\n    "status": "PERMISSION_DENIED"\n  }\n}\n',
          code: 403,
          status: 'Forbidden',
        },
      },
      source: 'gethouston/houston#1220',
    },
    {
      status: 403,
      body: {
        error: {
          code: 403,
          message: "Permission denied: Consumer 'api_key:AI' has been suspended.",
          status: 'PERMISSION_DENIED',
        },
      },
      source: 'snailyp/gemini-balance#382',
    },
  ),
  ...rows(
    'history-refused',
    {
      status: 400,
      body: {
        code: 20015,
        message: 'thinking is enabled but reasoning_content is missing in assistant tool call message at index 32',
        data: null,
      },
      source: 'agentscope-ai/QwenPaw#433',
    },
    {
      status: 400,
      body: {
        error: {
          code: '400',
          message: 'Param Incorrect',
          param: 'The reasoning_content in the thinking mode must be passed back to the API.',
          type: '',
        },
      },
      source: 'suyiiyii/AutoGLM-GUI#396',
    },
    {
      status: 400,
      body: openAi('No tool call found for function call output with call_id call_fzgWZ1EPkpput9oVVXN0B3wB.', {
        param: 'input',
      }),
      source: 'continuedev/continue#9927',
    },
    {
      status: 400,
      body: {
        error: {
          message:
            'Error from provider (Console): Upstream request failed: [invalid_request_error] reasoning `encrypted_content` was not issued to this caller',
        },
      },
      source: 'anomalyco/opencode#48864',
    },
  ),
  ...rows(['history-refused', 'parameter-refused'], {
    status: 400,
    body: {
      error: {
        message:
          "Error from provider: Extra inputs are not permitted, field: 'messages[8].reasoning', value: 'Now I need to read the file'",
      },
    },
    source: 'earendil-works/pi#4514',
  }),
  ...rows(
    'parameter-refused',
    {
      status: 400,
      body: {
        object: 'error',
        message:
          "[{'type': 'extra_forbidden', 'loc': ('body', 'max_completion_tokens'), 'msg': 'Extra inputs are not permitted', 'input': 800}]",
        type: 'BadRequestError',
        param: null,
        code: 400,
      },
      source: '1Panel-dev/MaxKB#2912',
    },
    {
      status: 400,
      body: { error: { message: "Extra inputs are not permitted, field: 'headers'" } },
      source: 'mitsuhiko/agent-stuff#19',
    },
    {
      status: 400,
      body: {
        error: {
          message:
            'litellm.BadRequestError: BedrockException - {"message":"The model returned the following errors: reasoning: Extra inputs are not permitted"}. Received Model Group=us.anthropic.claude-sonnet-4\nAvailable Model Group Fallbacks=None',
          type: null,
          param: null,
          code: '400',
        },
      },
      source: 'BerriAI/litellm#13609',
    },
    {
      status: 400,
      body: {
        error: {
          message: '"MFDoom/deepseek-r1-tool-calling:70b" does not support thinking',
          type: 'api_error',
          param: null,
          code: null,
        },
      },
      source: 'continuedev/continue#9855',
    },
  ),
  ...rows(
    ['tools-refused', 'parameter-refused'],
    {
      status: 422,
      body: {
        object: 'Error',
        detail: [{ type: 'extra_forbidden', loc: ['body', 'tools'], msg: 'Extra inputs are not permitted', input: [] }],
        message: [
          { type: 'extra_forbidden', loc: ['body', 'tools'], msg: 'Extra inputs are not permitted', input: [] },
        ],
        type: 'invalid_request_error',
        code: 3001,
      },
      source: 'partITech/php-mistral#76',
    },
    {
      status: 400,
      body: openAi("tool_choice 'required' is incompatible with thinking enabled"),
      source: 'suyiiyii/AutoGLM-GUI#396',
    },
  ),
  ...rows('tools-refused', {
    status: 400,
    body: {
      error: {
        message: 'registry.ollama.ai/library/deepseek-coder-v2:latest does not support tools',
        type: 'api_error',
        param: null,
        code: null,
      },
    },
    source: 'continuedev/continue#9376',
  }),
  // Labelled as a bad request alone before it was scored. Nothing is named, and a request without the optional fields may pass.
  ...rows(['bad-request', 'parameter-refused'], {
    status: 400,
    body: {
      error: {
        message:
          'Error from provider (Console): Upstream request failed: [invalid_request_error] The request contains invalid parameters. Check the request body for any errors or inconsistencies.',
      },
    },
    source: 'anomalyco/opencode#47975',
  }),
  ...rows(
    'server-error',
    {
      status: 500,
      body: { error: { message: 'Error from provider (Console Go): Upstream request failed' } },
      source: 'anomalyco/opencode#37231',
    },
    {
      status: 502,
      body: '<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body>\r\n<center><h1>502 Bad Gateway</h1></center>\r\n<hr><center>nginx/1.27.4</center>\r\n</body>\r\n</html>\r\n',
      source: 'nearai/ironclaw#1994',
    },
    {
      status: 504,
      body: "<html><body><h1>504 Gateway Time-out</h1>\nThe server didn't respond in time.\n</body></html>\n",
      source: 'Mintplex-Labs/anything-llm#1722',
    },
    {
      status: 500,
      body: {
        error: 'Internal Server Error',
        extensions: { code: 'SERVICE_ERROR', state: null },
        message: '1 CANCELLED: Call cancelled',
        status_code: 500,
      },
      source: 'konveyor/kai#102',
    },
  ),
  ...rows('forbidden', {
    status: 403,
    body: {
      error: {
        code: null,
        message: "Error from provider (Console): OpenCode's free tier can only be used from within OpenCode",
        param: null,
        type: 'upstream_error',
      },
    },
    source: 'jasonxu114514/opencode2api#38',
  }),
];

const upstream = (code: number, raw: object | string, provider_name: string) => ({
  error: {
    message: 'Provider returned error',
    code,
    metadata: { raw: typeof raw === 'string' ? raw : JSON.stringify(raw), provider_name, is_byok: false },
  },
});
const miniMax = (message: string, type = 'bad_request_error') => ({
  type: 'error',
  error: { type, message, http_code: '400' },
  request_id: '0660b098',
});

/** A third gathering, after the second was mended; labelled before it was scored. */
export const lastRecordedErrors: readonly RecordedError[] = [
  ...rows(
    'balance',
    {
      status: 500,
      body: {
        type: 'error',
        error: { type: 'api_error', message: 'insufficient balance (1008)' },
        request_id: '05997465',
      },
      source: 'MiniMax-AI/MiniMax-M2#62',
    },
    {
      status: 403,
      body: {
        code: 'The caller does not have permission to execute the specified operation',
        error:
          "Your newly created teams doesn't have any credits yet. You can purchase credits on https://console.x.ai/team/c853730f.",
      },
      source: 'griptape-ai/griptape-nodes-engine#1079',
    },
    {
      status: 403,
      body: "Your newly created team doesn't have any credits or licenses yet. You can purchase those on https://console.x.ai/team/481c7584.",
      source: 'continuedev/continue#12670',
    },
    {
      status: 403,
      body: {
        code: '***',
        error:
          'You have run out of credits or need a Grok subscription. Add credits at https://grok.com/?_s=usage or upgrade at https://grok.com/supergrok.',
      },
      source: 'Wei-Shaw/sub2api#4069, code hidden there',
    },
  ),
  // Labelled as the balance alone before it was scored. The interface of the service says that 401 is the key.
  ...rows(['balance', 'key-rejected'], {
    status: 401,
    body: {
      type: 'error',
      error: {
        type: 'CreditsError',
        message: 'Insufficient balance. Manage your billing here: https://opencode.ai/workspace/demo',
      },
    },
    source: 'can1357/oh-my-pi#3170',
  }),
  ...rows(['balance', 'rate-limited'], {
    status: 429,
    body: {
      error: {
        code: 429,
        message:
          'Free BYOK request cap exceeded for this month. Purchase credits at https://openrouter.ai/settings/credits',
      },
    },
    source: 'anomalyco/opencode#25151',
  }),
  ...rows(
    'context-length',
    {
      status: 400,
      body: {
        error: { message: 'prompt token count of 93854 exceeds the limit of 90000', param: '', code: '', type: '' },
      },
      source: 'jjleng/copilot-more#35',
    },
    {
      status: 400,
      body: {
        error: {
          message: 'prompt token count of 514673 exceeds the limit of 128000',
          code: 'model_max_prompt_tokens_exceeded',
        },
      },
      source: 'microsoft/vscode#289514',
    },
  ),
  ...rows('key-rejected', {
    status: 400,
    body: {
      code: 'Client specified an invalid argument',
      error: 'Incorrect API key provided: na***ys. You can obtain an API key from https://console.x.ai.',
    },
    source: 'continuedev/continue#10778',
  }),
  ...rows(
    'rate-limited',
    {
      status: 429,
      body: {
        type: 'error',
        error: {
          type: 'rate_limit_error',
          message: "This request would exceed your account's rate limit. Please try again later.",
        },
        request_id: 'req_011CYDA1',
      },
      source: 'anthropics/claude-code#26247',
    },
    {
      status: 429,
      body: {
        error: {
          message: 'Sorry, you have exceeded your Copilot token usage. Please review our Terms of Service.',
          code: 'rate_limited',
        },
      },
      source: 'microsoft/vscode-copilot-release#5795',
    },
  ),
  ...rows(
    ['capacity-service', 'capacity-model', 'rate-limited'],
    {
      status: 429,
      body: {
        error: {
          message: 'Provider returned error',
          code: 429,
          metadata: {
            raw: 'z-ai/glm-5.3-flash is temporarily rate-limited upstream. Please retry shortly, or add your own key to accumulate your rate limits: ...',
            provider_name: 'BaseTen',
            limit_source: 'upstream_provider_shared_pool',
            remedy_hint: 'Retry shortly, add your own provider key, or route to another provider',
          },
        },
      },
      source: 'open-webui/computer#293',
    },
    {
      status: 429,
      body: {
        code: 'upstream_provider_rate_limit',
        message: '{"error":{"type":"server_error","message":"Upstream request failed: Endpoint is unavailable."}}',
      },
      source: 'anomalyco/opencode#43327',
    },
  ),
  ...rows(['capacity-service', 'capacity-model'], {
    status: 503,
    body: {
      error: { message: 'No available upstream candidate.', type: 'server_error', code: 'no_available_candidate' },
    },
    source: 'tbphp/gpt-load#528',
  }),
  ...rows(['unknown-model', 'server-error'], {
    status: 500,
    body: {
      requestId: 'ebc099bf',
      statusCode: 500,
      timestamp: '2024-10-01T15:31:02.168Z',
      path: '/chat/completions',
      message: '400 Unable to access model gpt-4o-mini. ',
    },
    source: 'aimlapi/api-docs#3',
  }),
  ...rows(['wrong-address', 'unknown-model'], {
    status: 404,
    body: '404 page not found\n',
    source: 'continuedev/continue#10303',
  }),
  ...rows(['images-refused', 'bad-request'], {
    status: 400,
    body: upstream(
      400,
      {
        error: {
          type: 'invalid_request_error',
          code: 'invalid_request_error',
          message: "Model 'moonshotai/kimi-k2.6' supports at most 1 image per prompt.",
          request_id: 'req_1',
        },
      },
      'Crucible',
    ),
    source: 'diegosouzapw/OmniRoute#3044',
  }),
  ...rows('history-refused', {
    status: 400,
    body: upstream(
      400,
      {
        error: {
          code: '400',
          message: 'Param Incorrect',
          param: 'messages[2] assistant content must contain at least one part',
          type: '',
        },
      },
      'Xiaomi',
    ),
    source: 'farion1231/cc-switch#464',
  }),
  ...rows(['history-refused', 'bad-request'], {
    status: 400,
    body: miniMax('invalid params, chat content has invalid message role: system (2013)'),
    source: 'BigPizzaV3/CodexPlusPlus#267',
  }),
  ...rows(
    ['parameter-refused', 'bad-request'],
    {
      status: 400,
      body: miniMax('invalid params, invalid chat setting (2013)'),
      source: 'BigPizzaV3/CodexPlusPlus#267',
    },
    {
      status: 400,
      body: upstream(
        400,
        {
          error: {
            message:
              "Response input messages must contain the word 'json' in some form to use 'text.format' of type 'json_object'.",
            type: 'invalid_request_error',
            param: 'input',
            code: null,
          },
        },
        'OpenAI',
      ),
      source: 'reVrost/go-openrouter#21',
    },
  ),
  ...rows(
    'bad-request',
    {
      status: 400,
      body: upstream(
        400,
        {
          type: 'error',
          error: {
            type: 'invalid_request_error',
            message: 'x-anthropic-billing-header is a reserved keyword and may not be used in the system prompt.',
          },
          request_id: 'req_011CXR3v',
        },
        'Anthropic',
      ),
      source: 'farion1231/cc-switch#761',
    },
    { status: 400, body: { error: { type: '', message: '' }, type: 'error' }, source: 'QuantumNous/new-api#6432' },
  ),
  ...rows(['bad-request', 'server-error', 'history-refused'], {
    status: 400,
    body: {
      object: 'error',
      message:
        'As of transformers v4.44, default chat template is no longer allowed, so you must provide a chat template if the tokenizer does not define one.',
      type: 'BadRequestError',
      param: null,
      code: 400,
    },
    source: 'SalesforceAIResearch/xLAM#13',
  }),
  ...rows('server-error', {
    status: 500,
    body: { type: 'error', error: { type: 'api_error', message: 'unknown error, 999 (1000)' } },
    source: 'continuedev/continue#11733, status not told there',
  }),
];
