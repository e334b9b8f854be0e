const firstPersonThatGoesOn = [
  /^(?:[^,:;—–]{1,60}(?:[,;] |\s?[—–]\s?|\s-\s)){0,2}(?:(?:and|but|now|next|first|then|so|also|actually),? ){0,2}(?:let me|now i|i (?:will|need to|am going to)|i(?:'|’)ll|i(?:'|’)m (?:\w+ ){0,2}\w+ing)\b/iu,
  /^(?:[^,:;—–]{1,60}[,;—–!.] ?){0,2}(?:lass(?:en Sie)? mich|ich (?:werde|muss)|(?:jetzt|nun|als nächstes|zuerst|zunächst|dann) \p{L}+e ich|ich \p{L}+e (?:jetzt|nun|als nächstes|zuerst|zunächst))\b/iu,
  /^(?:好的?[,，。!！]?\s{0,3})?(?:现在|接下来|首先|然后)?[,，]?\s{0,3}(?:让我|我来|我将|我会|我先|我需要|我要)/u,
];

const waitsOrStays = [
  /\b(?:let me know|if|unless|whenever|once|when|after|later|before you|until|would you|you(?:'|’)?d like|please|tell me|for now|from now|in the future|next time|not|won(?:'|’)t|instead|keep|leave|remember|wait)\b/iu,
  /\b(?:wenn|falls|sobald|sofern|bitte|sonst|möchten|möchtest|soll|nachdem|später|nicht|kein\w*|stattdessen|künftig|bis|Sie|Ihnen|du|dir|dich)\b/u,
  /如果|吗|请|您|你|之后|以后|不|告诉/u,
];
const addresses = /\b(?:let me know|you|your|please)\b/iu;

const maxSentenceLength = 300;

const act =
  /(?:^|[.!] )(?:(?:Now|Next),? )?(?!\w*thing\b)\p{L}+ing (?:it|this|them|the|an?|all|its|these|those|now|on|up|to|`)(?:\b| )([^.!]{0,60}?)(?: now)?\.$/u;
const asserts = /\b(?:is|are|was|were|has|had|have|will|would|should|can|could|may|might|\w+(?:ed|s)(?= \w))\b/;

/**
 * Detects, in any language, a reply right after a tool result that cannot be the end: it stops at a colon, or is one line
 * that names a tool that it could have called, trails off, stands in brackets, or ends with an act that is under way.
 */
export function breaksOff(text: string, tools: readonly string[]): boolean {
  const reply = text.trim();
  if (/[:：][*_`]{0,3}$/.test(reply)) return true;
  if (reply.length > maxSentenceLength || /[\n?？]/.test(reply)) return false;
  if (/(?:…|\.{3})[*_]{0,3}$/.test(reply) || /^[([][^()[\]]{0,40}[)\]]$/.test(reply)) return true;
  const [, rest] = act.exec(reply) ?? [];
  return (
    (rest !== undefined && !asserts.test(rest)) || tools.some((name) => name.includes('_') && reply.includes(name))
  );
}

/**
 * Detects a reply that ends by announcing a step, such as "Let me read the file now:", with whatever verb. In doubt the
 * answer is no: a wrong yes costs a request and annoys, a wrong no costs the user one word.
 */
export function announcesStep(text: string): boolean {
  const end = text.trimEnd().slice(-2 * maxSentenceLength);
  const paragraph = (end.split('\n').at(-1) ?? '').replaceAll(/[*_>#]/g, '').trim();
  if (/[?？]/.test(paragraph)) return false;
  const sentences = paragraph.split(/(?<=[.!…])\s+|(?<=。)/);
  if (/[:：]$/.test(paragraph)) return sentences.slice(-2).some(isAnnouncement) && !addresses.test(paragraph);
  const last = sentences.at(-1) ?? '';
  // What a colon within introduces is said by the sentence itself.
  if (!/[.…。]$/.test(last) || /[:：]\s/.test(last)) return false;
  return isAnnouncement(last) && !waitsOrStays.some((words) => words.test(last.replace(/lassen Sie mich/i, '')));
}

function isAnnouncement(sentence: string): boolean {
  return sentence.length <= maxSentenceLength && firstPersonThatGoesOn.some((form) => form.test(sentence));
}
