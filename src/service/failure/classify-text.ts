/**
 * Every pattern works on text that `classify-body.ts` collected (at most 4 KB a field) and uses bounded gaps only, so
 * that none can be made slow.
 */
export interface Words {
  text: string;
  prose: string;
  codes: readonly string[];
}

interface Lexicon {
  patterns: readonly RegExp[];
  codes: readonly string[];
  ofNames?: true;
  ofCodes?: true;
}

export function speaksOf(lexicon: Lexicon, words: Words): boolean {
  const said = lexicon.ofNames === true ? words.text : words.prose;
  const text = lexicon.ofCodes === true ? [said, ...words.codes].join('\n').replace(/_/g, ' ') : said;
  return hasCode(lexicon, words) || lexicon.patterns.some((pattern) => pattern.test(text));
}

export function hasCode({ codes }: Lexicon, words: Words): boolean {
  return words.codes.some((code) => codes.includes(code));
}

/** A limit per time excludes balance, context and capacity, because only waiting helps. */
export const rateLimit: Lexicon = {
  patterns: [
    /rate[- _]?limit/i,
    /(?:requests?|tokens?)[ /]+per[ -]/i,
    /per[- ](?:minute|min\b|second|hour|day)/i,
    /\b[rt]p[mdsh]\b/i,
    /concurren(?:t|cy)[^.\n]{0,30}limit|concurrent requests/i,
    /throttl/i,
    /速率限制|请求(?:过于)?频繁|请求过多|并发(?:数)?(?:超|过)/,
  ],
  codes: [],
};

/** These words are a vague sign of a rate limit, so plain words about capacity win over them. */
export const tooMany: Lexicon = {
  patterns: [/too many requests/i],
  codes: ['rate_limit_exceeded', 'rate_limit_error', 'rate_limit', 'rate_limited', 'too_many_requests'],
};

export const badKey: Lexicon = {
  patterns: [
    /\b(?:incorrect|invalid|wrong|expired|unknown|missing|no) api[ _-]?key\b/i,
    /\b(?:access|auth\w{0,12}|bearer|api)[ _-]token\b.{0,40}\b(?:expired|invalid|revoked|disabled|malformed)\b/i,
    /(?:令牌|密钥|\bkey).{0,8}(?:过期|无效|失效|禁用|不存在)|无效的(?:令牌|密钥)/i,
    /\bapi[ _-]?key\b.{0,40}(?:\b(?:not valid|invalid|incorrect|expired|missing|required)\b|_invalid)/i,
    /\bapi[ _-]?key (?:is|was|has been) \w{3,12}ed\b/i,
  ],
  codes: ['invalid_auth', 'invalid_api_key', 'authentication_error', 'token_expired', 'api_key_expired'],
};

const money =
  'credits?|balance|funds?|wallet|spend(?:ing)?|(?<!(?:reply|tokens?|thinking|output) )budget|quota|prepaid';
const spent =
  'caps?|limits?|exceed\\w{0,3}|reached|empty|gone|depleted|exhausted|used(?: up)?|insufficient|run out|ran out|out of|over|zero|negative|too low|not enough|(?:need|requires?) more|no(?: remaining)?|have any';

/** Something that is paid with, and that none of it is left, in one clause: the words of codes count as well. */
export const balance: Lexicon = {
  ofCodes: true,
  patterns: [
    new RegExp(`\\b(?:${money})\\b[^.;!?\\n]{0,40}?\\b(?:${spent}|not enough)\\b`, 'i'),
    new RegExp(`\\b(?:${spent})\\b[^.;!?\\n]{0,40}?\\b(?:${money})\\b`, 'i'),
    /billing (?:hard )?limit|api usage limits?/i,
    /(?:please |must |to )(?:recharge|top[- ]?up|add (?:funds|credits|money))\b/i,
    /card (?:could|can) ?not be charged/i,
    /余额不足|欠费|账户.{0,4}(?:不足|停用)|额度(?:不足|失败|已?用(?:尽|完))|预扣费|请充值/,
    /\bpre-?consumed? quota\b/i,
    /payment required/i,
    // It sends the user to where one pays.
    /https?:\/\/\S{3,80}\/(?:billing|payments?|credits|top-?up|recharge)\b/i,
    /account.{0,40}(?:in arrears|overdue|suspended.{0,40}(?:billing|payment|balance))/i,
  ],
  codes: ['exceeded_current_quota_error', 'billing_error', 'arrearage', '1113'],
};

/** This is believed with a server error too, because the service says nothing else. */
export const plainBalance = /^(?:insufficient balance|余额不足)[ .!。！]{0,2}(?:\(\d{1,6}\))?$/im;

export const history: Lexicon = {
  ofNames: true,
  patterns: [
    /tool_calls?['"`]? must be followed by/i,
    /tool_call_ids? did not have response/i,
    /role ['"`]?tool['"`]? must be a response/i,
    /tool_call_id.{0,60}(?:not found|no matching|no corresponding|unexpected|is required|missing)/i,
    /(?:no|missing|without) (?:matching |corresponding |preceding )?tool[_ ]calls?/i,
    /unexpected [`'"]?tool_(?:use|call)_id/i,
    /tool[_ ]call[_ ]?id.{0,40}(?:must match|invalid|pattern|too long|at most|maximum length)/i,
    /invalid.{0,20}tool_calls?\[?\d*\]?\.id/i,
    /(?:assistant|message).{0,60}must not be empty/i,
    /(?:missing field|field required).{0,10}[`'"]?content/i,
    /must have (?:either )?(?:non-empty )?content/i,
    /(?:content|messages?)\b.{0,40}(?:cannot|must not|should not|can't) be (?:empty|null|blank)/i,
    /content (?:must|should) (?:contain|have|include) at least one/i,
    /reasoning_content/i,
    /encrypted_content|thought_?signature|\bsignature\b.{0,30}\bthinking\b/i,
    /surrogate/i,
    /invalid (?:unicode|utf-?(?:8|16))/i,
    /arguments.{0,80}(?:valid|invalid|parse|decode|well-formed).{0,20}json/i,
    /(?:invalid|parse|decode|malformed).{0,20}json.{0,80}arguments/i,
    /(?:expecting|unterminated).{0,40}(?:delimiter|string starting|property name)/i,
    /arguments\b.{0,80}\bmust be\b.{0,30}\bjson\b/i,
    /roles? must (?:strictly )?alternate/i,
    /(?:parse|decode|load)\w{0,3}\b.{0,30}(?:tool|function)[ _-]call.{0,10}arguments/i,
    /raise_exception|template ?error|jinja.{0,10}exception|(?:chat )?template.{0,40}(?:render|apply|failed|error)/i,
    /(?:consecutive|same|order of) (?:messages?|roles?)/i,
    /(?:first|last) message (?:must|should) (?:be|have)/i,
    /unexpected role/i,
    /\bno tool (?:outputs?|results?) (?:was |were )?found/i,
  ],
  codes: ['invalid_message_order', 'invalid_messages'],
};

export const images: Lexicon = {
  ofNames: true,
  patterns: [
    /(?:not|n't|no endpoints found that|cannot) (?:currently )?(?:support|accept|(?:pre)?process|handle)(?:ed|ing)?.{0,20}(?:image|vision|multi-?modal)/i,
    /not a (?:multi-?modal|vision)/i,
    /\b(?:vision|multi-?modal|mmproj)\b.{0,30}\bnot (?:loaded|enabled|installed|configured)\b/i,
    /at most 0 image/i,
    /\bimage_url\b/i,
    /(?:image|image_url|vision|multi-?modal)[`'"]?(?: inputs?| content| parts?)?s? (?:is |are )?(?:not (?:supported|allowed|accepted|enabled|available)|unsupported|only supported)/i,
    /allowed values:\s*\[\s*['"]text['"]\s*\]/i,
    /only (?:supports?|accepts?) text/i,
  ],
  codes: ['image_not_supported', 'unsupported_image', 'images_not_supported'],
};

export const tools: Lexicon = {
  ofNames: true,
  patterns: [
    /(?:not|n't|no endpoints found that|cannot) (?:currently )?support(?:ed|ing)?.{0,20}(?:tool|function)(?:s\b|[ _-]?(?:use|call|choice))/i,
    /(?:tools?|functions?|(?:tool|function)[ _-](?:use|call(?:s|ing)?|choice))[`'"]? (?:is |are )?(?:not (?:supported|allowed|enabled|available|implemented)|unsupported|disabled)/i,
    /enable-auto-tool-choice|tool[-_]call[-_]parser/i,
    /(?:tool|function)[ _-](?:use|call(?:s|ing)?)['"`]?,? (?:is |are )?not support/i,
    /\bno (?:\w+ ){0,3}?(?:supports?|with) (?:tools?|functions?)\b/i,
    /cannot use (?:tools|functions)/i,
    /tools? param requires|unsupported param(?:eter)?: ?[`'"]?tool/i,
    /(?:parse|initiali[sz]e).{0,30}grammar/i,
    /tool_choice.{0,60}(?:incompatible|not supported|invalid|unsupported|not allowed)/i,
    /unrecogni[sz]ed request argument.{0,20}\btools?\b/i,
    /\btools(?:\W{1,3}\d{1,4}|\.function)\b/,
    /\bschema for (?:function|tool)\b/i,
  ],
  codes: ['tools_not_supported', 'tool_use_not_supported'],
};

export const context: Lexicon = {
  patterns: [
    /(?:maximum|max|model'?s|available|supported) context/i,
    /context[ _](?:length|window|size|limit)/i,
    /(?:prompt|input|request|conversation)\b.{0,30}(?:is |are )?too (?:long|many tokens)/i,
    /too many (?:input |prompt )?tokens/i,
    /length of (?:all |the |your )?(?:messages?|prompt|input)\b.{0,20}too (?:long|large)/i,
    /range of input length/i,
    /(?:input|prompt)(?: token)? (?:length|count|tokens).{0,40}(?:exceed|greater|longer|larger|must be|should be)/i,
    /inputs?[`'"]? tokens \+ /i,
    /(?:prompt|input|request|conversation|messages?)\b.{0,60}(?:longer|larger|more|greater) than.{0,40}(?:context|tokens?|maximum)/i,
    /\binputs?[`'"]? must (?:have|be|contain) (?:less|fewer|shorter|at most)/i,
    /\b(?:prompt|input|model|sequence|token)s?\b.{0,20}\b(?:max(?:imum)?|model) (?:input |model |sequence )?length\b/i,
    /\b(?:max(?:imum)?|model) (?:input |model |sequence )?length\b.{0,20}\b(?:exceed|reach)/i,
    // What was left for the reply came out below nothing.
    /max_(?:completion_|new_|output_)?tokens['"`]?.{0,60}(?:got|value|=|:|is|was)\W{0,3}-\d/i,
    /\d{3,12} ?\+ ?\d{1,12} ?> ?\d{3,12}/,
    /\btoken limit exceeded\b/i,
    /(?:prompt|输入|提示|内容|文本|消息|请求).{0,6}(?:超长|过长|太长)/i,
    /上下文.{0,10}(?:超|过长)|(?:输入|提示).{0,10}(?:过长|超(?:过|出))|超(?:过|出).{0,10}最大.{0,6}(?:长度|token)/,
    /reduce (?:the length of|your) (?:the )?(?:messages?|prompt|input)/i,
    /(?:maximum|max) (?:allowed )?(?:number of )?(?:input |prompt )?tokens/i,
    /\bn_ctx\b/i,
  ],
  codes: [
    ...['context_length_exceeded', 'context_window_exceeded', 'model_context_window_exceeded'],
    ...['string_above_max_length', 'exceed_context_size_error', 'tokens_limit_reached'],
  ],
};

export const unknownModel: Lexicon = {
  ofNames: true,
  patterns: [
    /model\b.{0,120}(?:does not exist|doesn't exist|not exist|not found|is not (?:a )?valid|not (?:available|supported)|is unknown|has been (?:deprecated|removed|retired)|end of life|no longer (?:available|supported|served|offered))/i,
    /\bmodel (?:identifier|id|name)\b.{0,40}\b(?:invalid|unknown|unrecogni[sz]ed)/i,
    /\bnot found for account\b/i,
    /\bnot found the model\b/i,
    /\bsupported (?:api )?(?:model(?:s| names?| ids?)?)\b.{0,12}\b(?:are|is|include)\b/i,
    /\bmodel (?:name|id|identifier)?\b.{0,20}\bis (?:invalid|incorrect|wrong)\b/i,
    /\b(?:no|not have|without) (?:access|permission)\b.{0,30}\bmodel\b/i,
    /模型.{0,12}(?:不存在|未找到|找不到|不支持|已下线|无权)|(?:无效|未知)(?:的)?模型/,
    /(?:unknown|invalid|no such|unsupported|non-?existent) model\b/i,
    /not a valid model/i,
  ],
  codes: ['model_not_found', 'model_not_exist', 'invalid_model', 'unknown_model', 'model_not_available'],
};

export const contentFilter: Lexicon = {
  ofCodes: true,
  patterns: [
    /content (?:policy|management policy|filter)/i,
    /\b(?:violat\w{1,5}|inappropriate|prohibited|unsafe|flagged)\b[^.\n]{0,30}\b(?:polic(?:y|ies)|guidelines|safety|content)\b/i,
    /content exists risk/i,
    /sensitive (?:words?|content)|敏感/i,
  ],
  codes: ['data_inspection_failed', 'datainspectionfailed', 'sensitive_words_detected', '1301'],
};

export const parameter: Lexicon = {
  ofNames: true,
  patterns: [
    /only .{1,20} is allowed for this model/i,
    /extra (?:inputs?|fields?) (?:are|is|not)/i,
    /unrecogni[sz]ed (?:request )?(?:arguments?|parameters?|fields?|keys?)/i,
    /(?:unknown|unsupported|unexpected|invalid|forbidden) (?:parameters?|arguments?|fields?|values?|keyword)/i,
    /(?:parameters?|arguments?|fields?|options?)\b.{0,60}(?:not (?:supported|allowed|permitted|recogni[sz]ed)|unsupported|unknown|invalid)/i,
    /(?:temperature|top_p|seed|\bstop\b|max_tokens|stream(?:ing|_options)?)['"`]?.{0,40}(?:not (?:supported|allowed|permitted|available|implemented)|unsupported|disabled|must be|should be|deprecated|does not support)/i,
    /invalid ['"`]?(?:temperature|top_p|seed|stop|max_tokens|stream)/i,
    /(?:not|n't) support (?:the )?['"`]?(?:parameter|argument|field|option|temperature|top_p|seed|stop|stream|thinking|reasoning)/i,
    /\b[a-z]+_[a-z_]{2,30}['"`]?: (?:expected|must|should|input should|invalid)\b/i,
  ],
  codes: ['unsupported_parameter', 'unknown_parameter', 'unsupported_value', 'extra_forbidden', 'invalid_parameter'],
};

/** These words name a model too, but waiting for capacity does not help against what they tell. */
export const illness: Lexicon = {
  patterns: [/maintenance/i, /internal (?:server )?error/i, /(?:unable|failed) to load/i],
  codes: [],
};

const requestFields = ['stream_options', 'temperature', 'top_p', 'seed', 'max_tokens', 'tool_choice', 'tools', 'stop'];

export function refusedParameter(text: string, named: readonly string[]): string | undefined {
  const known = [...requestFields, 'stream'];
  const exact = named.find((name) => known.includes(name));
  if (exact !== undefined) return exact;
  const inText = requestFields.find((field) => new RegExp(`(?<![A-Za-z0-9_])${field}(?![A-Za-z0-9_])`).test(text));
  if (inText !== undefined) return inText;
  return /(?<![A-Za-z0-9_])stream(?:ing|ed)?(?![A-Za-z0-9_])/i.test(text) ? 'stream' : undefined;
}

/**
 * With a status of 500 or more, these words distinguish a refusal from a fault that only came about at the same place
 * ("internal error computing context length").
 */
export const refusing =
  /\b(?:must|should|requires?|required|missing|expect\w{0,3}|invalid|unsupported|unknown|only|cannot|can't|does not|doesn't|do not|not (?:a |supported|allowed|permitted|enabled|found)|exceed\w{0,3}|too (?:long|large|many|big)|longer|larger|greater|maximum|at most|reduce|alternate|raise_exception|extra|no endpoints)\b|fail\w{0,3} to (?:parse|decode)|超/i;
