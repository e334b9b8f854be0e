const named =
  /`[^`\n]{1,200}`|(?:^|[\s("'“「『（])(?:[\w.@-]+\/)+[\w.@-]+|(?:^|[\s("'“「『（])[\w-]+\.(?:[cm]?[jt]sx?|py|rs|go|java|kt|rb|php|cs|cpp|cc|hpp|[ch]|swift|scala|css|scss|less|html?|vue|svelte|json|ya?ml|toml|md|sql|sh)\b/u;

const done = [
  'updated fixed added changed edited created implemented removed deleted renamed refactored rewritten rewrote replaced modified',
  'moved wrote written corrected adjusted migrated converted extended introduced extracted patched simplified',
]
  .join(' ')
  .replaceAll(' ', '|');
const adverbs = '(?: (?:now|also|just|successfully|gone ahead and))*';

const english = new RegExp(
  `^(?:(?:done|ok(?:ay)?|great|perfect|all set|all done|sure|alright|fixed)[.!,:—-]+ *)*(?:i(?:'|’)ve|i have|i)${adverbs} (?:${done})\\b`,
  'iu',
);
const englishDone = new RegExp(`^(?:all )?(?:done|fixed|all set)[.!,:—-]+ *(?:${done})\\b`, 'iu');

const englishDoubt =
  /\?|\b(?:(?:as|than) before|before (?:that|this|you)|earlier|previous(?:ly)?|already|last (?:time|turn|message)|above|below|here(?:'|’)s|here is|example|snippet|nothing|plan|propos\w+|suggest\w*|draft\w*|commit\w*|memory|mind|notes?|answer|explanation|understanding)\b/iu;

const chinese =
  /^(?:好的?|完成(?:了)?|搞定(?:了)?)?[，,。！!：:\s]{0,3}(?:我)?(?:已经?|刚刚|已成功)(?:将|把|在|为|对|给)?.{0,120}(?:更新|修改|修复|添加|增加|新增|创建|删除|移除|重命名|重构|替换|实现|改为|改成|写入)/u;
const chineseDoubt =
  /[？?]|如果|建议|之前|先前|上次|曾|您|你|没有|尚未|未|不(?!再)|例如|示例|以下|下面|上面|提交|计划/u;

const japanese =
  /(?:更新|修正|変更|追加|作成|削除|実装|リファクタリング|置換|改名|移動|編集)(?:し(?:まし)?た|いたしました|を行いました|済みです)[。．！!]?$|(?:書き換え|置き換え|直し)(?:まし)?た[。．！!]?$/u;
const japaneseDoubt =
  /[？?]|ください|でしょう|以前|前回|先ほど|既に|すでに|ません|例えば|以下|上記|下記|提案|計画|か[。．]/u;

const germanDone =
  '(?:aktualisiert|behoben|geändert|hinzugefügt|ergänzt|erstellt|angelegt|gelöscht|entfernt|umbenannt|ersetzt|implementiert|umgesetzt|korrigiert|angepasst|überarbeitet|umgestellt|eingefügt|geschrieben|umgeschrieben|refaktoriert|verschoben|repariert|eingebaut)';
const german = new RegExp(
  `^(?:(?:fertig|erledigt|gut|okay|ok)[.!,:–-]+ *)*(?:ich habe|habe ich)\\b.{0,250}\\b${germanDone}\\b`,
  'iu',
);
const germanDoubt =
  /\?|\b(?:bereits|vorhin|zuvor|vorher|früher|nichts?|kein\w*|nie|oben|unten|Beispiel|Vorschlag|vorgeschlagen|Entwurf|Plan|Commit)\b/iu;

const forms = [
  { claims: (sentence: string) => english.test(sentence) || englishDone.test(sentence), doubt: englishDoubt },
  { claims: (sentence: string) => german.test(sentence), doubt: germanDoubt },
  { claims: (sentence: string) => chinese.test(sentence), doubt: chineseDoubt },
  { claims: (sentence: string) => japanese.test(sentence), doubt: japaneseDoubt },
];

const maxSentenceLength = 400;

const offer =
  /^[^.!。！]{0,300}[?？]\s*$|^(?:let me know|if you|feel free|would you|shall i|want me|just say|tell me|如果|如需|需要我|请告诉|必要であれば|ご希望|他に|sag |sagen sie|falls |wenn du|wenn sie|melde dich)/iu;

/**
 * Returns what the last paragraph says was changed, as written; undefined when it claims no change. In doubt it
 * claims none. An answer with code claims none, because "I've added" may mean that code.
 */
export function claimedChange(text: string): string[] | undefined {
  if (/^[ \t]*(?:```|~~~)/m.test(text)) return undefined;
  const paragraph =
    text
      .trim()
      .split(/\n\s*\n/)
      .findLast((each) => !offer.test(each)) ?? '';
  if (/^\s*(?:[>|#]|[-*+] |\d+[.)] |["“„«「『])/.test(paragraph)) return undefined;
  const plain = paragraph.replaceAll('**', '').replaceAll('\n', ' ');
  const sentences = plain.split(/(?<=[.!?…])\s+|(?<=[。！？])/).map((sentence) => sentence.trim());
  for (const [at, sentence] of sentences.entries()) {
    const isBehindDone = at === 1 && /^(?:all )?(?:done|fixed|all set)[.!]$/i.test(sentences[0] ?? '');
    const things = thingsClaimed(isBehindDone ? `Done. ${sentence}` : sentence);
    if (things.length > 0) return things;
  }
  return undefined;
}

function thingsClaimed(sentence: string): string[] {
  if (sentence.length > maxSentenceLength) return [];
  const things = [...sentence.matchAll(new RegExp(named, 'gu'))].map(([thing]) =>
    thing.replace(/^[\s("'“「『（]+|\.$/gu, ''),
  );
  const words = sentence.replace(/`[^`]*`/g, '`x`');
  const isClaim = forms.some(({ claims, doubt }) => claims(words) && !doubt.test(words));
  return isClaim ? things.map((thing) => thing.replaceAll('`', '')) : [];
}
