import type { RealtimeItem } from '@parlando/core/wire'
import type { SpokenText } from './response/spoken-text.ts'
import { SessionError } from './server-events.ts'

/** An item and what its wire form does not show. */
export interface Entry {
  item: RealtimeItem
  /** The words of the user, also when the client wants no transcript. */
  transcript?: string
  /** The language that the user spoke, such as `de`, if the recogniser has detected it. */
  language?: string
  /** The speech of a message of the model. */
  speech?: SpokenText
}

/** The items of a conversation in order. */
export interface ConversationItems {
  readonly entries: readonly Entry[]
  /**
   * @param previousId the item after which the new one is placed; `root` for the start. Default: the end.
   * @returns the id of the item before the new one; null for the first.
   * @throws {SessionError} if the id of the item is in use, or the previous item is unknown.
   */
  add(entry: Entry, previousId?: string | null): string | null
  /** The id of the item before this one; null for the first. */
  previousId(id: string): string | null
  /** @throws {SessionError} if the item is unknown. */
  find(id: string, verb: 'retrieve' | 'truncate' | 'delete'): Entry
  /** @throws {SessionError} if the item is unknown. */
  delete(id: string): void
}

// Above these limits, the conversation forgets its oldest items. A language model reads all of them each time.
const maxItems = 500
const maxCharacters = 400_000
/** A part counts for more than its text, which may be empty. */
const partCharacters = 20

export function createConversationItems(): ConversationItems {
  const entries: Entry[] = []
  const indexOf = (id: string) => entries.findIndex(({ item }) => item.id === id)

  const findIndex = (id: string, verb: string): number => {
    const index = indexOf(id)
    if (index >= 0) return index
    throw new SessionError(`item_${verb}_invalid_item_id`, `Unknown item: ${id}`, 'item_id')
  }
  const forgetOldest = () => {
    let characters = entries.reduce((sum, entry) => sum + sizeOf(entry), 0)
    while (entries.length > maxItems || (entries.length > 1 && characters > maxCharacters)) {
      characters -= sizeOf(entries.shift()!)
    }
  }
  const placeAfter = (previousId: string | null | undefined): number => {
    if (previousId === 'root') return 0
    if (!previousId) return entries.length
    const index = indexOf(previousId)
    if (index >= 0) return index + 1
    const message = `previous_item_id: unknown item ${previousId}`
    throw new SessionError('invalid_value', message, 'previous_item_id')
  }
  const previousId = (id: string) => entries[indexOf(id) - 1]?.item.id ?? null

  return {
    entries,
    add(entry, after) {
      const { id } = entry.item
      if (indexOf(id) >= 0) throw itemIdInUse(id)
      entries.splice(placeAfter(after), 0, entry)
      const previous = previousId(id)
      forgetOldest()
      return previous
    },
    previousId,
    find: (id, verb) => entries[findIndex(id, verb)]!,
    delete: (id) => void entries.splice(findIndex(id, 'delete'), 1),
  }
}

export function itemIdInUse(id: string): SessionError {
  return new SessionError('invalid_value', `item.id: ${id} is already in use`, 'item.id')
}

/** How many characters an item has. The words of a turn count once, also if its content repeats them for the client. */
function sizeOf({ item, transcript }: Entry): number {
  const { content, name, arguments: text, output } = item
  let size = [name, text, output, transcript].reduce((sum, part) => sum + (part?.length ?? 0), 0)
  for (const part of content ?? []) {
    size += partCharacters + (part.text?.length ?? 0)
    if (transcript === undefined) size += part.transcript?.length ?? 0
  }
  return size
}
