import type { SpokenWord } from '../engine.ts'
import phones from './phones.json' with { type: 'json' }

/** The text between two spaces, without surrounding punctuation. Times count from the start of the audio of this phrase. */
export type SpokenToken = SpokenWord

// Byte offsets of the used members of flite's structures in 32-bit memory.
const relation = { utterance: 8, head: 12 }
const utterance = { relations: 8 }
const item = { contents: 0, next: 8, previous: 12, daughter: 20 }
const contents = { features: 0, relations: 4 }
const pair = { name: 0, value: 4, next: 8 }
const valueContent = 4

// Flite's lists are much shorter. The limit ends the walk if the memory contains a cycle.
const maxListItems = 10_000
const maxNameBytes = 200

/**
 * Reads the tokens and their phones from flite's memory. Flite can print its words, or its segments with their times, but not
 * which segments belong to a word. In memory, each token links to its words, their syllables and their segments. The
 * version of the package is pinned, so the layout is stable.
 *
 * @param heapStart the address where the search begins.
 * @returns an empty list if the memory contains no utterance.
 */
export function readSpokenTokens(memory: WebAssembly.Memory, heapStart: number): SpokenToken[] {
  const bytes = Buffer.from(memory.buffer)
  const heap = readHeap(bytes)
  const { word, text, list, named, feature, inRelation, daughters, endSeconds } = heap
  const relations = findRelations(bytes, heap, heapStart)
  if (relations === 0) return []
  const firstToken = word(word(named(relations, 'Token')) + relation.head)
  return [...list(firstToken, item.next)].flatMap((token) => {
    const phones = daughters(token)
      .flatMap((spoken) => daughters(inRelation(spoken, 'SylStructure')))
      .flatMap(daughters)
      .map((segment) => inRelation(segment, 'Segment'))
      .map((segment) => ({
        ...readPhone(text(word(feature(segment, 'name')))),
        startSeconds: endSeconds(word(segment + item.previous)),
        endSeconds: endSeconds(segment),
      }))
    const [first, last] = [phones[0], phones.at(-1)]
    if (!first || !last) return []
    return {
      text: text(word(feature(token, 'name'))),
      startSeconds: first.startSeconds,
      endSeconds: last.endSeconds,
      phones,
    }
  })
}

/** Reads structures by address. Address 0 is a null pointer. */
function readHeap(bytes: Buffer) {
  const word = (address: number): number =>
    address > 0 && address + 4 <= bytes.length ? bytes.readUInt32LE(address) : 0
  const text = (address: number): string => {
    const end = bytes.indexOf(0, address)
    return bytes.toString('latin1', address, Math.min(end, address + maxNameBytes))
  }

  function* list(first: number, nextOffset: number): Generator<number, void> {
    let count = 0
    for (let at = first; at !== 0 && count < maxListItems; at = word(at + nextOffset)) {
      count += 1
      yield at
    }
  }

  /** @returns the address of the named value's content, or 0. */
  const named = (features: number, name: string): number => {
    for (const at of list(word(features), pair.next)) {
      if (text(word(at + pair.name)) === name) return word(at + pair.value) + valueContent
    }
    return 0
  }
  const feature = (of: number, name: string): number =>
    named(word(word(of + item.contents) + contents.features), name)
  const inRelation = (of: number, name: string): number =>
    word(named(word(word(of + item.contents) + contents.relations), name))
  const daughters = (of: number): number[] =>
    of === 0 ? [] : [...list(word(of + item.daughter), item.next)]
  const endSeconds = (segment: number): number => {
    const address = segment === 0 ? 0 : feature(segment, 'end')
    return address === 0 ? 0 : bytes.readFloatLE(address)
  }
  return { word, text, list, named, feature, inRelation, daughters, endSeconds }
}

/** Finds the relations of the current utterance by the name of a relation that every utterance has. @returns 0 if none. */
function findRelations(
  bytes: Buffer,
  { word, named }: ReturnType<typeof readHeap>,
  heapStart: number,
): number {
  function* find(pattern: string | Buffer): Generator<number, void> {
    for (let at = bytes.indexOf(pattern, heapStart); at > 0; at = bytes.indexOf(pattern, at + 1)) {
      yield at
    }
  }

  const name = 'SylStructure'
  const pointer = Buffer.alloc(4)
  for (const nameAt of find(`${name}\0`)) {
    pointer.writeUInt32LE(nameAt)
    for (const at of find(pointer)) {
      const relations = word(word(at + relation.utterance) + utterance.relations)
      if (relations > 0 && word(named(relations, name)) === at) return relations
    }
  }
  return 0
}

/** Flite's names of the sounds of American English, which all its voices use, as IPA and as the shape of the mouth. */
const phonesByName = new Map(Object.entries(phones))

/** @returns the name itself, without a viseme, for a sound that the table does not contain. */
function readPhone(name: string): { symbol: string; viseme?: string } {
  const [symbol = name, viseme] = phonesByName.get(name) ?? []
  return { symbol, viseme }
}
