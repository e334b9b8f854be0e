import { createEmitter, type Event } from '../base/emitter.ts';
import { isSameSource } from '../conversation/attachment-source.ts';
import type { Conversation } from '../conversation/conversation.ts';
import { type Attachment, joinTexts } from '../shared/messages.ts';
import type { StoredValues } from '../storage/stored-values.ts';

export interface StateStore {
  get<T>(key: string): T | undefined;
  update(key: string, value: unknown): PromiseLike<void>;
}

export interface DraftView {
  view: 'sideBar' | 'tabs';
  /** The view last showed this conversation. */
  conversationId?: string;
  onDidMove?(conversationId: string): void;
}

export interface DraftTimes {
  atMs: number;
  emptiedAtMs?: number;
}

type Shown = Pick<Conversation, 'id' | 'state' | 'queue'>;

/**
 * Holds what is typed and attached in one view. Every change is stored, so that a crash loses none of it. A text that
 * was written in another conversation than the shown one goes to the draft of that one.
 */
export interface Draft {
  text(): string;
  /** The array may be compared by identity: it is another one after each change, and only then. */
  attachments(): readonly Attachment[];
  times(): DraftTimes | undefined;
  /** Returns the conversation that the text came along from, until the page knows that it shows the new one. */
  cameFrom(): string | undefined;
  /** Resolves when this and everything that is held is on the disk or cannot be. */
  setText(text: string, writtenIn?: string, times?: DraftTimes): Promise<void>;
  append(text: string, writtenIn?: string): void;
  /** Does nothing when the draft holds another text. */
  clear(text: string): void;
  attach(attachment: Attachment): void;
  detach(id: string): void;
  /** Returns what the next message may cost, in micro-dollars, where its user said so. */
  limit(): number | undefined;
  setLimit(microUsd: number | undefined): void;
  /** Keeps a text that left the composer: until the returned function is called, a crash brings it back. */
  hold(text: string): () => void;
  /**
   * Takes the attachments and the limit out for a message, which a crash brings back until `release` is called or the conversation
   * has the message. It replaces what is held with the same text.
   */
  takeFor(message: { id: string; text: string }): Pick<Unsent, 'limitMicroUsd'> & {
    attachments: Attachment[];
    release(): void;
  };
  /**
   * Goes to another conversation: the text stays with the one that was shown, that of the next one appears, and
   * attachments come along.
   */
  open(next: Shown): void;
  carryTo(next: Shown): void;
  /** Adds to this draft what was written in empty conversations, which nobody can open again. */
  appendUnopened(): void;
  takeFrom(other: Draft | undefined): void;
  close(): void;
  dispose(): void;
  onDidAppend: Event<[text: string]>;
  onDidClear: Event<[text: string]>;
  onDidAttach: Event;
}

export interface DraftStore {
  /** `shown` must return the conversation at hand whenever it is called. */
  open(place: DraftView, shown: () => Shown): Draft;
}

const openName = 'svc.openConversation';
const maxDrafts = 100;

export function sideBarView(memento: StateStore): DraftView {
  return {
    view: 'sideBar',
    conversationId: memento.get<string>(openName),
    onDidMove(id) {
      if (memento.get(openName) !== id) void memento.update(openName, id);
    },
  };
}

export function createDraftStore(values: Values): DraftStore {
  const stored = createStoredDrafts(values);
  const closed = createClosedDrafts(stored);
  return { open: (place, shown) => createDraft(stored, closed, place, shown) };
}

/** Keeps the drafts of conversations that no view shows; a view that shows the conversation gets a text at once. */
function createClosedDrafts(stored: StoredDrafts) {
  const views = new Map<() => Shown, Draft['append']>();
  const empty = new Set<string>();
  const change = (id: string, how: (before: Stored) => Partial<Stored>) => {
    // Nobody can open an empty one again, so the next new one gets its draft.
    const place = empty.has(id) ? 'new' : 'closed';
    const before = stored.get(place, id);
    void stored.set(place, id, { ...before, ...how(before) });
  };
  return {
    views,
    keep({ id, state }: Shown, { text, limitMicroUsd, attachments: more }: Omit<Stored, 'unsent'>) {
      if (state().items.length === 0) empty.add(id);
      change(id, ({ attachments }) => ({ text, limitMicroUsd, attachments: [...attachments, ...more] }));
    },
    write(id: string, text: string, how: 'set' | 'append') {
      const [, append] = [...views].find(([shown]) => shown().id === id) ?? [];
      if (append === undefined) change(id, (before) => ({ text: how === 'set' ? text : joinTexts(before.text, text) }));
      else if (text !== '') append(text);
    },
  };
}

type ClosedDrafts = ReturnType<typeof createClosedDrafts>;

function createDraft(stored: StoredDrafts, closed: ClosedDrafts, place: DraftView, shown: () => Shown): Draft {
  const { view } = place;
  const appended = createEmitter<[text: string]>();
  const cleared = createEmitter<[text: string]>();
  const attached = createEmitter();
  // There is one side bar. A crash may come between its text and the state that says where it is now.
  let storedAt = (view === 'sideBar' ? stored.idsIn(view).at(-1) : undefined) ?? place.conversationId ?? '';
  let { id } = shown();
  let cameFrom = place.conversationId === id ? undefined : place.conversationId;
  let { text, attachments, times, limitMicroUsd } = restored(stored.get(view, storedAt), shown());
  let unsent: readonly Unsent[] = [];

  const save = () => {
    const done = stored.set(view, id, { text, unsent, times, limitMicroUsd, attachments });
    // After the new place has it: a crash in between must find it in one of the two.
    if (storedAt !== id) stored.forget(view, storedAt);
    storedAt = id;
    place.onDidMove?.(id);
    return done;
  };
  const setText: Draft['setText'] = (next, writtenIn = id, newTimes) => {
    if (writtenIn === id || writtenIn === cameFrom) text = next;
    else closed.write(writtenIn, next, 'set');
    // The page now knows which conversation it shows, so later text with the old id belongs to the old conversation.
    if (writtenIn === id) cameFrom = undefined;
    if (newTimes) times = { ...times, ...newTimes };
    return save();
  };
  const append: Draft['append'] = (more, writtenIn = id) => {
    if (writtenIn !== id && writtenIn !== cameFrom) return closed.write(writtenIn, more, 'append');
    text = joinTexts(text, more);
    void save();
    appended.fire(more);
  };
  const setAttachments = (next: readonly Attachment[]) => {
    attachments = next;
    void save();
    attached.fire();
  };
  const attach = (attachment: Attachment) =>
    setAttachments([...attachments.filter((other) => !isSameSource(other, attachment)), attachment]);
  const hold = (one: Unsent) => {
    const replaced = one.id && unsent.find((other) => other.id === undefined && other.text === one.text);
    unsent = [...unsent.filter((other) => other !== replaced), one];
    void save();
    return () => {
      if (!unsent.includes(one)) return;
      unsent = unsent.filter((other) => other !== one);
      void save();
    };
  };
  const dispose = () => void closed.views.delete(shown);
  closed.views.set(shown, append);
  void save();
  return {
    text: () => text,
    attachments: () => attachments,
    times: () => times,
    cameFrom: () => cameFrom,
    setText,
    append,
    clear(sent) {
      if (text.trim() !== sent.trim()) return;
      text = '';
      void save();
      cleared.fire(sent);
    },
    attach,
    detach: (gone) => setAttachments(attachments.filter((attachment) => attachment.id !== gone)),
    limit: () => limitMicroUsd,
    setLimit(microUsd) {
      limitMicroUsd = microUsd;
      void save();
      attached.fire();
    },
    hold: (held) => hold({ text: held, attachments: [] }),
    takeFor(message) {
      const taken = [...attachments];
      const limit = limitMicroUsd === undefined ? {} : { limitMicroUsd };
      const release = hold({ ...message, ...limit, attachments: taken });
      limitMicroUsd = undefined;
      setAttachments([]);
      return { attachments: taken, ...limit, release };
    },
    open(next) {
      closed.keep(shown(), { text, limitMicroUsd, attachments: [] });
      const own = stored.get('closed', next.id);
      cameFrom = undefined;
      ({ id } = next);
      ({ text, limitMicroUsd } = own);
      attachments = [...attachments, ...own.attachments];
      void save();
      // After this view has it, so that a crash loses nothing.
      stored.forget('closed', id);
    },
    carryTo(next) {
      cameFrom = id;
      ({ id } = next);
      void save();
    },
    appendUnopened() {
      const all = stored.idsIn('new').map((one) => ({ one, ...stored.get('new', one) }));
      const written = all.reduce((above, one) => joinTexts(above, one.text), '');
      if (written !== '' && written !== text) append(written);
      const more = all.flatMap((one) => one.attachments);
      if (more.length > 0) setAttachments([...attachments, ...more]);
      for (const { one } of all) stored.forget('new', one);
    },
    takeFrom(other) {
      const theirs = other ? { text: other.text(), attachments: other.attachments() } : stored.get('closed', id);
      for (const attachment of theirs.attachments) {
        attach(attachment);
        other?.detach(attachment.id);
      }
      if (theirs.text !== '') append(theirs.text);
      if (other) void other.setText('');
      else stored.forget('closed', id);
    },
    close() {
      closed.keep(shown(), { text, limitMicroUsd, attachments });
      times = undefined;
      limitMicroUsd = undefined;
      text = '';
      attachments = [];
      void save();
      dispose();
    },
    dispose,
    onDidAppend: appended.event,
    onDidClear: cleared.event,
    onDidAttach: attached.event,
  };
}

function restored(
  { text, unsent, attachments, times, limitMicroUsd }: Stored,
  { state, queue }: Shown,
): Omit<Stored, 'unsent'> {
  const isStored = (id: string) =>
    queue().items.some((item) => item.id === id) ||
    state().items.some((item) => item.kind === 'user' && item.id === id);
  const unstored = unsent.filter(({ id }) => id === undefined || !isStored(id));
  const taken = new Set(unsent.flatMap((one) => one.attachments.map(({ id }) => id)));
  return {
    text: unstored.reduceRight((below, one) => joinTexts(one.text, below), text),
    attachments: [...unstored.flatMap((one) => one.attachments), ...attachments.filter(({ id }) => !taken.has(id))],
    times,
    limitMicroUsd: limitMicroUsd ?? unstored.at(-1)?.limitMicroUsd,
  };
}

type Values = Pick<StoredValues, 'get' | 'update' | 'keys'>;
type Place = DraftView['view'] | 'closed' | 'new';

interface Unsent {
  /** A text with an id is the message with that id. */
  id?: string;
  text: string;
  limitMicroUsd?: number | undefined;
  attachments: readonly Attachment[];
}

interface Stored {
  text: string;
  unsent: readonly Unsent[];
  times?: DraftTimes;
  limitMicroUsd?: number | undefined;
  attachments: readonly Attachment[];
}

type StoredDrafts = ReturnType<typeof createStoredDrafts>;

function createStoredDrafts(values: Values) {
  const idsIn = (place: Place) => {
    const prefix = `draft.${place}.`;
    return values.keys().flatMap((key) => (key.startsWith(prefix) ? [key.slice(prefix.length)] : []));
  };
  const forget = (place: Place, id: string) => {
    void values.update(`draft.${place}.${id}`, undefined);
    void values.update(`attached.${place}.${id}`, undefined);
  };
  return {
    idsIn,
    forget,
    get: (place: Place, id: string): Stored => ({
      text: '',
      unsent: [],
      ...values.get<Omit<Stored, 'attachments'>>(`draft.${place}.${id}`),
      attachments: values.get<readonly Attachment[]>(`attached.${place}.${id}`) ?? [],
    }),
    set(place: Place, id: string, { attachments, ...texts }: Stored): Promise<void> {
      const { text, unsent, times, limitMicroUsd } = texts;
      const isEmpty = text === '' && unsent.length + attachments.length === 0 && (times ?? limitMicroUsd) === undefined;
      // One value has all texts of a composer, so that no crash finds a text in both of its places or in neither.
      const done = values.update(`draft.${place}.${id}`, isEmpty ? undefined : texts);
      for (const old of idsIn(place).slice(0, -maxDrafts)) forget(place, old);
      // They are large, and the text changes with every key.
      const name = `attached.${place}.${id}`;
      if (attachments.length === 0) void values.update(name, undefined);
      else if (values.get(name) !== attachments) void values.update(name, attachments);
      return done;
    },
  };
}
