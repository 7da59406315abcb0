import { randomUUID } from 'node:crypto'
import { isPlainObject } from '../../runtime/settings.ts'
import { RestoredMessages, type SavedMessage } from '../../saved/restored-messages.ts'
import { savableMessage } from '../../saved/savable-message.ts'
import { createSavedList, type SavedList } from '../../saved/saved-list.ts'
import type { AskMessage } from './read-question.ts'

/** An important question that nobody has answered. */
export interface SavedQuestion extends SavedMessage {
  /** Absent: the message has waited behind others, and its text is not a string of the message. */
  text?: string
}

/** A flow that is switched off keeps its own. */
const maxQuestions = 200

/** Keeps questions over a restart of Node-RED. */
export type QuestionStore = SavedList<SavedQuestion>

/** @param onError Called when a question cannot be saved; it is asked nevertheless. */
export function createQuestionStore(path: string, onError: (error: Error) => void): QuestionStore {
  return createSavedList({ path, isEntry: isSavedQuestion, maxEntries: maxQuestions, onError })
}

function isSavedQuestion(value: unknown): value is SavedQuestion {
  if (!isPlainObject(value)) return false
  const { id, nodeId, message, text = '' } = value
  return [id, nodeId, text].every((one) => typeof one === 'string') && isPlainObject(message)
}

/** The questions of a node that are kept over a restart, until somebody answers. */
export function createKeptQuestions(store: QuestionStore, nodeId: string) {
  const restored = new RestoredMessages(store, nodeId)
  const kept = new WeakMap<AskMessage, string>()
  const idOf = (message: AskMessage) => kept.get(message) ?? restored.entryOf(message)?.id
  return {
    /** Messages that ask the questions of the time before a restart or a deploy. */
    restoredMessages: () => restored.messages,
    /** The text of such a message; an expression in the form may no longer return it. */
    restoredText: (message: AskMessage) => restored.entryOf(message)?.text,
    /** Keeps a message, and its text as soon as it is known: of a large message, the property with the text may not be kept. */
    keep(message: AskMessage, text: string | undefined) {
      const id = idOf(message) ?? randomUUID()
      kept.set(message, id)
      const saved = { id, nodeId, message: savableMessage(message, text ?? '') }
      store.save({ ...saved, ...(text !== undefined && { text }) })
    },
    /** Somebody has answered, or stopped the question. */
    remove(message: AskMessage) {
      const id = idOf(message)
      if (id !== undefined) restored.remove(id)
    },
    /** Somebody has stopped them all. */
    removeAll: () => restored.removeAll(),
  }
}
