/** Behind these a person says what they do next; the verbs are those of the tools. Checked on one sentence, the last of a reply. */
const starts =
  /^(?:(?:(?:ok(?:ay)?|great|perfect|good|right|sure|now|next|first|then|so|alright|yes)[,.!:—-]* ){0,3})(?:let me|i(?:'|’)ll|i will|i(?:'|’)m going to|i am going to|i need to|now i)(?: (?:now|first|next|also|then|just|quickly|go ahead and|start by|begin by|continue by|proceed to|need to|try to))*(?: (\p{L}+))?/iu;

const acts = new Set(
  [
    'read look check examine open search find inspect run rerun fix update edit create write add implement start view explore verify',
    'list review apply modify change rename remove delete replace reading looking checking examining searching running fixing updating',
    'editing creating writing adding implementing starting viewing exploring verifying listing reviewing applying analyze analyse',
    'investigate grep scan locate trace debug rewrite refactor install execute test proceed continue correct adjust make see get',
    'revert try refine clean consolidate lock extract move simplify convert use do',
  ].flatMap((line) => line.split(' ')),
);

/** Then it is an offer, a condition or a promise for later, which waits for the user. */
const waits =
  /\?|\b(?:let me know|if|unless|whenever|once|when|after|later|before you|until|would you|you(?:'|’)?d like|please|tell me|for now|from now|in the future|next time|not|won(?:'|’)t|instead)\b/iu;

/** Chinese and Japanese have no blanks between words: a colon must end what begins this way. */
const startsElsewhere =
  /^(?:好的?[,，。!！]?\s*)?(?:现在|接下来|首先)?(?:让我|我来|我将|我会|我先)[^。？?]{1,60}[:：]$/u;

const longestSentence = 300;

/** Instead of `waits` where a colon ends the reply: the announced step is clearly missing, so fewer words speak against it. */
const addresses = /\?|\b(?:let me know|you|your|please)\b/iu;

/**
 * A reply that ends by saying what comes next, as "Let me read the file now:". Rather no than a wrong yes: a
 * wrong yes costs a request and annoys, a wrong no costs a word of the user.
 */
export function announcesStep(text: string): boolean {
  const end = text.trimEnd().slice(-2 * longestSentence);
  const paragraph = (end.split('\n').at(-1) ?? '').replaceAll(/[*_>#]/g, '').trim();
  if (startsElsewhere.test(paragraph)) return true;
  const sentences = paragraph.split(/(?<=[.!?…])\s+/);
  if (paragraph.endsWith(':')) return !addresses.test(paragraph) && sentences.slice(-2).some(isAnnouncement);
  return /[.…]$/.test(paragraph) && !waits.test(paragraph) && isAnnouncement(sentences.at(-1) ?? '');
}

function isAnnouncement(sentence: string): boolean {
  if (sentence.length > longestSentence) return false;
  const [, verb = ''] = starts.exec(sentence.replace(/take a (?:closer |quick )?look/i, 'look')) ?? [];
  return acts.has(verb.toLowerCase());
}
