import { unicodeEncoding } from '../decode-text.ts';

const labels: Readonly<Record<string, string>> = {
  utf16le: 'utf-16le',
  utf16be: 'utf-16be',
  macroman: 'macintosh',
  cp866: 'ibm866',
  koi8r: 'koi8-r',
  koi8u: 'koi8-u',
  gbk: 'gbk',
  gb2312: 'gbk',
  gb18030: 'gb18030',
  cp950: 'big5',
  shiftjis: 'shift_jis',
  eucjp: 'euc-jp',
  euckr: 'euc-kr',
};

const isoParts = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10', '11', '13', '14', '15', '16'];

export function ripgrepEncoding(encoding: string): string | undefined {
  if (unicodeEncoding(encoding) === 'utf8') return 'auto';
  const windows = /^windows(\d+)$/.exec(encoding)?.[1];
  if (windows !== undefined) return `windows-${windows}`;
  const iso = /^iso8859(\d+)$/.exec(encoding)?.[1];
  if (iso !== undefined) return isoParts.includes(iso) ? `iso-8859-${iso}` : undefined;
  return labels[encoding];
}
