import { createHash } from 'node:crypto'
import type { KeptSound } from './speech-store.ts'

// A file of a later layout begins otherwise, and is a miss.
const magic = Buffer.from('PAR1')
const hashAt = magic.length
const factsLengthAt = hashAt + 32
const factsAt = factsLengthAt + 4

/** A sound as one piece of bytes, in a file or in Redis: magic, SHA-256 of the rest, length of the facts, facts as JSON, audio. */
export function packSound({ audio, facts }: KeptSound): Buffer {
  const json = Buffer.from(JSON.stringify(facts))
  const bytes = Buffer.alloc(factsAt + json.length + audio.length)
  magic.copy(bytes)
  bytes.writeUInt32BE(json.length, factsLengthAt)
  json.copy(bytes, factsAt)
  bytes.set(audio, factsAt + json.length)
  hashOf(bytes).copy(bytes, hashAt)
  return bytes
}

/** @returns nothing if the bytes are not what `packSound` has written. */
export function unpackSound(bytes: Buffer): KeptSound | undefined {
  if (bytes.length < factsAt || !bytes.subarray(0, hashAt).equals(magic)) return undefined
  if (!hashOf(bytes).equals(bytes.subarray(hashAt, factsLengthAt))) return undefined
  const audioAt = factsAt + bytes.readUInt32BE(factsLengthAt)
  const facts = JSON.parse(bytes.toString('utf8', factsAt, audioAt)) as KeptSound['facts']
  return { audio: bytes.subarray(audioAt), facts }
}

function hashOf(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes.subarray(factsLengthAt)).digest()
}
