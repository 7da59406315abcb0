import { readFileSync, rmSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { ChatMessage } from '@parlando/core'
import { isPlainObject } from '../runtime/settings.ts'
import { createSavedFile, fileNameOf } from '../saved/saved-file.ts'
import type { Remembered } from './conversations.ts'

export interface KeptConversationsOptions {
  /** Node-RED's user folder. */
  userFolder: string
  nodeId: string
  /** Called when they cannot be written. */
  onError(error: Error): void
}

/** One file has at most this many characters. Beyond, the conversations that were not used for the longest time are not kept. */
const maxCharacters = 4_000_000

/** Keeps the conversations of a node over a restart, in a file. */
export function createKeptConversations({ userFolder, nodeId, onError }: KeptConversationsOptions) {
  const path = pathOf(userFolder, nodeId)
  let latest: ReadonlyMap<string, Remembered> = new Map()
  const file = createSavedFile(path, () => toJson(latest), onError)
  return {
    load: () => readConversations(path),
    save(all: ReadonlyMap<string, Remembered>) {
      latest = all
      file.change()
    },
    /** Resolves when the file has all changes. */
    flush: () => file.flush(),
    /** The node was deleted, or its setting. */
    async remove() {
      await file.flush()
      await rm(path, { force: true })
    },
  }
}

/** Removes the conversations of nodes that were deleted. A deploy does not close those that were disabled before. */
export function removeConversations(userFolder: string, nodeIds: readonly string[]): void {
  for (const nodeId of nodeIds) rmSync(pathOf(userFolder, nodeId), { force: true })
}

function pathOf(userFolder: string, nodeId: string): string {
  return join(userFolder, 'parlando', 'conversations', `${fileNameOf(nodeId)}.json`)
}

function toJson(all: ReadonlyMap<string, Remembered>): string {
  const entries: string[] = []
  let characters = 0
  for (const entry of [...all].reverse()) {
    const json = JSON.stringify(entry)
    if (characters + json.length > maxCharacters) continue
    characters += json.length
    entries.unshift(json)
  }
  return `[${entries.join(',')}]`
}

/** @returns nothing if there is no file, or if it is damaged. */
function readConversations(path: string): (readonly [string, Remembered])[] {
  try {
    const saved: unknown = JSON.parse(readFileSync(path, 'utf8'))
    return Array.isArray(saved) ? saved.filter(isEntry) : []
  } catch {
    return []
  }
}

function isEntry(entry: unknown): entry is [string, Remembered] {
  if (!Array.isArray(entry) || typeof entry[0] !== 'string' || !isPlainObject(entry[1]))
    return false
  const { summary, turns } = entry[1]
  return typeof summary === 'string' && Array.isArray(turns) && turns.every(isTurn)
}

function isTurn(turn: unknown): turn is ChatMessage {
  if (!isPlainObject(turn)) return false
  return ['user', 'assistant'].includes(String(turn['role'])) && typeof turn['content'] === 'string'
}
