import { constants, open } from 'node:fs/promises'
import { isUint8Array } from 'node:util/types'
import { voiceSampleLimits } from '@parlando/core/audio'
import type { NodeAPI } from 'node-red'
import { NodeInputError } from '../../runtime/failure.ts'
import { isList } from '../../runtime/settings.ts'

/** One byte more than the limit is enough to see that a file is too large. */
const maxReadBytes = voiceSampleLimits.maxBytes + 1

/**
 * Reads the recordings of a message: a Buffer, an array of Buffers, or the uploaded files of `http in` in `msg.req.files`.
 * @throws {NodeInputError} if there is no recording, or one is not a Buffer.
 */
export function readSamples(RED: NodeAPI, value: unknown, source: string): Uint8Array[] {
  const items = isList(value) ? value : [value]
  const isMissing = items.length === 0 || value === undefined || value === null || value === ''
  if (isMissing) throw new NodeInputError(RED._('clone-voice.error.no-samples', { source }))
  return items.map((item, index) => {
    const bytes = isUint8Array(item) ? item : uploadedBytes(item)
    if (isUint8Array(bytes)) return bytes
    const number = index + 1
    throw new NodeInputError(
      RED._('clone-voice.error.not-audio', { source, number, kind: typeof item }),
    )
  })
}

/** Reads only an own property: an object that inherits from a Buffer throws when it is read. */
function uploadedBytes(item: unknown): unknown {
  return Object.getOwnPropertyDescriptor(item ?? {}, 'buffer')?.value
}

/**
 * Reads recordings from files on this machine. Only the form can name them; otherwise a message could send any file of the
 * machine to the service.
 * @throws {NodeInputError} with the name of the file that cannot be read.
 */
export async function readSampleFiles(RED: NodeAPI, paths: string): Promise<Uint8Array[]> {
  // A hand-written flow may have no files.
  const names = String(paths ?? '')
    .split('\n')
    .flatMap((line) => line.trim() || [])
  if (names.length === 0) throw new NodeInputError(RED._('clone-voice.error.no-files'))
  return Promise.all(names.map((name) => readSampleFile(RED, name)))
}

async function readSampleFile(RED: NodeAPI, name: string): Promise<Uint8Array> {
  try {
    // Without this flag, opening a named pipe waits for a writer.
    const file = await open(name, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    try {
      const bytes = Buffer.alloc(maxReadBytes)
      const { bytesRead } = await file.read(bytes, 0, bytes.length, 0)
      return bytes.subarray(0, bytesRead)
    } finally {
      await file.close()
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const reason = code === 'ENOENT' ? RED._('clone-voice.error.no-such-file') : message
    throw new NodeInputError(RED._('clone-voice.error.file', { name, reason }))
  }
}
