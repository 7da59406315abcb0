import { join } from 'node:path'
import { isPlainObject } from '../../runtime/settings.ts'
import { createSavedList, type SavedEntry } from '../../saved/saved-list.ts'
import type { ReadAloudText } from './reading.ts'
import { keptMessage } from './reading-outcome.ts'

/** All nodes together save at most this many. A node rejects further texts much earlier, but a disabled flow keeps its own. */
const maxSaved = 200

interface SavedText extends SavedEntry {
  /** The message without its text, and without what JSON cannot hold. */
  message: Record<string, unknown>
  sentences: readonly string[]
}

interface SavedPosition extends SavedEntry {
  index: number
  order: number
  hasBegun: boolean
  isPaused: boolean
}

export type SavedReading = SavedText & SavedPosition

/**
 * Keeps texts over a restart of Node-RED and a loss of power. The positions have a small file of their own: it is written with
 * each sentence, and the texts of books are not.
 * @param onError called when something cannot be saved; it is read nevertheless.
 */
export function createReadingStore(folder: string, onError: (error: Error) => void) {
  const listOptions = { maxEntries: maxSaved, onError }
  const texts = createSavedList<SavedText>({
    ...listOptions,
    path: join(folder, 'readings.json'),
    isEntry: isSavedText,
  })
  const positions = createSavedList<SavedPosition>({
    ...listOptions,
    path: join(folder, 'reading-positions.json'),
    isEntry: isSavedPosition,
  })
  const noteMove = (nodeId: string, { id, index, order, hasBegun, isPaused }: ReadAloudText) =>
    positions.save({ id, nodeId, index, order, hasBegun, isPaused })

  return {
    /** The texts of a node that were saved before, the one to read first at the beginning. */
    of(nodeId: string): SavedReading[] {
      const known = new Map(positions.of(nodeId).map((position) => [position.id, position]))
      const begin = { index: 0, order: 0, hasBegun: false, isPaused: false }
      return texts
        .of(nodeId)
        .map((text) => ({ ...text, ...(known.get(text.id) ?? begin) }))
        .sort((one, other) => one.order - other.order)
    },
    add(nodeId: string, reading: ReadAloudText) {
      const { id, message, sentences } = reading
      texts.save({ id, nodeId, message: keptMessage(message), sentences })
      noteMove(nodeId, reading)
    },
    noteMove,
    remove(id: string) {
      texts.remove(id)
      positions.remove(id)
    },
    /** Removes the texts of nodes. */
    removeOf(isTheirs: (nodeId: string) => boolean) {
      texts.removeOf(isTheirs)
      positions.removeOf(isTheirs)
    },
    async flush() {
      await Promise.all([texts.flush(), positions.flush()])
    },
  }
}

export type ReadingStore = ReturnType<typeof createReadingStore>

function isSavedText(value: unknown): value is SavedText {
  if (!isPlainObject(value)) return false
  const { id, nodeId, message, sentences } = value
  const isList = Array.isArray(sentences) && sentences.length > 0
  return (
    [id, nodeId].every((entry) => typeof entry === 'string') &&
    isPlainObject(message) &&
    isList &&
    sentences.every((entry) => typeof entry === 'string')
  )
}

function isSavedPosition(value: unknown): value is SavedPosition {
  if (!isPlainObject(value)) return false
  const { id, nodeId, index, order, hasBegun, isPaused } = value
  const areTexts = [id, nodeId].every((entry) => typeof entry === 'string')
  const isKnown = [hasBegun, isPaused].every((entry) => typeof entry === 'boolean')
  return (
    areTexts &&
    isKnown &&
    Number.isSafeInteger(order) &&
    Number.isSafeInteger(index) &&
    Number(index) >= 0
  )
}
