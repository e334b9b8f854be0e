/** Sentences as people ask about code, in ten scripts; written for the tests, so no rate was fitted to them. */
export const prose: Readonly<Record<string, readonly string[]>> = {
  latin: [
    'The second request never reaches the server because the connection pool is closed too early.',
    'Please explain why this function returns an empty list when the folder has hidden files in it.',
    'I would rather keep the old behaviour and add a setting, so that nobody is surprised after the update.',
    'Write a test that fails first, then mend the parser, and tell me which other callers could break.',
  ],
  cyrillic: [
    'Второй запрос не доходит до сервера, потому что пул соединений закрывается слишком рано.',
    'Объясни, пожалуйста, почему эта функция возвращает пустой список, если в папке есть скрытые файлы.',
    'Сначала напиши тест, который падает, потом исправь разбор и скажи, что ещё может сломаться.',
  ],
  greek: [
    'Το δεύτερο αίτημα δεν φτάνει ποτέ στον διακομιστή, γιατί η σύνδεση κλείνει πολύ νωρίς.',
    'Εξήγησε μου γιατί αυτή η συνάρτηση επιστρέφει κενή λίστα όταν ο φάκελος έχει κρυφά αρχεία.',
    'Γράψε πρώτα μια δοκιμή που αποτυγχάνει και μετά διόρθωσε τον κώδικα.',
  ],
  arabic: [
    'الطلب الثاني لا يصل إلى الخادم أبدا لأن الاتصال يغلق مبكرا جدا.',
    'من فضلك اشرح لماذا ترجع هذه الدالة قائمة فارغة عندما يحتوي المجلد على ملفات مخفية.',
    'اكتب أولا اختبارا يفشل ثم أصلح الشيفرة وأخبرني بما قد يتعطل.',
  ],
  hebrew: [
    'הבקשה השנייה אף פעם לא מגיעה לשרת כי החיבור נסגר מוקדם מדי.',
    'בבקשה הסבר מדוע הפונקציה הזאת מחזירה רשימה ריקה כאשר יש בתיקייה קבצים מוסתרים.',
    'קודם כתוב בדיקה שנכשלת ואחר כך תקן את הקוד ואמור לי מה עוד עלול להישבר.',
  ],
  devanagari: [
    'दूसरा अनुरोध सर्वर तक कभी नहीं पहुँचता क्योंकि कनेक्शन बहुत जल्दी बंद हो जाता है।',
    'कृपया समझाइए कि जब फ़ोल्डर में छिपी हुई फ़ाइलें हों तो यह फ़ंक्शन खाली सूची क्यों लौटाता है।',
    'पहले एक परीक्षण लिखिए जो विफल हो और फिर कोड ठीक कीजिए।',
  ],
  thai: [
    'คำขอที่สองไม่เคยไปถึงเซิร์ฟเวอร์เพราะการเชื่อมต่อถูกปิดเร็วเกินไป',
    'ช่วยอธิบายว่าทำไมฟังก์ชันนี้จึงคืนค่ารายการว่างเมื่อโฟลเดอร์มีไฟล์ที่ซ่อนอยู่',
    'เขียนการทดสอบที่ล้มเหลวก่อน แล้วจึงแก้ไขโค้ด',
  ],
  chinese: [
    '第二个请求永远到不了服务器，因为连接池关闭得太早了。',
    '请解释一下，当文件夹里有隐藏文件时，为什么这个函数会返回空列表。',
    '先写一个会失败的测试，然后修复解析器，并告诉我还有哪些调用者可能会出问题。',
  ],
  japanese: [
    '接続プールが早く閉じられてしまうため、二番目のリクエストはサーバーに届きません。',
    'フォルダーに隠しファイルがあるとき、この関数が空のリストを返す理由を説明してください。',
    'まず失敗するテストを書いてから、パーサーを直して、ほかに壊れそうなところを教えてください。',
  ],
  korean: [
    '연결 풀이 너무 일찍 닫히기 때문에 두 번째 요청은 서버에 도달하지 못합니다.',
    '폴더에 숨겨진 파일이 있을 때 이 함수가 왜 빈 목록을 반환하는지 설명해 주세요.',
    '먼저 실패하는 테스트를 작성한 다음 파서를 고치고 다른 어떤 부분이 깨질 수 있는지 알려 주세요.',
  ],
};

/** What is pasted, by kind, one line each. */
export const pasted: Readonly<Record<string, readonly string[]>> = {
  code: [
    'export async function readAll(paths: readonly string[]): Promise<Map<string, string>> {',
    '  for (const [index, entry] of entries.entries()) if (!seen.has(entry.id)) queue.push({ index, entry });',
    '    return items.filter((item) => item.state !== "done").map(({ name, size = 0 }) => name + ": " + size);',
    'def parse_header(line: str, *, strict: bool = False) -> tuple[str, str]:',
    '    if (buffer->length + needed > buffer->capacity && !grow(buffer, needed)) return -ENOMEM;',
  ],
  json: [
    '{"id":4711,"name":"worker-3","labels":{"zone":"eu-1","tier":"gold"},"ports":[8080,8443],"ready":true}',
    '  "dependencies": { "left-pad": "^1.3.0", "@scope/tool": "~2.14.1", "minimatch": ">=9.0.0 <10" },',
    '{"jsonrpc":"2.0","method":"textDocument/hover","params":{"position":{"line":12,"character":7}}}',
  ],
  logs: [
    '2026-11-22T15:08:04.117Z WARN [pool-7] connection 10.0.12.44:5432 closed after 30012 ms, retry 3 of 5',
    '10.1.2.3 - - [22/Nov/2026:15:08:05 +0000] "GET /api/v2/items?page=17 HTTP/1.1" 503 1182 "-" "curl/8.5.0"',
    '    at Object.<anonymous> (/srv/app/node_modules/express/lib/router/layer.js:95:5)',
  ],
};
