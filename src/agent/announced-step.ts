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

const waits =
  /\?|\b(?:let me know|if|unless|whenever|once|when|after|later|before you|until|would you|you(?:'|’)?d like|please|tell me|for now|from now|in the future|next time|not|won(?:'|’)t|instead)\b/iu;

const startsInChinese =
  /^(?:好的?[,，。!！]?\s{0,3})?(?:现在|接下来|首先|然后)?[,，]?\s{0,3}(?:让我|我来|我将|我会|我先|我需要|我要)[^？?]{1,60}[:：。…]$/u;
const actsInChinese =
  /[:：]$|查看|看一下|读取|阅读|检查|运行|执行|修改|更新|添加|创建|删除|搜索|查找|分析|修复|实现|测试|打开|编写|重构/u;
const waitsInChinese = /如果|吗|请|您|你|之后|以后|不|告诉/u;

const startsInGerman = new RegExp(
  [
    '(?:lass(?:en Sie)? mich|ich (?:werde|muss)) .{0,200}\\b(?:lesen|an(?:sehen|schauen|passen)|nachsehen|(?:über)?prüfen|öffnen|suchen|ausführen|starten|beheben|korrigieren|ändern|bearbeiten|erstellen|schreiben|hinzufügen|ergänzen|umsetzen|implementieren|entfernen|löschen|umbenennen|testen|analysieren|untersuchen|aktualisieren|ersetzen|beginnen|fortfahren)',
    '(?:jetzt|nun|als nächstes|zuerst|zunächst|dann) germanVerb ich\\b.{0,200}',
    'ich germanVerb (?:jetzt|nun|als nächstes|zuerst|zunächst)\\b.{0,200}',
  ]
    .map((form) => `^(?:(?:ok(?:ay)?|gut|super|perfekt|alles klar|jetzt|nun)[,.!:]* ){0,2}${form}[.:…]$`)
    .join('|')
    .replaceAll(
      'germanVerb',
      '(?:lese|prüfe|überprüfe|öffne|suche|starte|führe|behebe|korrigiere|ändere|passe|bearbeite|erstelle|schreibe|füge|ergänze|setze|implementiere|entferne|lösche|benenne|teste|analysiere|untersuche|schaue|sehe|aktualisiere|ersetze|beginne)',
    ),
  'iu',
);
const waitsInGerman =
  /\?|\b(?:wenn|falls|sobald|sofern|bitte|sonst|möchten|möchtest|soll|nachdem|später|nicht|kein\w*|stattdessen|künftig|bis|Sie|Ihnen|du|dir|dich)\b/u;

const maxSentenceLength = 300;

const addresses = /\?|\b(?:let me know|you|your|please)\b/iu;

/**
 * Detects, in any language, a reply right after a tool result that cannot be the end: it stops at a colon, or is one line
 * and names a tool that it could have called.
 */
export function breaksOff(text: string, tools: readonly string[]): boolean {
  const reply = text.trim();
  if (/[:：][*_`]{0,3}$/.test(reply)) return true;
  const isShort = reply.length <= maxSentenceLength && !/[\n?？]/.test(reply);
  return isShort && tools.some((name) => name.includes('_') && reply.includes(name));
}

/**
 * Detects a reply that ends by announcing a step, such as "Let me read the file now:". In doubt the answer is no: a
 * wrong yes costs a request and annoys, a wrong no costs the user one word.
 */
export function announcesStep(text: string): boolean {
  const end = text.trimEnd().slice(-2 * maxSentenceLength);
  const paragraph = (end.split('\n').at(-1) ?? '').replaceAll(/[*_>#]/g, '').trim();
  const sentences = paragraph.split(/(?<=[.!?…])\s+|(?<=。)/);
  const [lastSentence = ''] = sentences.slice(-1);
  if (lastSentence.length > maxSentenceLength) return false;
  if (startsInChinese.test(lastSentence)) return actsInChinese.test(lastSentence) && !waitsInChinese.test(lastSentence);
  if (startsInGerman.test(lastSentence)) return !waitsInGerman.test(lastSentence.replace(/^lassen Sie /i, ''));
  if (paragraph.endsWith(':')) return !addresses.test(paragraph) && sentences.slice(-2).some(isAnnouncement);
  return /[.…]$/.test(paragraph) && !waits.test(paragraph) && isAnnouncement(lastSentence);
}

function isAnnouncement(sentence: string): boolean {
  if (sentence.length > maxSentenceLength) return false;
  const [, verb = ''] = starts.exec(sentence.replace(/take a (?:closer |quick )?look/i, 'look')) ?? [];
  return acts.has(verb.toLowerCase());
}
