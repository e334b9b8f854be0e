/**
 * Decodes what a program prints, piece by piece, never in the middle of a character. Programs of Windows that ignore
 * the code page they are given write in that of the system: from the first bytes on that are not UTF-8, the stream is
 * read as `fallback`, the name of an encoding.
 */
export function createOutputDecoder(fallback: string): (bytes: Uint8Array) => string {
  const legacy = new TextDecoder(fallback);
  let isUtf8 = true;
  let held: Uint8Array = new Uint8Array();
  return (bytes) => {
    const all = Buffer.concat([held, bytes]);
    held = new Uint8Array();
    if (isUtf8) {
      const end = endOfWholeCharacters(all);
      try {
        const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(all.subarray(0, end));
        held = all.subarray(end);
        return text;
      } catch {
        isUtf8 = false;
      }
    }
    return legacy.decode(all, { stream: true });
  };
}

function endOfWholeCharacters(bytes: Uint8Array): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    const isContinuation = (byte & 0b1100_0000) === 0b1000_0000;
    if (isContinuation) continue;
    const length = byte >= 0b1111_0000 ? 4 : byte >= 0b1110_0000 ? 3 : byte >= 0b1100_0000 ? 2 : 1;
    return length > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

/** Returns the default encoding of Windows programs for the language of the system (a BCP 47 tag). */
export function systemEncoding(locale: string): string {
  const { language, script, region } = new Intl.Locale(locale).maximize();
  const byLanguage: Readonly<Record<string, string>> = {
    ja: 'shift_jis',
    ko: 'euc-kr',
    zh: script === 'Hant' || region === 'TW' || region === 'HK' ? 'big5' : 'gbk',
    th: 'windows-874',
    el: 'windows-1253',
    ...{ tr: 'windows-1254', az: 'windows-1254', he: 'windows-1255', vi: 'windows-1258' },
    ...{ ar: 'windows-1256', fa: 'windows-1256', ur: 'windows-1256' },
    ...{ et: 'windows-1257', lv: 'windows-1257', lt: 'windows-1257' },
  };
  const byScript: Readonly<Record<string, string>> = { Cyrl: 'windows-1251' };
  const central = new Set(['pl', 'cs', 'sk', 'hu', 'sl', 'hr', 'ro', 'sq', 'bs']);
  return byLanguage[language] ?? byScript[script ?? ''] ?? (central.has(language) ? 'windows-1250' : 'windows-1252');
}
