import { randomUUID } from 'node:crypto'
import { isPlainObject } from '../../runtime/settings.ts'
import { savableMessage } from '../../saved/savable-message.ts'
import { createSavedList, type SavedList } from '../../saved/saved-list.ts'
import type { AskMessage } from './read-question.ts'

/** An important question that nobody has answered. */
export interface SavedQuestion {
  id: string
  /** Of the node that asks it. */
  nodeId: string
  /** The message, without what JSON cannot hold. */
  message: Record<string, unknown>
  /** Absent: the message has waited behind others, and its text was not read. */
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
  const restored = new Map(store.of(nodeId).map((question) => [question.id, question]))
  const kept = new WeakMap<AskMessage, string>()
  const idOf = (message: AskMessage) => kept.get(message) ?? restored.get(message._msgid)?.id
  return {
    /** Messages that ask the questions of the time before a restart or a deploy. */
    restoredMessages: () =>
      [...restored.values()].map(({ id, message }) => ({ ...message, _msgid: id })),
    /** The text of such a message; an expression in the form may no longer return it. */
    restoredText: ({ _msgid }: AskMessage) => restored.get(_msgid)?.text,
    /** Keeps a message, and its text as soon as it is known: of a large message, nothing else is kept. */
    keep(message: AskMessage, text = restored.get(message._msgid)?.text) {
      const id = idOf(message) ?? randomUUID()
      kept.set(message, id)
      const saved = { id, nodeId, message: savableMessage(message, text ?? '') }
      store.save({ ...saved, ...(text !== undefined && { text }) })
    },
    /** Somebody has answered, or stopped the question. */
    remove(message: AskMessage) {
      const id = idOf(message)
      if (id === undefined) return
      restored.delete(id)
      store.remove(id)
    },
    /** Somebody has stopped them all, or removed the node. */
    removeAll() {
      restored.clear()
      for (const { id } of store.of(nodeId)) store.remove(id)
    },
  }
}
