/**
 * Services say in hundreds of wordings, on every status, that they have no capacity, so the patterns describe the
 * idea: something carries load, and it carries no more. Every gap is bounded and stays within one clause.
 */
const servers =
  'providers?|workers?|instances?|replicas?|deployments?|backends?|upstreams?|executors?|endpoints?|slots?|gpus?|servers?|machines?|nodes?|pods?|hosts?|runners?|channels?|accounts?|candidates?|compute|hardware|resources?|room';

/** These are believed without the name of a model. Underscores and hyphens of codes are read as spaces. */
const plain: readonly RegExp[] = [
  /\bover ?(?:load(?:ed|ing)?|whelmed|subscribed|capacity)\b/i,
  /\bbusy\b/i,
  /\b(?:saturat\w{1,6}|congest\w{1,6})\b/i,
  /\b(?:at|over|out of|no|not|insufficient|reached|exceed\w{0,4}|full|lack\w{0,4}|limited|beyond|max(?:imum)?|short\w{0,5}|enough|without|due to|because of)\b[^.;!?\n]{0,40}?\bcapacity\b/i,
  /\bcapacity\b[^.;!?\n]{0,40}?(?:exceed|reached|constrain|limit|full|exhaust|unavailable|not available|issue|pressure|shortage|problem|error|is out)/i,
  /\bqueue\w{0,2}\b[^.;!?\n]{0,30}?\b(?:full|long|exceed\w{0,3}|limit|overflow\w{0,2}|timed? ?out|too)\b/i,
  /\b(?:full|exceed\w{0,3}|too (?:many|long))\b[^.;!?\n]{0,40}?\b(?:queue[ds]?\b|pending requests)/i,
  /\b(?:high|heavy|peak|excessive|extreme|unusual\w{0,2}|increased|elevated|significant|spik\w{1,3}|surge|too much|massive)\b[^.;!?\n]{0,20}?\b(?:demand|load|traffic|volume)\b/i,
  new RegExp(
    `\\bno (?:\\w+ ){0,2}?(?:healthy|free|available|ready|idle|live|active|running|spare) (?:\\w+ ){0,2}?(?:${servers})\\b`,
    'i',
  ),
  new RegExp(
    `\\b(?:no|not enough|insufficient|out of|zero) (?:\\w+ ){0,2}?(?:${servers})\\b[^.;!?\\n]{0,30}?\\b(?:available|free|healthy|ready|left|online|alive|to (?:serve|handle|run|process))\\b`,
    'i',
  ),
  /\b(?:insufficient|not enough|out of|lack of) (?:\w+ ){0,2}(?:gpus?|compute|slots|resources?)\b/i,
  new RegExp(
    `\\ball (?:\\w+ ){0,3}?(?:${servers}|models?)\\b[^.;!?\\n]{0,30}?\\b(?:busy|in use|full|exhausted|limited|occupied|cool ?down|taken|unavailable)\\b`,
    'i',
  ),
  /\b(?:temporarily|upstream|provider)\b[^.;!?\n]{0,20}?\brate ?limited\b/i,
  /\brate ?limited\b[^.;!?\n]{0,20}?\b(?:upstream|by (?:the |its )?provider)\b/i,
  /\bworker\b[^.;!?\n]{0,40}?\blimit reached\b/i,
  /\bno (?:\w+ ){0,2}?(?:endpoints?|providers?|deployments?|channels?)\b[^.;!?\n]{0,30}?\b(?:found|match\w{0,3}|permitted)\b(?! that\b)/i,
  /^loading model\b|\bis (?:(?:currently |still )?loading|being loaded)\b/im,
  /\b(?:service|server|engine|api)\b[^.;!?\n]{0,20}?\btemporarily unavailable\b.{0,40}?\b(?:try|retry|later|shortly|soon)\b/i,
  /insufficient system resource/i,
  /\bqueue position\b|\bposition in (?:the )?queue\b/i,
  /\bscaling (?:up )?from (?:zero|0)\b|\bscaled (?:down )?to (?:zero|0)\b/i,
  /\b(?:has|have|found|with) no (?:\w+ )?(?:workers?|replicas?|instances?)\b/i,
  /过载|过负荷|负载.{0,4}(?:饱和|过高|已满)|访问量过大|繁忙|无可用渠道|资源不足|算力不足|排队.{0,6}(?:已满|过长)|容量/,
];

const codes = ['1305', '50505', 'no_capacity', 'capacity', 'failover_exhausted'];

const wide: readonly RegExp[] = [
  /\bcapacity\b|\bunavailable\b|\bnot (?:\w+ )?(?:available|ready)\b|\bcan ?not (?:\w+ )?(?:serve|accept|take|handle)\b/i,
  /\bno (?:\w+ )?(?:healthy|free|available|providers?|room)\b/i,
  /\b(?:different|another|other|alternative) model/i,
  /\b(?:warming up|spinning up|scaling up|cold start\w{0,3}|being loaded|is loading|currently loading)\b/i,
  /不可用/,
];

const passing =
  /\b(?:temporar\w{2,4}|currently|right now|at (?:the|this) (?:moment|time)|momentar\w{2,4}|try(?:ing)? again|retry|later|shortly|soon|(?:different|another) model)\b|稍后/i;

/** `plain` is enough by itself, `wide` counts beside the name of a model alone, `passing` says that it will be over. */
export interface CapacityWords {
  plain: boolean;
  wide: boolean;
  passing: boolean;
}

const capacityAsTopic =
  /\bcapacity (?:plan\w{0,5}|reports?|charts?|tables?|tests?|fields?|columns?|factors?|analys\w{2})\b/gi;

export function capacityWords(text: string, errorCodes: readonly string[]): CapacityWords {
  // The dot of `glm-5.3` ends no clause.
  const said = [text, ...errorCodes]
    .join('\n')
    // `EngineBusy` is two words as well.
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/[_-]/g, ' ')
    .replace(capacityAsTopic, 'it')
    .replace(/\.(?=\w)/g, '·');
  return {
    plain: errorCodes.some((code) => codes.includes(code)) || plain.some((pattern) => pattern.test(said)),
    wide: wide.some((pattern) => pattern.test(said)),
    passing: passing.test(said),
  };
}

const topics =
  'rate ?-?limit\\w{0,4}|quota|billing|balance|credits?|capacity|overload\\w{0,3}|context|account|payment|busy';

const denials: readonly RegExp[] = [
  // "No credits were charged", "you will not be billed": at most five words apart, and no other "not" between them.
  /(?<!\b(?:could|can) ?)\b(?:no|zero|nothing|none|never|without|not|\w{2,6}n['’]t)(?: (?!not?\b|never\b|enough\b|sufficient\b|remaining\b)[\w'’-]{1,20}){0,5}? (?:charged?|charging|billed|deduct\w{2,4}|debit\w{2,3}|consum\w{2,3}|spent|withdrawn)\b/gi,
  /\b(?:credits?|balance|funds?|account|quota)\b[^.;!?\n]{0,30}?\b(?:not (?:been |be )?(?:affected|touched|reduced|changed|impacted|charged|used|deducted|counted|exhausted|the (?:cause|problem|reason))|unaffected|unchanged|untouched|refunded|(?:is|are|remains?) (?:fine|ok|sufficient|enough))\b/gi,
  /\b(?:free of charge|at no (?:cost|charge)|no charge)\b/gi,
  // "This is not a problem with your balance", "not due to a rate limit"; "not enough" and "no" complain instead.
  new RegExp(
    `\\b(?:not|\\w{2,6}n['’]t|rather than|instead of|nothing to do with) (?:a|an|the|your|our|due|because|caused|related|about|currently|any)\\b(?: (?!enough\\b|not\\b)\\w{1,10}){0,4}? (?:${topics})(?: (?:issue|problem|error|limit|reason|failure))?\\b`,
    'gi',
  ),
];

/**
 * Removes denials: "no credits were charged" is no empty balance, and "this is not a rate limit" is none. "Not enough
 * credits" and "no capacity" stay, because there the negation is the complaint.
 */
export function withoutDenials(text: string): string {
  return denials.reduce((rest, denial) => rest.replace(denial, ' '), text);
}
